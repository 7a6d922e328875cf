import OData

extension AbsoluteURL {
    /// An absolute HTTP URL as a person types it: a `#` begins no fragment, and a control character is one of the text.
    init(typed text: String) throws {
        guard ["http://", "https://"].contains(where: text.lowercased().hasPrefix) else {
            throw Failure("'\(text)' is not an absolute URL: it must begin with http:// or https://.")
        }
        guard let url = AbsoluteURL(Self.escapingDelimiters(text)) else {
            throw Failure("'\(text)' has no valid host, or a port outside 1 to 65535.")
        }
        guard url.userInformation == nil else {
            throw Failure("'\(url)' has a name or password before its host: give them to --user.")
        }
        self = url
    }

    private static func escapingDelimiters(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            guard scalar == "#" || scalar.value < 0x20 || scalar.value == 0x7F else {
                result.unicodeScalars.append(scalar)
                return
            }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            result += digits.count < 2 ? "%0\(digits)" : "%\(digits)"
        }
    }
}
