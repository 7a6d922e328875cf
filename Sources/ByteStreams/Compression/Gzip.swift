/// Compresses bytes that are in memory as a whole.
///
/// [RFC 1951, RFC 1952]
package enum Gzip {
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    /// How many literals and repetitions share their codes.
    private static let blockSize = 1 << 16

    /// `bytes`, up to 2 GiB, as a gzip file with one member.
    package static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var output = BitOutput()
        var source = RepeatedBytes(bytes)
        var isLast = false
        while !isLast {
            var elements: [RepeatedBytes.Element] = []
            while elements.count < blockSize, let element = source.next() { elements.append(element) }
            isLast = elements.count < blockSize
            write(elements, isLast: isLast, to: &output)
        }
        output.finish()
        let sum = bytes.withUnsafeBufferPointer { InflatedWindow.crc32($0, after: 0) }
        return header + output.bytes + littleEndian(sum) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    private static func littleEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// A block with codes of its own.
    private static func write(_ elements: [RepeatedBytes.Element], isLast: Bool, to output: inout BitOutput) {
        var literals = Array(repeating: 0, count: 286)
        var distances = Array(repeating: 0, count: 30)
        literals[endOfBlock] = 1
        for element in elements {
            switch element {
            case .literal(let byte): literals[Int(byte)] += 1
            case .repetition(let length, let distance):
                literals[257 + index(of: length, in: HuffmanTable.lengthBases)] += 1
                distances[index(of: distance, in: HuffmanTable.distanceBases)] += 1
            }
        }
        // A block must have a code of distances, used or not.
        if !distances.contains(where: { $0 > 0 }) { distances[0] = 1 }
        let codes = (
            literals: HuffmanCode(counts: literals, longest: 15), distances: HuffmanCode(counts: distances, longest: 15)
        )
        output.append(isLast ? 1 : 0, bits: 1)
        output.append(2, bits: 2)
        write(codes.literals.lengths, codes.distances.lengths, to: &output)
        for element in elements { write(element, codes.literals, codes.distances, to: &output) }
        codes.literals.write(endOfBlock, to: &output)
    }

    private static let endOfBlock = 256

    private static func write(
        _ element: RepeatedBytes.Element, _ literals: HuffmanCode, _ distances: HuffmanCode, to output: inout BitOutput
    ) {
        switch element {
        case .literal(let byte): literals.write(Int(byte), to: &output)
        case .repetition(let length, let distance):
            let place = index(of: length, in: HuffmanTable.lengthBases)
            literals.write(257 + place, to: &output)
            output.append(length - HuffmanTable.lengthBases[place], bits: HuffmanTable.lengthBits[place])
            let back = index(of: distance, in: HuffmanTable.distanceBases)
            distances.write(back, to: &output)
            output.append(distance - HuffmanTable.distanceBases[back], bits: max(0, back / 2 - 1))
        }
    }

    /// The lengths of the codes, which are written with a code themselves.
    ///
    /// [RFC 1951, section 3.2.7]
    private static func write(_ literals: [Int], _ distances: [Int], to output: inout BitOutput) {
        let lengths = literals + distances
        var counts = Array(repeating: 0, count: 19)
        for length in lengths { counts[length] += 1 }
        let code = HuffmanCode(counts: counts, longest: 7)
        output.append(literals.count - 257, bits: 5)
        output.append(distances.count - 1, bits: 5)
        output.append(HuffmanTable.order.count - 4, bits: 4)
        for symbol in HuffmanTable.order { output.append(code.lengths[symbol], bits: 3) }
        for length in lengths { code.write(length, to: &output) }
    }

    /// The last of `bases` that is not above `value`.
    private static func index(of value: Int, in bases: [Int]) -> Int {
        var (low, high) = (0, bases.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if bases[middle] <= value { low = middle } else { high = middle }
        }
        return low
    }
}
