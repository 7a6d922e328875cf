import ODataModel

/// A query as the builder gathers it: names and expressions as text, checked against the model when it is asked.
package struct BuiltQuery: Sendable {
    /// A relation that is expanded, with the options of what is related.
    package struct Expansion: Sendable {
        package var relation: String
        package var options: BuiltQuery
    }

    /// `Customers('A')/Orders`, percent-encoded.
    package var path: String
    package var compute: [String] = []
    package var filter: Condition?
    package var search: String?
    package var orderBy: [String] = []
    package var select: [String] = []
    package var expansions: [Expansion] = []
    /// Text of `$expand` that the app wrote.
    package var expandTexts: [String] = []
    package var top: Int?
    package var skip: Int?
    package var wantsCount = false
    package var apply: String?
    /// Options that the builder does not know, with their names.
    package var others: [(name: String, value: String)] = []

    package init(path: String) { self.path = path }

    /// The URL relative to the service root, percent-encoded.
    package var url: String {
        let options = items.map { item in
            percentEncoded(item.name, allowing: BoundQuery.unencoded.subtracting("=".utf8)) + "="
                + percentEncoded(item.value, allowing: BoundQuery.unencoded)
        }
        return options.isEmpty ? path : path + "?" + options.joined(separator: "&")
    }

    /// The options with their values, not percent-encoded.
    private var items: [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        if let apply { items.append(("$apply", apply)) }
        if !compute.isEmpty { items.append(("$compute", compute.joined(separator: ","))) }
        if let search { items.append(("$search", search)) }
        if let filter { items.append(("$filter", filter.text)) }
        if !select.isEmpty { items.append(("$select", select.joined(separator: ","))) }
        let expanded = expansions.map(\.text) + expandTexts
        if !expanded.isEmpty { items.append(("$expand", expanded.joined(separator: ","))) }
        if !orderBy.isEmpty { items.append(("$orderby", orderBy.joined(separator: ","))) }
        if let skip { items.append(("$skip", "\(skip)")) }
        if let top { items.append(("$top", "\(top)")) }
        if wantsCount { items.append(("$count", "true")) }
        return items + others
    }

    package mutating func restrict(_ condition: Condition) {
        filter = filter.map { $0 && condition } ?? condition
    }

    /// At most `count` of what there was.
    package mutating func limit(_ count: Int) { top = min(top ?? .max, max(count, 0)) }

    /// Expands relations one below the other, and hands the options of the last on.
    package mutating func expand(_ relations: some Collection<String>, _ change: (inout BuiltQuery) -> Void) {
        guard let name = relations.first else { return change(&self) }
        let index = expansions.firstIndex { $0.relation == name } ?? expansions.count
        if index == expansions.count { expansions.append(Expansion(relation: name, options: BuiltQuery(path: ""))) }
        expansions[index].options.expand(relations.dropFirst(), change)
    }

    /// What every request for these entities needs: values of aliases, and options of the service's own.
    package var context: [(name: String, value: String)] {
        let ofResults: Set<String> = ["deltatoken", "format", "index", "skiptoken"]
        return others.filter { !ofResults.contains($0.name.hasPrefix("$") ? String($0.name.dropFirst()) : $0.name) }
    }

    /// What is asked of a single entity at another path: what comes with it, and no more.
    package func single(at path: String) -> BuiltQuery {
        var single = BuiltQuery(path: path)
        (single.compute, single.select) = (compute, select)
        (single.expansions, single.expandTexts) = (expansions, expandTexts)
        single.others = context
        return single
    }

    /// `$apply` text of what restricts the entities, in the order of their evaluation: `filter(Price gt 20)/top(3)`. An
    /// order counts only where some are left out by it.
    ///
    /// [OData-URL, section 5.1; OData-Aggregation, section 3.3]
    package var transformations: [String] {
        [
            apply, compute.isEmpty ? nil : "compute(\(compute.joined(separator: ",")))", search.map { "search(\($0))" },
            filter.map { "filter(\($0.text))" },
            orderBy.isEmpty || skip == nil && top == nil ? nil : "orderby(\(orderBy.joined(separator: ",")))",
            skip.map { "skip(\($0))" }, top.map { "top(\($0))" },
        ].compactMap { $0 }
    }
}

extension BuiltQuery.Expansion {
    /// `Items($filter=Quantity gt 5;$expand=Product)`
    fileprivate var text: String {
        let items = options.nestedItems
        return items.isEmpty ? relation : "\(relation)(\(items.joined(separator: ";")))"
    }
}

extension BuiltQuery {
    fileprivate var nestedItems: [String] { items.map { "\($0.name)=\($0.value)" } }

    /// Adds options as they stand in a URL, raw or percent-encoded: `$filter=Price gt 20&$orderby=Name`. A filter is
    /// one more condition, an order comes after the one there is, the least `$top` counts.
    package mutating func add(options text: String) throws(QueryError) {
        let text = text.hasPrefix("?") ? String(text.dropFirst()) : text
        let source = try QuerySource(query: text, limits: .default)
        for option in source.options {
            let name = String(decoding: source.text[option.name], as: UTF8.self)
            let value = option.value.map { String(decoding: source.text[$0], as: UTF8.self) } ?? ""
            add(name, value)
        }
    }

    private mutating func add(_ name: String, _ value: String) {
        switch name.hasPrefix("$") ? String(name.dropFirst()) : name {
        case "filter": restrict(Condition(value, .or))
        case "compute": compute.append(value)
        case "orderby": orderBy.append(value)
        case "select": select.append(value)
        case "expand": expandTexts.append(value)
        case "search": search = search.map { "(\($0)) AND (\(value))" } ?? value
        case "apply": apply = apply.map { "\($0)/\(value)" } ?? value
        case "top" where Int(value) != nil: limit(Int(value) ?? 0)
        case "skip" where Int(value) != nil: skip = Int(value)
        case "count": wantsCount = value == "true"
        default: others.append((name, value))
        }
    }
}
