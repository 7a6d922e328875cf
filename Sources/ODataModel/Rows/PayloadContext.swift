/// What a context URL of a payload tells.
///
/// [OData-Protocol, section 10: Context URL]
package struct PayloadContext: Sendable, Hashable {
    /// What follows the `#`: `Orders(OrderID,Note)/$delta`.
    package let fragment: String

    package init(_ url: String) {
        fragment = url.firstIndex(of: "#").map { String(url[url.index(after: $0)...]) } ?? ""
    }

    /// The name that the fragment begins with: of an entity set or singleton, or of a type. Nil if there is none.
    package var set: String? {
        let name = fragment.prefix { $0 != "(" && $0 != "/" }
        return name.isEmpty || name.hasPrefix("Collection") ? nil : String(name)
    }
}
