/// What a context URL of a payload reports.
///
/// [OData-Protocol, section 10: Context URL]
package struct PayloadContext: Sendable, Hashable {
    /// What follows the `#`: `Orders(OrderID,Note)/$delta`.
    package let fragment: String

    package init(_ url: String) {
        fragment = url.firstIndex(of: "#").map { String(url[url.index(after: $0)...]) } ?? ""
    }

    /// `#Orders/$delta`
    package var isOfChanges: Bool { fragment.hasSuffix("/$delta") }

    /// The name of the entity set or singleton, then those of the navigation properties that lead on to contained
    /// entities: `["Orders", "Items"]` for `Orders(1)/Items(LineNo)/$entity`. Empty where no set is named.
    package var path: [String] {
        let names = segments.map { $0.prefix { $0 != "(" } }.filter { !$0.isEmpty && !$0.hasPrefix("$") }
        guard let first = names.first, first != "Collection", !first.contains(".") else { return [] }
        return names.filter { !$0.contains(".") }.map(String.init)
    }

    /// The fragment at each `/` that is in no key or list of properties.
    private var segments: [Substring] {
        var segments: [Substring] = []
        var (depth, isQuoted) = (0, false)
        let text = fragment.replacing("%27", with: "'")
        var start = text.startIndex
        for index in text.indices {
            switch text[index] {
            case "'" where depth > 0: isQuoted.toggle()
            case "(" where !isQuoted: depth += 1
            case ")" where !isQuoted: depth -= 1
            case "/" where depth == 0 && !isQuoted:
                segments.append(text[start..<index])
                start = text.index(after: index)
            default: break
            }
        }
        return segments + [text[start...]]
    }
}

extension EdmModel {
    /// Whether `path`, of a context URL, leads to an entity set or singleton of the model, or to contained entities.
    package func knows(_ path: [String]) -> Bool {
        guard let name = path.first, let set = entitySet(named: name) else { return false }
        var type: EdmStructuredType? = set.type
        for name in path.dropFirst() {
            guard let navigation = type?.navigationProperty(named: name), navigation.containsTarget else {
                return false
            }
            type = target(of: navigation)
        }
        return true
    }
}
