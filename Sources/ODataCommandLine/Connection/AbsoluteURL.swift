import OData

/// An absolute HTTP URL as a person types it: characters that a URL cannot have are encoded.
struct AbsoluteURL {
    var scheme: String
    var authority: String
    /// With the query.
    var path: String

    /// Of whom something is waited for: the authority without a user.
    var host: String { authority.split(separator: "@").last.map(String.init) ?? authority }

    init(typed text: String) throws {
        guard let separator = text.range(of: "://"), ["http", "https"].contains(text[..<separator.lowerBound]) else {
            throw Failure("'\(text)' is no absolute URL: it must begin with http:// or https://.")
        }
        scheme = String(text[..<separator.lowerBound])
        let rest = text[separator.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        authority = String(rest[..<end])
        guard !authority.isEmpty else { throw Failure("'\(text)' names no host.") }
        guard ODataTransport.AbsoluteURL("\(scheme)://\(authority)/") != nil else {
            throw Failure("'\(text)' names no host that can be asked, or a port outside 1 to 65535.")
        }
        let path = rest[end...]
        self.path = Self.encoded(path.hasPrefix("/") ? String(path) : "/" + path)
    }

    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            if byte > 0x20, byte < 0x7F, !"\"<>\\^`{|}#".utf8.contains(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let hex = String(byte, radix: 16, uppercase: true)
                result += byte < 16 ? "%0\(hex)" : "%\(hex)"
            }
        }
        return result
    }
}
