/// An escape in a string of JSON: `\n`, `\u00e9`, `\ud83d\ude00`.
///
/// [RFC 8259, section 7]
package struct JSONEscape {
    /// What is wrong, and how many bytes behind the reverse solidus.
    package struct Fault: Error {
        package enum Reason {
            /// There is no such escape, or none at all.
            case escape
            /// There is no hexadecimal digit.
            case digit
            /// A surrogate is not one of a pair.
            case surrogate
        }

        package var reason: Reason
        package var offset: Int
    }

    package private(set) var scalar: Unicode.Scalar
    /// In bytes, with the reverse solidus.
    package private(set) var length = 2

    /// - Parameter byte: The byte so far behind the reverse solidus; nil behind the last one.
    package init(_ byte: (Int) -> UInt8?) throws(Fault) {
        guard let kind = byte(1) else { throw Fault(reason: .escape, offset: 1) }
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scalar = Unicode.Scalar(kind)
        case UInt8(ascii: "b"): scalar = "\u{08}"
        case UInt8(ascii: "f"): scalar = "\u{0C}"
        case UInt8(ascii: "n"): scalar = "\n"
        case UInt8(ascii: "r"): scalar = "\r"
        case UInt8(ascii: "t"): scalar = "\t"
        case UInt8(ascii: "u"): (scalar, length) = try Self.unicode(byte)
        default: throw Fault(reason: .escape, offset: 1)
        }
    }

    private static func unicode(_ byte: (Int) -> UInt8?) throws(Fault) -> (Unicode.Scalar, Int) {
        let high = try digits(at: 2, byte)
        if let scalar = Unicode.Scalar(high) { return (scalar, 6) }
        guard (0xD800...0xDBFF).contains(high), byte(6) == UInt8(ascii: "\\"), byte(7) == UInt8(ascii: "u") else {
            throw Fault(reason: .surrogate, offset: 2)
        }
        let low = try digits(at: 8, byte)
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        else { throw Fault(reason: .surrogate, offset: 2) }
        return (scalar, 12)
    }

    private static func digits(at start: Int, _ byte: (Int) -> UInt8?) throws(Fault) -> UInt32 {
        var value: UInt32 = 0
        for offset in start..<start + 4 {
            guard let digit = byte(offset).flatMap(EdmValue.hexadecimalDigit) else {
                throw Fault(reason: .digit, offset: offset)
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    package func append(to text: inout [UInt8]) {
        if scalar.isASCII { text.append(UInt8(scalar.value)) } else { text += String(scalar).utf8 }
    }
}
