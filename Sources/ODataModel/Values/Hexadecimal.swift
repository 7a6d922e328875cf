extension EdmValue {
    /// Reads pairs of hexadecimal digits; nil for anything else.
    package static func bytes(hexadecimal text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for character in text.utf8 {
            guard let digit = hexadecimalDigit(character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil ? bytes : nil
    }

    /// The value of an ASCII digit; nil for any other character.
    package static func hexadecimalDigit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - 48
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - 55
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - 87
        default: nil
        }
    }
}
