/// A media type with its parameters: `application/json;charset=utf-8`.
struct MediaType: Hashable, Sendable {
    /// In lower case, without parameters.
    let name: String
    let element: HeaderElement

    /// Nil for text that is none.
    init?(_ text: String?) {
        guard let text, let element = HeaderElement(text), element.value.contains("/") else { return nil }
        name = element.value.lowercased()
        self.element = element
    }

    /// Whether `text` is a media type as it is to be written: `type/subtype`, and parameters with values behind it.
    ///
    /// [RFC 9110, section 8.3.1]
    static func isWellFormed(_ text: String) -> Bool {
        guard let element = HeaderElement(text) else { return false }
        let parts = element.value.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy(isToken)
            && element.parameters.allSatisfy { isToken($0.name) && $0.value.map(isValue) == true }
    }

    private static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// A token, or what stood in quotes.
    private static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 == 0x09 || 0x20...0x7E ~= $0 || $0 >= 0x80 }
    }

    /// `application/json`, with whatever parameters.
    var isJSON: Bool { name == "application/json" }

    /// Whether text in this type is UTF-8, as it must be.
    var isUTF8: Bool {
        guard let charset = element["charset"]?.lowercased() else { return true }
        return charset == "utf-8" || charset == "us-ascii"
    }
}
