/// A 64-bit hash that is the same in every process and on every platform (after FNV-1a). Not cryptographic.
struct StableHash {
    private var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    mutating func add(word: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { add(byte: UInt8(truncatingIfNeeded: word >> shift)) }
    }

    /// The bytes, eight at a time, and their number.
    mutating func add(bytes: UnsafeRawBufferPointer) {
        let whole = bytes.count & ~7
        var hash = value
        for offset in stride(from: 0, to: whole, by: 8) {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 32
        }
        value = hash
        for byte in bytes[whole...] { add(byte: byte) }
        add(word: UInt64(bytes.count))
    }

    mutating func add(text: some StringProtocol) {
        let bytes = Array(text.utf8)
        bytes.withUnsafeBytes { add(bytes: $0) }
    }

    /// 16 hexadecimal digits.
    var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
