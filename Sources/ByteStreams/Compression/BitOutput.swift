/// Bytes that are written bit by bit, the lowest bit first.
///
/// [RFC 1951, section 3.1.1]
struct BitOutput {
    private(set) var bytes: [UInt8] = []
    private var held: UInt64 = 0
    private var count = 0

    /// - Parameter bits: At most 32.
    mutating func append(_ value: Int, bits: Int) {
        held |= UInt64(value) << UInt64(count)
        count += bits
        while count >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: held))
            held >>= 8
            count -= 8
        }
    }

    /// Fills the last byte with zeros.
    mutating func finish() {
        if count > 0 { append(0, bits: 8 - count) }
    }
}
