/// The value of an If-Match or If-None-Match header: `*`, or `"a", W/"b"`.
///
/// [RFC 9110, section 8.8.3]
package struct EntityTagList {
    package let isAny: Bool
    /// The tags without `W/`.
    private let opaque: [String]

    package init(_ header: String) {
        let words = header.split { $0 == " " || $0 == "\t" }
        isAny = words == ["*"]
        var tags: [String] = []
        var rest = Substring(header)
        while let start = rest.firstIndex(of: "\"") {
            let inner = rest[rest.index(after: start)...]
            guard let end = inner.firstIndex(of: "\"") else { break }
            tags.append("\"\(inner[..<end])\"")
            rest = inner[inner.index(after: end)...]
        }
        opaque = tags.isEmpty ? [Self.opaque(words.joined(separator: " "))] : tags
    }

    /// Whether one of the ETags of a resource is listed, by weak comparison; `*` stands for any.
    package func matches(_ etags: [String]) -> Bool {
        isAny ? !etags.isEmpty : etags.contains { opaque.contains(Self.opaque($0)) }
    }

    /// `W/"a"` → `"a"`
    package static func opaque(_ tag: String) -> String { tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag }
}
