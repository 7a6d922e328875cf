import ODataModel
import ODataQuery

/// `aggregate(Amount with sum as Total,$count as Number)`
///
/// [OData-Aggregation, section 3.2.1]
extension RowSet {
    /// One row for each combination of the partitions; one row in all where there are none.
    mutating func aggregate(_ items: [AggregateItem]) throws {
        let plain = try items.filter { try !isSpecial($0) }
        let special = try items.filter { try isSpecial($0) }
        var main = self
        try main.collapse(plain.map { Aggregate($0.alias, try main.value(of: $0)) })
        for item in special {
            try main.join(try aggregateApart(item), alias: item.alias, missing: item.isCount ? "0" : nil)
        }
        try main.fill(counts: items.filter(\.isCount).map(\.alias))
        self = main
    }

    /// Of expanded relations there is an aggregate for parents without related rows too.
    private mutating func fill(counts: [String]) throws {
        guard partitions.count == 1, let parent = partitions.first, parent.name.hasPrefix("parent$") else { return }
        let alias = "q$\(context.number())"
        let key = SQLFragment("\(quoted(alias)).\"key\"")
        tables =
            SQLFragment("json_each(:parents) AS \(quoted(alias)) LEFT JOIN ") + tables + " ON " + parent.term.sql
            + " = " + key
        partitions = [Partition(name: "parent$\(context.number())", term: Term(key, .integer, isNullable: false))]
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
        statement.columns = partitions.map { $0.term.sql + SQLFragment(" AS \(quoted($0.name))") }
        for value in values {
            let name = "c$\(context.number())"
            statement.columns.append(value.term.sql + SQLFragment(" AS \(quoted(name))"))
            columns[value.alias] = ColumnMapping(column: name, codec: value.term.codec)
        }
        if statement.columns.isEmpty { statement.columns = ["count(*) AS \"c$\""] }
        statement.groups = partitions.map(\.term.sortKey)
        order = []
        isEntities = false
        rebase(on: RowSource(table: context.define(statement.sql), rowID: nil, columns: columns))
    }

    /// The value of an item over the rows as they are.
    private func value(of item: AggregateItem) throws -> Term {
        switch item.source {
        case .count(nil): return Term("count(*)", .integer, isNullable: false)
        case .count: throw ExpressionTranslator.unsupported("this $count in aggregate")
        case .expression(let expression):
            guard let method = item.method else { throw ExpressionTranslator.unsupported("aggregate without a method") }
            return try expressions.term(expression).aggregated(method, type: item.type)
        }
    }

    // MARK: Items with rows of their own

    /// Whether the item leads through a collection, or aggregates in more than one go.
    private func isSpecial(_ item: AggregateItem) throws -> Bool {
        if !item.from.isEmpty { return true }
        switch item.source {
        case .count(let path): return path != nil
        case .expression(let expression): return !expression.collectionSteps.isEmpty
        }
    }

    private func aggregateApart(_ item: AggregateItem) throws -> RowSet {
        var rows = self
        var item = item
        switch item.source {
        case .count(let path?):
            try rows.follow(path.steps)
            item.source = .count(nil)
        case .expression(let expression):
            let steps = expression.collectionSteps
            try rows.follow(steps)
            item.source = .expression(try expression.droppingSteps(steps))
        default: break
        }
        try rows.aggregate(item, from: item.from[...])
        return rows
    }

    /// `Amount with sum from Month with average`: sums for each month, then their average.
    private mutating func aggregate(_ item: AggregateItem, from: ArraySlice<AggregateItem.From>) throws {
        guard let outer = from.last, let method = outer.method else {
            if from.last != nil { throw ExpressionTranslator.unsupported("from without a method") }
            return try collapse([Aggregate(item.alias, try value(of: item))])
        }
        let depth = partitions.count
        for group in outer.groups {
            guard case .path(let path) = group else { throw ExpressionTranslator.unsupported("rollup in from") }
            partitions.append(Partition(name: "p$\(context.number())", term: try term(path)))
        }
        try aggregate(item, from: from.dropLast())
        partitions.removeSubrange(depth...)
        guard let inner = scope.source.columns[item.alias] else { return }
        let term = Term(scope.column(inner.column), inner.codec, isColumn: true)
        try collapse([Aggregate(item.alias, try term.aggregated(method, type: item.type))])
    }

    /// Adds the one column of rows that have the same partitions.
    ///
    /// - Parameter missing: the value where there are none such.
    mutating func join(_ other: RowSet, alias: String, missing: SQLFragment?) throws {
        guard let column = other.scope.source.columns[alias] else { return }
        let equal = zip(partitions, other.partitions).map { $0.term.sortKey + " IS " + $1.term.sortKey }
        tables = tables + " LEFT JOIN " + other.tables + " ON " + .all(equal)
        let value = other.scope.column(column.column)
        try define(alias, as: Term(missing.map { .call("coalesce", [value, $0]) } ?? value, column.codec))
    }

    /// Goes on to the rows that a path leads to from these, each as often as it is reached.
    mutating func follow(_ steps: [PropertyPath.Step]) throws {
        var prefix: [Property] = []
        for step in steps {
            switch step {
            case .property(let property): prefix.append(property)
            case .cast(let type):
                if let condition = scope.condition(forType: type) { conditions.append(condition) }
                if type.isKind(of: scope.type) { scope.type = type }
            case .navigation(let navigation, _, _):
                let (mapping, target) = try context.target(of: navigation, under: prefix, from: scope)
                let relation = try Relation(mapping, from: scope, to: target)
                tables = ([tables] + scope.takeJoins()).joined(" ") + " JOIN " + relation.tables
                conditions += relation.conditions
                scope = target
                prefix = []
            case .filter(let expression): try filter(expression)
            case .key, .annotation: throw ExpressionTranslator.unsupported("a key in a path of aggregate")
            }
        }
        guard prefix.isEmpty else { throw ExpressionTranslator.unsupported("aggregate over a collection of values") }
    }
}

extension AggregateItem {
    fileprivate var isCount: Bool {
        if case .count = source { return from.isEmpty }
        return method == .countDistinct && from.isEmpty
    }
}

extension Term {
    /// `sum("t0"."Amount")`. Null values do not count; of none there is null.
    func aggregated(_ method: AggregateItem.Method, type: TypeReference) throws -> Term {
        if codec == .durationText, method != .countDistinct {
            let seconds = try Term(.call("odata_duration", [sql]), .decimalText).aggregated(method, type: .decimal)
            return Term(.call("odata_scaleduration", ["'PT1S'", seconds.sql]), .durationText)
        }
        let isPlain = codec == .real || codec == .integer
        switch method {
        case .sum where codec.isNumber:
            let isExact = isPlain && (codec == .real || type != .decimal)
            return Term(.call(isExact ? "sum" : "odata_sum", [sql]), isExact ? codec : .decimalText)
        case .average where codec.isNumber:
            let isExact = type == .decimal && codec != .real
            return Term(
                .call(isExact ? "odata_average" : "avg", [isPlain || isExact ? sql : real]),
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
    /// The codec of what ``Term/normalised`` gives.
    fileprivate var normalised: ColumnCodec {
        switch self {
        case .guidBlob: .guidText
        case .instant: .instantText
        default: self
        }
    }
}
