extension ByteCursor {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// The high bit of each byte that ends a run of plain ASCII: a quote, a backslash, a control character, or one
    /// beyond ASCII. Exact up to the lowest one that is set.
    @inline(__always)
    private static func special(_ word: UInt64) -> UInt64 {
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let found = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | (word &- (ones &* 0x20)) | word
        return found & highs
    }

    /// Takes the rest of a string whose opening quote has been taken.
    @inline(__always)
    mutating func string() throws(JSONFault) -> StringSpan {
        let start = position
        var hasEscapes = false
        while true {
            while position &+ 8 <= bytes.count {
                let found = Self.special(word(at: position))
                guard found == 0 else {
                    position &+= found.trailingZeroBitCount / 8
                    break
                }
                position &+= 8
            }
            let byte = try current()
            if byte == UInt8(ascii: "\"") {
                position &+= 1
                return StringSpan(start: start, end: position &- 1, hasEscapes: hasEscapes)
            }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                position &+= 1
                _ = try current()
                position &+= 1
            } else if byte >= 0x80 {
                try multibyte(byte)
            } else if byte < 0x20 {
                throw JSONFault(reason: .controlCharacter, offset: position)
            } else {
                position &+= 1
            }
        }
    }

    /// Takes one character of 2–4 bytes: [RFC 3629, section 4].
    private mutating func multibyte(_ first: UInt8) throws(JSONFault) {
        let start = position
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF:
            length = 3
            if first == 0xE0 { second = 0xA0...0xBF }
            if first == 0xED { second = 0x80...0x9F }
        case 0xF0...0xF4:
            length = 4
            if first == 0xF0 { second = 0x90...0xBF }
            if first == 0xF4 { second = 0x80...0x8F }
        default: throw JSONFault(reason: .utf8, offset: start)
        }
        position += 1
        guard second.contains(try current()) else { throw JSONFault(reason: .utf8, offset: start) }
        position += 1
        while position < start + length {
            guard (0x80...0xBF).contains(try current()) else { throw JSONFault(reason: .utf8, offset: start) }
            position += 1
        }
    }

    /// Appends the content of `span` with its escapes resolved.
    func appendUnescaped(_ span: StringSpan, to text: inout [UInt8]) throws(JSONFault) {
        var position = span.start
        while position < span.end {
            let byte = bytes[position]
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                position += 1
                continue
            }
            try appendEscape(at: &position, end: span.end, to: &text)
        }
    }

    private func appendEscape(at position: inout Int, end: Int, to text: inout [UInt8]) throws(JSONFault) {
        let start = position
        guard position + 1 < end else { throw JSONFault(reason: .escape, offset: start) }
        let byte = bytes[position + 1]
        position += 2
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var scalar = try hexadecimal(at: &position, end: end, start: start)
            if (0xD800...0xDBFF).contains(scalar), position + 6 <= end, bytes[position] == UInt8(ascii: "\\"),
                bytes[position + 1] == UInt8(ascii: "u")
            {
                position += 2
                let low = try hexadecimal(at: &position, end: end, start: start)
                guard (0xDC00...0xDFFF).contains(low) else { throw JSONFault(reason: .escape, offset: start) }
                scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(scalar) else { throw JSONFault(reason: .escape, offset: start) }
            text.append(contentsOf: String(Character(scalar)).utf8)
        default: throw JSONFault(reason: .escape, offset: start)
        }
    }

    private func hexadecimal(at position: inout Int, end: Int, start: Int) throws(JSONFault) -> UInt32 {
        guard position + 4 <= end else { throw JSONFault(reason: .escape, offset: start) }
        var value: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Lexical.hexDigit(byte) else { throw JSONFault(reason: .escape, offset: start) }
            value = value << 4 | UInt32(digit)
        }
        position += 4
        return value
    }
}
