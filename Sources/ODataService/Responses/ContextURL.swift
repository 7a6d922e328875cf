import ODataModel
import ODataQuery
import ODataStores

/// Makes the values of `@odata.context`.
///
/// [OData-Protocol, section 10]
struct ContextURL: Sendable {
    let root: ServiceRoot
    let version: ProtocolVersion
    let model: EdmModel

    init(_ call: ServiceCall) {
        root = call.root
        version = call.version
        model = call.model
    }

    /// `$metadata#Products(Name,Category())`, with `/$entity` or `/$delta` behind it
    func entities(_ query: BoundQuery, suffix: String = "") -> String {
        let source = source(query.path, isCollection: suffix != "/$entity")
        return url(source + list(query.options) + ending(query.path, suffix))
    }

    /// `$metadata#Products(1)/Name`; the type of what a function gives: `$metadata#Collection(Edm.String)`
    func property(_ path: ResourcePath) -> String {
        if path.lastCall != nil, let type = path.valueType { return url("\(type)") }
        return url(path.url)
    }

    /// `$metadata#Collection($ref)`
    var references: String { url("Collection($ref)") }

    /// `$metadata#$ref`
    var reference: String { url("$ref") }

    private func url(_ fragment: String) -> String { root.url + "$metadata#" + fragment }

    /// A singleton and an entity of no set have no `/$entity` behind them.
    private func ending(_ path: ResourcePath, _ suffix: String) -> String {
        guard suffix == "/$entity" else { return suffix }
        return path.entitySet?.kind == .entitySet || isContained(path) ? suffix : ""
    }

    /// The set's name; the path of contained entities; the type where there is neither.
    private func source(_ path: ResourcePath, isCollection: Bool) -> String {
        switch path.root {
        case .crossjoin: return "Collection(Edm.ComplexType)"
        case .all: return "Collection(\(path.entityType(in: model)?.name.description ?? "Edm.EntityType"))"
        default: break
        }
        if let set = path.entitySet { return set.name + cast(path) }
        if isContained(path) {
            return ResourcePath(root: path.root, segments: trimmed(path.resource.segments)).url
        }
        let type = path.entityType(in: model)?.name.description ?? "Edm.EntityType"
        return isCollection ? "Collection(\(type))" : type
    }

    private func isContained(_ path: ResourcePath) -> Bool {
        for case .navigation(let navigation, let set) in path.segments.reversed() {
            return set == nil && navigation.containsTarget
        }
        return false
    }

    private func trimmed(_ segments: [ResourcePath.Segment]) -> [ResourcePath.Segment] {
        if case .key = segments.last { Array(segments.dropLast()) } else { segments }
    }

    private func cast(_ path: ResourcePath) -> String {
        for segment in path.segments.reversed() {
            if case .cast(let type) = segment { return "/\(type.name)" }
            if case .navigation = segment { break }
        }
        return ""
    }

    /// `(Name,Category(Name))`. In 4.01 each expanded property has parentheses, in 4.0 where it selects itself.
    private func list(_ options: QueryOptions) -> String {
        let names = names(options)
        return names.isEmpty ? "" : "(\(names.joined(separator: ",")))"
    }

    private func names(_ options: QueryOptions) -> [String] {
        var selected = (options.select ?? []).map { item in
            switch item {
            case .all: "*"
            case .property(let path): path.map(\.name).joined(separator: "/")
            case .navigation(let navigation): navigation.name
            case .path(let steps, _): BoundQuery.text(of: steps)
            case .operation(let name): name
            }
        }
        if let type = options.apply?.type, selected.isEmpty,
            options.expand.isEmpty || model.structuredType(named: type.name) != type
        {
            selected = nested(type.properties.map { $0.name.split(separator: "/").map(String.init)[...] })
        }
        let expanded = options.expand.compactMap { item -> String? in
            guard item.form != .count else { return nil }
            let inner = item.form == .references ? "" : list(item.options)
            if version == .v401 { return item.navigation.name + (inner.isEmpty ? "()" : inner) }
            return inner.isEmpty && selected.isEmpty ? nil : item.navigation.name + inner
        }
        return selected + expanded
    }

    /// `Customer/Country`, `Customer/Name`, `Total` → `Customer(Country,Name)`, `Total`
    private func nested(_ paths: [ArraySlice<String>]) -> [String] {
        var order: [String] = []
        var inner: [String: [ArraySlice<String>]] = [:]
        for path in paths {
            guard let first = path.first else { continue }
            if inner[first] == nil { order.append(first) }
            inner[first, default: []].append(path.dropFirst())
        }
        return order.map { name in
            let rest = (inner[name] ?? []).filter { !$0.isEmpty }
            return rest.isEmpty ? name : "\(name)(\(nested(rest).joined(separator: ",")))"
        }
    }
}
