import ODataStores

/// The conditions of a request.
///
/// [RFC 9110, section 13.1]
struct Precondition {
    let ifMatch: String?
    let ifNoneMatch: String?

    init(_ request: ChangeRequest) {
        ifMatch = request.ifMatch
        ifNoneMatch = request.ifNoneMatch
    }

    init(ifMatch: String?, ifNoneMatch: String?) {
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
    }

    /// - Parameter etags: The ETags that the resource answers to; empty if it does not exist.
    /// - Throws: ``ODataError`` `preconditionFailed`.
    func check(_ etags: [String]) throws {
        if let ifMatch, !Self.matches(ifMatch, etags) {
            throw ODataError(.preconditionFailed, "The entity has changed: its ETag is not \(ifMatch).")
        }
        if let ifNoneMatch, Self.matches(ifNoneMatch, etags) {
            throw ODataError(.preconditionFailed, "The entity exists, and If-None-Match is \(ifNoneMatch).")
        }
    }

    /// Compares as If-None-Match does, weakly: the ETags of entities are weak ones.
    static func matches(_ header: String, _ etags: [String]) -> Bool {
        let listed = EntityTagList(header)
        return listed.isAny ? !etags.isEmpty : etags.contains { listed.opaque.contains(EntityTagList.opaque($0)) }
    }
}

/// The value of an If-Match header: `*`, or `"a", W/"b"`.
struct EntityTagList {
    let isAny: Bool
    /// The tags without `W/`.
    let opaque: [String]

    init(_ header: String) {
        isAny = header.withoutOuterSpace == "*"
        var tags: [String] = []
        var rest = Substring(header)
        while let start = rest.firstIndex(of: "\"") {
            let inner = rest[rest.index(after: start)...]
            guard let end = inner.firstIndex(of: "\"") else { break }
            tags.append("\"\(inner[..<end])\"")
            rest = inner[inner.index(after: end)...]
        }
        opaque = tags.isEmpty ? [Self.opaque(header.withoutOuterSpace)] : tags
    }

    /// `W/"a"` → `"a"`
    static func opaque(_ tag: String) -> String { tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag }
}
