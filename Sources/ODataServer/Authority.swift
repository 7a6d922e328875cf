/// `localhost:8080`, `[::1]:8080`: the value of a `Host` header.
///
/// [RFC 9110, section 7.2; RFC 3986, section 3.2]
enum Authority {
    /// Whether `text` is a host, with or without a port: no user, no list, no other characters than a URL may have there.
    static func isValid(_ text: String) -> Bool {
        let host: Substring
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]"), text[..<end].dropFirst().allSatisfy(isOfAddress) else {
                return false
            }
            host = text[..<end].dropFirst()
            rest = text[text.index(after: end)...]
        } else {
            host = text.prefix { $0 != ":" }
            rest = text.dropFirst(host.count)
            guard host.utf8.allSatisfy(isOfName) else { return false }
        }
        guard !host.isEmpty else { return false }
        guard let colon = rest.first else { return true }
        let port = rest.dropFirst()
        return colon == ":" && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && (port.isEmpty || UInt16(port) != nil)
    }

    private static func isOfAddress(_ character: Character) -> Bool {
        character.isASCII && (character.isHexDigit || character == ":" || character == ".")
    }

    /// Of a registered name: no escapes and none of the delimiters, which no host of ours has.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~".utf8.contains(byte)
        }
    }
}
