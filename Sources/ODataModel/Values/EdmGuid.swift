/// An `Edm.Guid`.
///
/// [OData-ABNF, `guidValue`]
public struct EdmGuid: Hashable, Sendable, CustomStringConvertible {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads 32 hexadecimal digits in groups of 8-4-4-4-12, in any case; nil for anything else.
    public init?(_ text: some StringProtocol) {
        var values: [UInt64] = [0, 0]
        var digits = 0
        for (position, byte) in text.utf8.enumerated() {
            if [8, 13, 18, 23].contains(position) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard digits < 32, let digit = Self.value(ofHexDigit: byte) else { return nil }
            values[digits / 16] = values[digits / 16] << 4 | UInt64(digit)
            digits += 1
        }
        guard digits == 32 else { return nil }
        self.init(high: values[0], low: values[1])
    }

    /// A random GUID of version 4.
    public static func random(using generator: inout some RandomNumberGenerator) -> EdmGuid {
        EdmGuid(
            high: generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
            low: generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }

    /// Lower-case text: `01234567-89ab-cdef-0123-456789abcdef`.
    public var description: String {
        let text = Self.hex(high) + Self.hex(low)
        let cuts = [0, 8, 12, 16, 20, 32]
        return zip(cuts, cuts.dropFirst()).map { text.dropFirst($0).prefix($1 - $0) }.joined(separator: "-")
    }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func value(ofHexDigit byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
