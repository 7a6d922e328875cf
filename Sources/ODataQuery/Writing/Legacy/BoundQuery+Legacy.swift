import ODataModel

extension BoundQuery {
    /// The URL that asks a V2 service for the same, relative to the service root, percent-encoded:
    /// `Products?$filter=substringof('a',Name)&$inlinecount=allpages`
    ///
    /// - Throws: ``QueryError`` (`notImplemented`) naming what V2 cannot say.
    public func legacyURL() throws(QueryError) -> String {
        var items = try options.legacyItems()
        for (name, value) in path.legacyArguments { items.append((name, value)) }
        let url = try path.legacyURL()
        guard !items.isEmpty else { return url }
        let texts = items.map { item in
            percentEncoded(item.name, allowing: Self.unencoded.subtracting("=".utf8)) + "="
                + percentEncoded(item.value, allowing: Self.unencoded)
        }
        return url + "?" + texts.joined(separator: "&")
    }
}

extension ResourcePath {
    /// The path as V2 writes it: `Products(1L)/$links/Category`
    ///
    /// The parameters of a function import go into the query: see ``BoundQuery/legacyURL()``.
    /// - Throws: ``QueryError`` (`notImplemented`) naming what V2 cannot say.
    public func legacyURL() throws(QueryError) -> String {
        var parts = [try legacyRoot]
        for segment in segments {
            switch segment {
            case .key(let key): parts[parts.count - 1] += key.legacyText(of: keyType(before: parts.count))
            case .navigation(let navigation, _): parts.append(percentEncoded(navigation.name))
            case .property(let property): parts.append(percentEncoded(property.name))
            case .count: parts.append("$count")
            case .value: parts.append("$value")
            case .ref: try insertLinks(into: &parts)
            case .cast(let type): throw .legacy("The type segment \(type.name)")
            case .operation(let call): throw .legacy("The bound operation \(call.operation.name)")
            case .filter: throw .legacy("The path segment $filter")
            case .each: throw .legacy("The path segment $each")
            case .index: throw .legacy("A position in a path")
            }
        }
        return parts.joined(separator: "/")
    }

    private var legacyRoot: String {
        get throws(QueryError) {
            switch root {
            case .entitySet(let set): return percentEncoded(set.name)
            case .contentID(let id, _): return "$" + percentEncoded(id)
            case .operation(let call):
                guard let name = call.importName else { throw .legacy("The bound operation \(call.operation.name)") }
                return percentEncoded(name)
            case .crossjoin: throw .legacy("$crossjoin")
            case .all: throw .legacy("$all")
            }
        }
    }

    /// The type whose key is in part `count` of the path.
    private func keyType(before count: Int) -> EdmStructuredType? {
        let navigations = segments.compactMap { segment in
            if case .navigation(_, let set) = segment { set } else { nil as EdmEntitySet? }
        }
        return count > 1 ? navigations.dropFirst(count - 2).first?.type : rootSet?.type
    }

    /// `Products(1)/Category` → `Products(1)/$links/Category`
    private func insertLinks(into parts: inout [String]) throws(QueryError) {
        guard parts.count > 1 else { throw .legacy("References to the members of a set") }
        parts.insert("$links", at: parts.count - 1)
    }

    /// `count=3` of `TopProducts(count=3)`
    fileprivate var legacyArguments: [(String, String)] {
        guard case .operation(let call) = root else { return [] }
        return call.arguments.compactMap { argument in
            guard case .literal(let value, let type) = argument.value, !value.isNull else { return nil }
            let original = call.operation.parameters.first { $0.name == argument.name }?.legacyType
            return (argument.name, value.legacyLiteral(type, original: original))
        }
    }
}

extension QueryError {
    static func legacy(_ what: String) -> QueryError {
        QueryError(.notImplemented, "\(what) cannot be said in OData V2.")
    }
}
