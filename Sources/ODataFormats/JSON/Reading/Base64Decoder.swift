/// Decodes base64url and plain base64, with or without padding: [RFC 4648].
enum Base64Decoder {
    private static let digits: [UInt8] = {
        var digits = [UInt8](repeating: 0xFF, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for (value, byte) in alphabet.utf8.enumerated() { digits[Int(byte)] = UInt8(value) }
        digits[Int(UInt8(ascii: "+"))] = 62
        digits[Int(UInt8(ascii: "/"))] = 63
        return digits
    }()

    /// False, with `bytes` as they were or longer, if `text` is not base64.
    static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) -> Bool {
        var count = text.count
        while count > 0, text.count - count < 2, text[count - 1] == UInt8(ascii: "=") { count -= 1 }
        bytes.reserveCapacity(bytes.count + count * 3 / 4)
        return digits.withUnsafeBufferPointer { digits in
            var bits: UInt32 = 0
            var pending = 0
            for byte in text[..<count] {
                let digit = digits[Int(byte)]
                guard digit < 64 else { return false }
                bits = bits << 6 | UInt32(digit)
                pending += 6
                if pending >= 8 {
                    pending -= 8
                    bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(pending)))
                }
            }
            return pending != 6
        }
    }
}
