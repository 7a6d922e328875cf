import ODataModel

/// A query as the builder gathers it: names and expressions as text, checked against the model when it is asked.
package struct BuiltQuery: Sendable {
    /// A navigation property that is expanded, with the options of what is related.
    package struct Expansion: Sendable {
        package var navigation: String
        package var options: BuiltQuery
    }

    /// `Customers('A')/Orders`, percent-encoded.
    package var path: String
    package var compute: [String] = []
    package var filter: QueryCondition?
    package var search: String?
    package var orderBy: [ExpressionText] = []
    package var select: [String] = []
    package var expansions: [Expansion] = []
    /// Text of `$expand` that the app wrote, as far as it is not among the expansions.
    package var expandTexts: [String] = []
    package var top: Int?
    package var skip: Int?
    /// `3` or `max`, of what is expanded.
    package var levels: String?
    package var wantsCount = false
    package var apply: String?
    /// Options that the builder does not know, with their names.
    package var others: [(name: String, value: String)] = []
    /// Why text that the app wrote was not taken.
    var refusal: String?

    package init(path: String) { self.path = path }

    /// The URL relative to the service root, percent-encoded.
    package var url: String {
        let options = items(isExpanded: false).map { item in
            percentEncoded(item.name, allowing: BoundQuery.unencoded.subtracting("=".utf8)) + "="
                + percentEncoded(item.value, allowing: BoundQuery.unencoded)
        }
        return options.isEmpty ? path : path + "?" + options.joined(separator: "&")
    }

    /// The options with their values, not percent-encoded.
    private func items(isExpanded: Bool) -> [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        if let apply { items.append(("$apply", apply)) }
        if !compute.isEmpty { items.append(("$compute", compute.joined(separator: ","))) }
        if let search { items.append(("$search", search)) }
        if let filter { items.append(("$filter", filter.expression.written(isExpanded: isExpanded).text)) }
        if !select.isEmpty { items.append(("$select", select.joined(separator: ","))) }
        let expanded = expansions.map(\.text) + expandTexts
        if !expanded.isEmpty { items.append(("$expand", expanded.joined(separator: ","))) }
        let order = orderBy.map { $0.written(isExpanded: isExpanded).text }
        if !order.isEmpty { items.append(("$orderby", order.joined(separator: ","))) }
        if let skip { items.append(("$skip", "\(skip)")) }
        if let top { items.append(("$top", "\(top)")) }
        if wantsCount { items.append(("$count", "true")) }
        if let levels { items.append(("$levels", levels)) }
        return items + others
    }

    /// The part of this query that OData cannot express, or the app's text that is not OData; nil without one.
    package var problem: String? { problem(isExpanded: false) }

    private func problem(isExpanded: Bool) -> String? {
        if let refusal { return refusal }
        let expressions = (filter.map { [$0.expression] } ?? []) + orderBy
        return expressions.lazy.compactMap { $0.written(isExpanded: isExpanded).problem }.first
            ?? expansions.lazy.compactMap { $0.options.problem(isExpanded: true) }.first
    }
}

extension BuiltQuery.Expansion {
    /// `Items($filter=Quantity gt 5;$expand=Product)`
    fileprivate var text: String {
        let items = options.nestedItems
        return items.isEmpty ? navigation : "\(navigation)(\(items.joined(separator: ";")))"
    }
}

extension BuiltQuery {
    fileprivate var nestedItems: [String] { items(isExpanded: true).map { "\($0.name)=\($0.value)" } }
}

/// What is asked, one after the other.
extension BuiltQuery {
    package mutating func restrict(_ condition: QueryCondition) {
        filter = filter.map { $0 && condition } ?? condition
    }

    /// What is found by this expression too.
    package mutating func find(_ expression: String) {
        search = search.map { "(\($0)) AND (\(expression))" } ?? expression
    }

    package mutating func order<Wrapped>(by operand: QueryOperand<Wrapped>, descending: Bool) {
        orderBy.append(descending ? "\(operand.expression) desc" : operand.expression)
    }

    /// At most `count` of what there was.
    package mutating func limit(_ count: Int) { top = min(top ?? .max, max(count, 0)) }

    /// Expands navigation properties one below the other, and hands the options of the last on.
    package mutating func expand(_ path: some Collection<String>, _ change: (inout BuiltQuery) -> Void) {
        guard let name = path.first else { return change(&self) }
        let index = expansions.firstIndex { $0.navigation == name } ?? expansions.count
        if index == expansions.count { expansions.append(Expansion(navigation: name, options: BuiltQuery(path: ""))) }
        expansions[index].options.expand(path.dropFirst(), change)
    }
}

/// Other queries made of this one.
extension BuiltQuery {
    /// What every request for these entities needs: values of aliases, and options of the service's own.
    package var context: [(name: String, value: String)] {
        let ofResults: Set<SystemOption> = [.deltatoken, .format, .index, .skiptoken]
        return others.filter { option in Self.systemOption(option.name).map { !ofResults.contains($0) } ?? true }
    }

    /// What is asked of a single entity at another path: which related entities are included, and no more.
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
            orderBy.isEmpty || skip == nil && top == nil
                ? nil : "orderby(\(orderBy.map(\.text).joined(separator: ",")))",
            skip.map { "skip(\($0))" }, top.map { "top(\($0))" },
        ].compactMap { $0 }
    }
}
