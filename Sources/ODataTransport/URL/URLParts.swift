/// A URL reference split at its delimiters.
///
/// [RFC 3986, section 4.1 and appendix B]
struct URLParts {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?

    /// Nil if `text` has control characters, which would end a request line early.
    init?(_ text: String) {
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        var rest = Self.encoded(text)[...]
        rest = rest.prefix { $0 != "#" }
        if let colon = rest.firstIndex(where: { ":/?".contains($0) }), rest[colon] == ":",
            Self.isScheme(rest[..<colon])
        {
            scheme = String(rest[..<colon])
            rest = rest[rest.index(after: colon)...]
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        if let mark = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        path = String(rest)
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    }

    static func isAuthority(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "-._~!$&'()*+,;=:[]".utf8.contains(byte)
    }

    /// Whether what follows the host is nothing, `:`, or a port from 1 to 65535.
    ///
    /// [RFC 3986, section 3.2.3]
    static func hasUsablePort(_ authority: String) -> Bool {
        let isLiteral = authority.hasPrefix("[")
        let rest = isLiteral ? authority.drop { $0 != "]" }.dropFirst() : authority.drop { $0 != ":" }
        let digits = rest.dropFirst()
        guard rest.first == ":", !digits.isEmpty else { return rest.isEmpty || rest == ":" }
        return digits.utf8.allSatisfy(isDigit) && UInt16(digits).map { $0 > 0 } ?? false
    }

    /// `text` with the characters percent-encoded that must not stand in a URL: space, quotes, non-ASCII, `%` that no two
    /// hexadecimal digits follow, ... One of them makes Foundation encode the whole URL once more.
    private static func encoded(_ text: String) -> String {
        guard text.utf8.contains(where: { mustBeEncoded($0) || $0 == percent }) else { return text }
        let digits = Array("0123456789ABCDEF".utf8)
        let given = Array(text.utf8)
        var bytes: [UInt8] = []
        for (index, byte) in given.enumerated() {
            guard mustBeEncoded(byte) || byte == percent && !isEscape(given[(index + 1)...]) else {
                bytes.append(byte)
                continue
            }
            bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let percent: UInt8 = 0x25

    /// Whether what is behind `%` are two hexadecimal digits.
    ///
    /// [RFC 3986, section 2.1]
    private static func isEscape(_ rest: ArraySlice<UInt8>) -> Bool {
        let digits = rest.prefix(2)
        return digits.count == 2
            && digits.allSatisfy { isDigit($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0) }
    }

    private static func mustBeEncoded(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte >= 0x7F || #""<>\^`{|}"#.utf8.contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Removes `.` and `..` segments: `/a/../b` is `/b`.
    ///
    /// [RFC 3986, section 5.2.4]
    static func withoutDots(_ path: String) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var kept: [Substring] = []
        for segment in segments where segment != "." {
            if segment == ".." {
                _ = kept.popLast()
            } else {
                kept.append(segment)
            }
        }
        let endsInFolder = segments.last == "." || segments.last == ".."
        return "/" + kept.joined(separator: "/") + (endsInFolder && !kept.isEmpty ? "/" : "")
    }
}
