/// Recognises text that is already in the form that columns store, without creating strings.
enum LexicalForm {
    typealias Bytes = UnsafeBufferPointer<UInt8>
    typealias Guid = (UInt64, UInt64)

    /// `-12.5`, `0`: no exponent, no plus, no zeros that could go.
    static func isCanonicalDecimal(_ text: Bytes) -> Bool {
        var position = text.first == UInt8(ascii: "-") ? 1 : 0
        let start = position
        while position < text.count, isDigit(text[position]) { position += 1 }
        let whole = position - start
        guard whole > 0, whole == 1 || text[start] != UInt8(ascii: "0") else { return false }
        guard position < text.count else { return start == 0 || text[start] != UInt8(ascii: "0") }
        guard text[position] == UInt8(ascii: "."), position + 1 < text.count else { return false }
        position += 1
        while position < text.count, isDigit(text[position]) { position += 1 }
        return position == text.count && text[position - 1] != UInt8(ascii: "0")
    }

    /// `2024-01-02T03:04:05.6Z`: four digits of year, seconds, `Z`, no zeros that could go.
    static func isCanonicalInstant(_ text: Bytes) -> Bool {
        guard text.count >= 20, text[text.count - 1] == UInt8(ascii: "Z"), text[10] == UInt8(ascii: "T") else {
            return false
        }
        for position in 0..<10 {
            let isDash = position == 4 || position == 7
            guard isDash ? text[position] == UInt8(ascii: "-") : isDigit(text[position]) else { return false }
        }
        return isCanonicalTime(Bytes(rebasing: text[11..<(text.count - 1)]))
    }

    /// `07:59:59.5`
    static func isCanonicalTime(_ text: Bytes) -> Bool {
        guard text.count >= 8 else { return false }
        for position in 0..<8 {
            let isColon = position == 2 || position == 5
            guard isColon ? text[position] == UInt8(ascii: ":") : isDigit(text[position]) else { return false }
        }
        guard text.count > 8 else { return true }
        guard text.count > 9, text[8] == UInt8(ascii: "."), text[text.count - 1] != UInt8(ascii: "0") else {
            return false
        }
        return text[9...].allSatisfy(isDigit)
    }

    /// The 16 bytes of `01234567-89ab-cdef-0123-456789abcdef`, most significant first; false for other text.
    static func guid(_ text: Bytes, into guid: inout Guid) -> Bool {
        guard text.count == 36 else { return false }
        var digits = 0
        return withUnsafeMutableBytes(of: &guid) { bytes in
            for position in 0..<36 {
                if position == 8 || position == 13 || position == 18 || position == 23 {
                    guard text[position] == UInt8(ascii: "-") else { return false }
                    continue
                }
                guard let digit = hexDigit(text[position]) else { return false }
                bytes[digits / 2] = digits % 2 == 0 ? digit << 4 : bytes[digits / 2] | digit
                digits += 1
            }
            return true
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
