/// Decodes what was compressed with DEFLATE, piece by piece: gzip, of several members too, zlib, and the bare format.
///
/// [RFC 1950, RFC 1951, RFC 1952]
package struct Inflater: Sendable {
    /// What the compressed bytes are wrapped in.
    package enum Wrapping: Sendable {
        case gzip
        /// zlib, or nothing: what HTTP calls `deflate` is sent as either. [RFC 9110, section 8.4.1.2]
        case deflate
    }

    private enum Stage: Sendable {
        case header, block
        case stored(Int)
        case codes(HuffmanTable, HuffmanTable)
        case trailer, end, padding
    }

    private let wrapping: Wrapping
    private var stage = Stage.header
    private var input = BitInput()
    private var output = InflatedWindow()
    private var isLastBlock = false
    private var isBare = false

    package init(_ wrapping: Wrapping) { self.wrapping = wrapping }

    /// Adds compressed bytes; before more are added, ``next()`` has to have said that it needs them.
    package mutating func add(_ bytes: [UInt8]) {
        if case .padding = stage { return }
        input.add(bytes)
    }

    /// The next decoded bytes, some 64 KiB at most; nil where more compressed ones are needed first.
    ///
    /// - Throws: ``InflateError``
    package mutating func next() throws -> [UInt8]? {
        while output.hasRoom, try step() {}
        return output.take()
    }

    /// There are no more compressed bytes: they end where they should, or there were none at all.
    ///
    /// - Throws: ``InflateError``
    package func finish() throws {
        switch stage {
        case .end, .padding: return
        case .header where input.isUntouched: return
        default: throw InflateError("The compressed bytes break off.")
        }
    }

    /// - Returns: False where more bytes are needed.
    private mutating func step() throws -> Bool {
        switch stage {
        case .header: return try readHeader()
        case .block: return try beginBlock()
        case .stored(let count): return copyStored(count)
        case .codes(let literals, let distances): return try decode(literals, distances)
        case .trailer: return try readTrailer()
        case .end: return beginMember()
        case .padding: return false
        }
    }

    private mutating func readHeader() throws -> Bool {
        let start = input
        switch wrapping {
        case .gzip:
            guard try input.skipGzipHeader() else {
                input = start
                return false
            }
        case .deflate:
            guard let first = input.bits(8), let second = input.bits(8) else {
                input = start
                return false
            }
            isBare = first & 15 != 8 || (first << 8 | second) % 31 != 0
            if isBare {
                input = start
            } else if second & 32 != 0 {
                throw InflateError("A preset dictionary is needed.")
            }
        }
        output.beginMember(wrapping == .gzip ? .crc32 : .adler32)
        stage = .block
        return true
    }

    private mutating func beginBlock() throws -> Bool {
        let start = input
        guard let last = input.bits(1), let kind = input.bits(2), let next = try stage(ofKind: kind) else {
            input = start
            return false
        }
        isLastBlock = last == 1
        stage = next
        return true
    }

    private mutating func stage(ofKind kind: Int) throws -> Stage? {
        switch kind {
        case 0:
            input.align()
            guard let count = input.bits(16), let complement = input.bits(16) else { return nil }
            guard count ^ complement == 0xFFFF else { throw InflateError("A stored block has no valid length.") }
            return .stored(count)
        case 1:
            let (literals, distances) = try HuffmanTable.fixed.get()
            return .codes(literals, distances)
        case 2:
            guard let (literals, distances) = try HuffmanTable.read(from: &input) else { return nil }
            return .codes(literals, distances)
        default: throw InflateError("A block is of an unknown kind.")
        }
    }

    private mutating func copyStored(_ count: Int) -> Bool {
        guard count > 0 else {
            endBlock()
            return true
        }
        guard let byte = input.bits(8) else { return false }
        output.append(UInt8(byte))
        var rest = count - 1
        while rest > 0, output.hasRoom, let byte = input.bits(8) {
            output.append(UInt8(byte))
            rest -= 1
        }
        stage = .stored(rest)
        return true
    }

    private mutating func decode(_ literals: HuffmanTable, _ distances: HuffmanTable) throws -> Bool {
        while output.hasRoom {
            input.fill()
            var bits = input.held
            guard let symbol = try literals.symbol(&bits) else { return false }
            if symbol < 256 {
                output.append(UInt8(symbol))
                input.held = bits
                continue
            }
            guard symbol > 256 else {
                input.held = bits
                endBlock()
                return true
            }
            guard let length = try HuffmanTable.length(symbol, &bits), let code = try distances.symbol(&bits),
                let distance = try HuffmanTable.distance(code, &bits)
            else { return false }
            try output.repeatBytes(length, from: distance)
            input.held = bits
        }
        return true
    }

    private mutating func endBlock() { stage = isLastBlock ? .trailer : .block }

    private mutating func readTrailer() throws -> Bool {
        guard !isBare else {
            stage = .end
            return true
        }
        let start = input
        input.align()
        var bytes: [UInt32] = []
        for _ in 0..<(wrapping == .gzip ? 8 : 4) {
            guard let byte = input.bits(8) else {
                input = start
                return false
            }
            bytes.append(UInt32(byte))
        }
        let sum = bytes[..<4].enumerated().reduce(UInt32(0)) { sum, byte in
            sum | byte.element << UInt32(8 * (wrapping == .gzip ? byte.offset : 3 - byte.offset))
        }
        guard sum == output.checksum() else { throw InflateError("The decoded bytes have another checksum.") }
        stage = .end
        return true
    }

    /// Another member of gzip; other bytes behind the last one are padding.
    private mutating func beginMember() -> Bool {
        let start = input
        guard let first = input.bits(8) else { return false }
        if wrapping == .gzip, first == 0x1F {
            guard let second = input.bits(8) else {
                input = start
                return false
            }
            if second == 0x8B {
                input = start
                stage = .header
                return true
            }
        }
        stage = .padding
        return false
    }
}

/// Why compressed bytes cannot be decoded.
package struct InflateError: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}
