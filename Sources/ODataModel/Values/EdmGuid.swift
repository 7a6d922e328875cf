/// An `Edm.Guid`.
///
/// [OData-ABNF, `guidValue`]
public struct EdmGuid: Hashable, Sendable, CustomStringConvertible {
    /// The first 16 hexadecimal digits.
    public let high: UInt64
    /// The last 16 hexadecimal digits.
    public let low: UInt64

    /// The GUID of these 128 bits, of whatever version they are.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads 32 hexadecimal digits in groups of 8-4-4-4-12, in any case; nil for anything else.
    public init?(_ text: some StringProtocol) {
        var (high, low, digits) = (UInt64(0), UInt64(0), 0)
        for (position, byte) in text.utf8.enumerated() {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard digits < 32, let digit = Self.value(ofHexDigit: byte) else { return nil }
            if digits < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
            digits += 1
        }
        guard digits == 32 else { return nil }
        self.init(high: high, low: low)
    }

    /// A random GUID of version 4.
    public static func random(using generator: inout some RandomNumberGenerator) -> EdmGuid {
        EdmGuid(
            high: generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
            low: generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }

    /// A random GUID of version 4: for entities whose key the app makes.
    public static func random() -> EdmGuid {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// Lower-case text: `01234567-89ab-cdef-0123-456789abcdef`.
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { text in
            var position = 0
            for index in 0..<32 {
                if index == 8 || index == 12 || index == 16 || index == 20 {
                    text[position] = UInt8(ascii: "-")
                    position += 1
                }
                let digit = UInt8(truncatingIfNeeded: (index < 16 ? high : low) >> UInt64(60 - index % 16 * 4)) & 15
                text[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
                position += 1
            }
            return position
        }
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
