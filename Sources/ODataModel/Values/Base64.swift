extension EdmValue {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The base64url form of RFC 4648, in URLs without padding. Payloads have it with padding: not all clients read
    /// `Edm.Binary` without.
    package static func base64URL(_ bytes: some Collection<UInt8>, isPadded: Bool = false) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 4 / 3 + 3)
        var bits = 0
        var pending = 0
        for byte in bytes {
            bits = bits << 8 | Int(byte)
            pending += 8
            while pending >= 6 {
                pending -= 6
                text.append(alphabet[bits >> pending & 63])
            }
            bits &= 0xFF
        }
        if pending > 0 { text.append(alphabet[bits << (6 - pending) & 63]) }
        while isPadded, !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads base64url and plain base64, with or without padding; nil for anything else.
    package static func bytes(base64 text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        return Array(text.utf8).withUnsafeBufferPointer { append(base64: $0, to: &bytes) } ? bytes : nil
    }

    /// The same; false, with `bytes` as they were or longer, if `text` is anything else.
    package static func append(base64 text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) -> Bool {
        var count = text.count
        while count > 0, text.count - count < 2, text[count - 1] == UInt8(ascii: "=") { count -= 1 }
        bytes.reserveCapacity(bytes.count + count * 3 / 4)
        return base64Digits.withUnsafeBufferPointer { digits in
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

    private static let base64Digits: [UInt8] = {
        var digits = [UInt8](repeating: 0xFF, count: 256)
        for (value, byte) in alphabet.enumerated() { digits[Int(byte)] = UInt8(value) }
        digits[Int(UInt8(ascii: "+"))] = 62
        digits[Int(UInt8(ascii: "/"))] = 63
        return digits
    }()
}
