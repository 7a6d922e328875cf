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
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        var bits = 0
        var pending = 0
        var padding = 0
        for character in text.utf8 {
            if character == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let digit = digit(character) else { return nil }
            bits = (bits << 6 | digit) & 0xFFFF
            pending += 6
            if pending >= 8 {
                pending -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> pending))
            }
        }
        return padding <= 2 && pending != 6 ? bytes : nil
    }

    private static func digit(_ character: UInt8) -> Int? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character) + 4
        case UInt8(ascii: "-"), UInt8(ascii: "+"): 62
        case UInt8(ascii: "_"), UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
