import ODataModel

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
        guard let escape = try? JSONEscape({ start + $0 < end ? bytes[start + $0] : nil }) else {
            throw JSONFault(reason: .escape, offset: start)
        }
        escape.append(to: &text)
        position += escape.length
    }
}
