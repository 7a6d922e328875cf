import ODataTransport

/// A media type with its parameters: `application/json;charset=utf-8`.
struct MediaType: Hashable, Sendable {
    /// In lower case, without parameters.
    let name: String
    let element: HeaderElement

    /// Nil for other text.
    init?(_ text: String?) {
        guard let text, let element = HeaderElement(text), element.value.contains("/") else { return nil }
        name = element.value.lowercased()
        self.element = element
    }

    /// `application/json`, with whatever parameters.
    var isJSON: Bool { name == "application/json" }

    /// Whether text in this type is UTF-8, as it must be.
    var isUTF8: Bool {
        guard let charset = element["charset"]?.lowercased() else { return true }
        return charset == "utf-8" || charset == "us-ascii"
    }
}
