import ODataModel

extension QueryOptions {
    /// The options as they stand in a URL, not percent-encoded: `("$top", "5")`
    public var queryItems: [(name: String, value: String)] { queryItems(isNested: false) }

    private func queryItems(isNested: Bool) -> [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        func appendOption(_ name: String, _ value: String?) { if let value { items.append((name, value)) } }
        func appendOption<Part>(_ name: String, _ parts: [Part], _ text: (Part) -> String) {
            if !parts.isEmpty { items.append((name, parts.map(text).joined(separator: ","))) }
        }
        appendOption("$apply", apply?.text)
        appendOption("$compute", compute) { $0.text(isNested: isNested) }
        appendOption("$search", search?.text)
        appendOption("$filter", filter?.text(isNested: isNested))
        appendOption("$select", select ?? [], \.text)
        appendOption("$expand", expand.map(\.text) + streams.map(\.text), \.self)
        appendOption("$orderby", orderBy) { $0.text(isNested: isNested) }
        appendOption("$top", top.map { "\($0)" })
        appendOption("$skip", skip.map { "\($0)" })
        appendOption("$count", count ? "true" : nil)
        appendOption("$skiptoken", skipToken)
        appendOption("$deltatoken", deltaToken)
        appendOption("$index", index.map { "\($0)" })
        appendOption("$schemaversion", schemaVersion)
        appendOption("$format", format)
        appendOption("$id", id)
        for option in custom { items.append((option.name, option.value)) }
        return items
    }

    /// The options as they stand in parentheses: `$filter=Quantity gt 5;$select=Name`
    func text(levels: ExpandItem.Levels? = nil) -> String {
        var items = queryItems(isNested: true)
        switch levels {
        case .max: items.append(("$levels", "max"))
        case .number(let number): items.append(("$levels", "\(number)"))
        case nil: break
        }
        return items.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
    }
}

extension SelectItem {
    /// `Address/City`
    var text: String {
        switch self {
        case .all: "*"
        case .property(let path): path.map(\.name).joined(separator: "/")
        case .navigation(let navigation): navigation.name
        case .path(let steps, let options):
            BoundQuery.text(of: steps) + (options.map { "(\($0.text()))" } ?? "")
        case .operation(let name): name
        }
    }
}

extension ExpandItem {
    /// `Items($filter=Quantity gt 5;$select=Name)`
    var text: String {
        var path = prefix.map { $0.text + "/" }.joined() + navigation.name
        if navigation.target != targetType.name { path += "/\(targetType.name)" }
        switch form {
        case .entities: break
        case .references: path += "/$ref"
        case .count: path += "/$count"
        }
        let items = options.text(levels: levels)
        return items.isEmpty ? path : path + "(\(items))"
    }
}

extension ExpandedStream {
    /// `$value`, `Photo`: behind the id of the entity, the path of the stream.
    package var text: String {
        switch self {
        case .media: "$value"
        case .property(let casts, let property): (casts.map { "\($0.name)" } + [property.name]).joined(separator: "/")
        }
    }
}

extension OrderItem {
    /// `Price desc`
    func text(isNested: Bool) -> String { expression.text(isNested: isNested) + (isDescending ? " desc" : "") }
}

extension ComputeItem {
    /// `Price mul Quantity as Total`
    func text(isNested: Bool) -> String { "\(expression.text(isNested: isNested)) as \(alias)" }
}
