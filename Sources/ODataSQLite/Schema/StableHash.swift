/// A 64-bit hash that is the same in every process and on every platform (FNV-1a). Not a protection against intent.
struct StableHash {
    private var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    mutating func add(word: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { add(byte: UInt8(truncatingIfNeeded: word >> shift)) }
    }

    /// The bytes and their number.
    mutating func add(bytes: some Collection<UInt8>) {
        for byte in bytes { add(byte: byte) }
        add(word: UInt64(bytes.count))
    }

    mutating func add(text: some StringProtocol) { add(bytes: text.utf8) }

    /// 16 hexadecimal digits.
    var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
