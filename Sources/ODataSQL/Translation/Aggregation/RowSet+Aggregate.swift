import ODataModel
import ODataQuery

/// `aggregate(Amount with sum as Total,$count as Number)`
///
/// [OData-Aggregation, section 3.2.1]
extension RowSet {
    /// One row for each combination of the partitions; a single row if there are none.
    mutating func aggregate(_ items: [AggregateItem]) throws {
        try prepare(items.compactMap(\.expression))
        let plain = items.filter { !isSpecial($0) }
        let special = items.filter { isSpecial($0) }
        var main = self
        try main.collapse(plain.map { Aggregate($0.alias, try main.expressions.value(of: $0)) })
        for item in special {
            try main.join(try aggregateApart(item), alias: item.alias, missing: item.isCount ? "0" : nil)
        }
        try main.fill(counts: items.filter(\.isCount).map(\.alias))
        self = main
    }

    /// Parents and nodes without rows get an aggregate too.
    private mutating func fill(counts: [String]) throws {
        if let combinations, combinations.columns.count == partitions.count {
            let number = context.number()
            let all = combinations.partitions(of: partitions, number)
            let same = sharing(all)
            tables = combinations.table(number) + " LEFT JOIN " + tables + " ON " + .all(same)
            partitions = all
        } else if var parents, partitions.count == 1 + parents.resource, let parent = partitions.first {
            let number = context.number()
            parents.alias = "q$\(number)"
            tables = parents.table + " LEFT JOIN " + tables + " ON " + parent.term.sql + " = " + parents.position
            partitions = parents.partitions(suffix: "\(number)")
        } else {
            return
        }
        try define(
            counts.compactMap { alias in
                scope.source.columns[alias].map { column in
                    let value = SQLFragment.call("coalesce", [scope.column(column.column), "0"])
                    return Column(name: "c$\(context.number())", property: alias, term: Term(value, .integer))
                }
            })
    }

    /// A value over all rows of a partition, under the name of a property.
    struct Aggregate {
        var alias: String
        var term: Term

        init(_ alias: String, _ term: Term) {
            self.alias = alias
            self.term = term
        }
    }

    /// `SELECT "p$1", sum("t0"."Amount") AS "c$2" FROM … GROUP BY "p$1"`
    mutating func collapse(_ values: [Aggregate]) throws {
        var statement = statement
        var columns: [String: ColumnMapping] = [:]
        statement.columns = partitions.map { $0.term.sql.named($0.name) }
        for value in values {
            let name = "c$\(context.number())"
            statement.columns.append(value.term.sql.named(name))
            columns[value.alias] = ColumnMapping(column: name, codec: value.term.codec)
        }
        if statement.columns.isEmpty { statement.columns = ["count(*) AS \"c$\""] }
        statement.groups = partitions.map(\.term.sortKey)
        order = []
        isEntities = false
        rebase(on: RowSource(table: try context.define(statement.sql), rowID: nil, columns: columns))
    }

    // MARK: Items with rows of their own

    /// Whether the item leads through a collection, or aggregates in more than one step.
    private func isSpecial(_ item: AggregateItem) -> Bool { !item.from.isEmpty || !item.collectionSteps.isEmpty }

    private func aggregateApart(_ item: AggregateItem) throws -> RowSet {
        var rows = self
        let steps = item.collectionSteps
        if let level = item.from.last, !level.groups.contains(where: { $0.steps.starts(with: steps) }) {
            try rows.aggregate(item, of: level)
            return rows
        }
        // Expressions outside the collection refer to the row that the members belong to.
        var groups: [PropertyPath: Term] = [:]
        let paths = item.from.flatMap(\.groups)
        for path in paths where !path.steps.starts(with: steps) { groups[path] = try rows.term(path) }
        try rows.follow(steps)
        for path in paths where path.steps.starts(with: steps) {
            groups[path] = try rows.term(try path.droppingSteps(steps))
        }
        try rows.aggregate(try item.droppingSteps(steps), from: item.from[...], groups: groups)
        return rows
    }

    /// `Items/$count from OrderID with average`: the count of each group, then their average.
    private mutating func aggregate(_ item: AggregateItem, of level: AggregateItem.From) throws {
        var inner = item
        inner.from.removeLast()
        let depth = partitions.count
        for path in level.groups {
            partitions.append(Partition(name: "p$\(context.number())", term: try term(path)))
        }
        try aggregate([inner])
        try aggregate(again: item, level.method, depth: depth)
    }

    /// `Amount with sum from Month with average`: sums for each month, then their average.
    private mutating func aggregate(
        _ item: AggregateItem, from: ArraySlice<AggregateItem.From>, groups: [PropertyPath: Term]
    ) throws {
        guard let outer = from.last else {
            return try collapse([Aggregate(item.alias, try expressions.value(of: item))])
        }
        let depth = partitions.count
        for term in outer.groups.compactMap({ groups[$0] }) {
            partitions.append(Partition(name: "p$\(context.number())", term: term))
        }
        try aggregate(item, from: from.dropLast(), groups: groups)
        try aggregate(again: item, outer.method, depth: depth)
    }

    /// Aggregates the values of all partitions again, over the partitions after the first ones.
    private mutating func aggregate(again item: AggregateItem, _ method: AggregateItem.Method, depth: Int) throws {
        partitions.removeSubrange(depth...)
        guard let inner = scope.source.columns[item.alias] else { return }
        let term = Term(scope.column(inner.column), inner.codec, isColumn: true)
        try collapse([Aggregate(item.alias, try term.aggregated(method, type: item.type))])
    }

    /// Adds the one column of rows that have the same partitions.
    ///
    /// - Parameter missing: the value if no row has them.
    mutating func join(_ other: RowSet, alias: String, missing: SQLFragment?) throws {
        guard let value = try join(other, value: alias, missing: missing) else { return }
        try define(alias, as: value)
    }

    /// The value of a property in the one row of `other` that has the same partitions.
    mutating func join(_ other: RowSet, value property: String, missing: SQLFragment?) throws -> Term? {
        guard let column = other.scope.source.columns[property] else { return nil }
        tables = tables + " LEFT JOIN " + other.tables + " ON " + .all(sharing(other.partitions))
        let value = other.scope.column(column.column)
        return Term(missing.map { .call("coalesce", [value, $0]) } ?? value, column.codec)
    }

    /// The conditions for rows that have the same values as these in their partitions.
    func sharing(_ others: [Partition]) -> [SQLFragment] {
        zip(partitions, others).map { $0.term.sortKey + " IS " + $1.term.sortKey }
    }

    /// Follows a path from these rows to related rows, each as often as it is reached.
    mutating func follow(_ steps: [PropertyPath.Step]) throws {
        let start = scope
        // The properties since the last navigation property or collection of values.
        var properties: [PropertyPath.Step] = []
        for step in steps {
            switch step {
            case .property:
                if properties.contains(where: \.isCollection) {
                    try unfold(properties)
                    properties = []
                }
                properties.append(step)
            case .cast where !properties.isEmpty, .filter where !properties.isEmpty: properties.append(step)
            case .cast(let type):
                if let condition = scope.condition(forType: type) { conditions.append(condition) }
                if type.isKind(of: scope.type) { scope.type = type }
            case .navigation(let navigation, _, _):
                guard member == nil, !properties.contains(where: \.isCollection) else {
                    throw ExpressionTranslator.unsupported("the navigation property \(navigation.name) of a value")
                }
                try follow(navigation, under: properties.compactMap(\.property))
                properties = []
            case .filter(let expression) where scope.resource == nil && QuerySets(expression).usesResource:
                try filter(expression, asking: start)
            case .filter(let expression): try filter(expression)
            case .key, .annotation: throw ExpressionTranslator.unsupported("a key in a path of aggregate")
            }
        }
        if !properties.isEmpty { try unfold(properties) }
    }

    /// A condition that uses `$it`, the row that the path starts at.
    private mutating func filter(_ expression: QueryExpression, asking start: TableScope) throws {
        var translator = expressions
        translator.outer = start
        conditions.append(try translator.condition(expression))
    }

    private mutating func follow(_ navigation: EdmNavigationProperty, under prefix: [EdmProperty]) throws {
        let (mapping, target) = try context.target(of: navigation, under: prefix, from: scope)
        let join = try NavigationJoin(mapping, from: scope, to: target)
        tables += " JOIN " + join.tables
        conditions += join.conditions
        target.resource = scope.resource
        target.rollupNodes = scope.rollupNodes
        scope = target
    }

    /// Continues at the members of a collection of values.
    private mutating func unfold(_ steps: [PropertyPath.Step]) throws {
        guard steps.contains(where: \.isCollection) else {
            throw ExpressionTranslator.unsupported("a single value as a collection")
        }
        let path = PropertyPath(variableSet: scope.set, variableType: scope.type, steps: steps)
        let members = try expressions.members(of: path)
        tables = tables + " CROSS JOIN " + members.tables
        conditions += members.conditions
        member = members.variable
    }
}

extension AggregateItem {
    fileprivate var expression: QueryExpression? {
        if case .expression(let expression) = source { expression } else { nil }
    }
}

extension Term {
    /// `sum("t0"."Amount")`. Null values are ignored; the sum of no values is null.
    func aggregated(_ method: AggregateItem.Method, type: EdmTypeReference) throws -> Term {
        if codec == .durationText, method != .countDistinct {
            let seconds = try Term(.call("odata_duration", [sql]), .decimalText).aggregated(method, type: .decimal)
            return Term(.call("odata_scaleduration", ["'PT1S'", seconds.sql]), .durationText)
        }
        let isPlain = codec == .real || codec == .integer
        switch method {
        case .sum where codec.isNumber:
            let isExact = isPlain && (codec == .real || type != .decimal)
            let function = codec == .real ? "odata_realsum" : isExact ? "sum" : "odata_sum"
            return Term(.call(function, [sql]), isExact ? codec : .decimalText)
        case .average where codec.isNumber:
            let isExact = type == .decimal && codec != .real
            return Term(
                .call(isExact ? "odata_average" : "odata_realaverage", [isExact ? sql : real]),
                isExact ? .decimalText : .real)
        case .min, .max:
            let value = codec == .durationText ? nil : Optional(normalised)
            guard let value, codec != .json else {
                throw ExpressionTranslator.unsupported("\(method.name) of such values")
            }
            return Term(.call(method.name, [value]), codec.normalised)
        case .countDistinct:
            return Term("count(DISTINCT " + normalised + ")", .integer, isNullable: false)
        default: throw ExpressionTranslator.unsupported("\(method.name) of such values")
        }
    }
}

extension ColumnCodec {
    /// The codec of ``Term/normalised``.
    fileprivate var normalised: ColumnCodec {
        switch self {
        case .guidBlob: .guidText
        case .instant: .instantText
        default: self
        }
    }
}
