import ODataModel
import ODataQuery

/// The function `aggregate`.
///
/// [OData-Aggregation, section 3.6.1]
extension ExpressionTranslator {
    /// `Items/aggregate(Quantity with sum)` → `(SELECT sum("t1"."Quantity") FROM …)`
    func aggregate(_ path: PropertyPath, _ item: AggregateItem) throws -> Term {
        let summed = item.summingCounts
        var walk = try walk(path)
        let steps = summed.collectionSteps
        let paths = summed.from.reversed().flatMap(\.groups)
        var outside: [PropertyPath: Term] = [:]
        if summed.method == .countDistinct, !paths.contains(where: { $0.steps.starts(with: steps) }), !paths.isEmpty {
            return try distinct(summed, walk, steps, paths)
        }
        if !paths.allSatisfy({ $0.steps.starts(with: steps) }) {
            // No row is returned if there are no members.
            guard summed.method != .countDistinct else { throw Self.mixedAggregate }
            let outer = inside(try walk.open())
            for path in paths where !path.steps.starts(with: steps) { outside[path] = try outer.term(path) }
        }
        try walk.follow(steps)
        let item = try summed.droppingSteps(steps)
        let members = try walk.collection()
        let inner = inside(members)
        let groups = try paths.map { try outside[$0] ?? inner.term(try $0.droppingSteps(steps)) }
        let value = try inner.value(of: item)
        if item.from.isEmpty, groups.isEmpty,
            let found = members.looked({
                $0.aggregate(value.sql, in: members.tables, where: $1, alias: context.alias())
            })
        {
            let sql = value.isNullable ? found : .call("coalesce", [found, "0"])
            return Term(sql, value.codec, type: item.type, isNullable: value.isNullable)
        }
        var statement = SelectStatement(tables: members.tables)
        statement.conditions = members.conditions
        statement.columns = groups.enumerated().map { $1.sql.named("g\($0)") }
        statement.groups = groups.map(\.sortKey)
        return try aggregate(value, in: statement, of: item, groups: groups)
    }

    /// `from Month with average`: aggregates the values that were aggregated for each month.
    private func aggregate(
        _ first: Term, in inner: SelectStatement, of item: AggregateItem, groups: [Term]
    ) throws -> Term {
        var (value, statement, depth) = (first, inner, groups.count)
        for level in item.from {
            statement.columns.append(value.sql + " AS \"v\"")
            let table = statement.sql.parenthesised
            value = try Term("\"v\"", value.codec).aggregated(level.method, type: item.type)
            depth -= level.groups.count
            statement = SelectStatement(tables: table)
            statement.columns = (0..<depth).map { SQLFragment.identifier("g\($0)") }
            statement.groups = (0..<depth).map { Term(SQLFragment.identifier("g\($0)"), groups[$0].codec).sortKey }
        }
        statement.columns.append(value.sql)
        return Term(statement.sql.parenthesised, value.codec, type: item.type, isNullable: value.isNullable)
    }

    /// `Items/ProductID with countdistinct from OrderID with max`: orders without items are included as rows with a
    /// null value, which is not counted.
    private func distinct(
        _ item: AggregateItem, _ start: PropertyPathTranslator, _ steps: [PropertyPath.Step], _ paths: [PropertyPath]
    ) throws -> Term {
        guard case .expression(let expression) = item.source else { throw Self.mixedAggregate }
        var walk = start
        let outer = inside(try walk.open())
        let groups = try paths.map { try outer.term($0) }
        let columns = groups.enumerated().map { $1.sql.named("g\($0)") }
        let all = try walk.collection()
        let without = SelectStatement(
            columns + ["NULL AS \"v\""], tables: all.tables, where: all.conditions)
        try walk.follow(steps)
        let members = try walk.collection()
        let value = try inside(members).term(try expression.droppingSteps(steps))
        let with = SelectStatement(
            columns + [value.normalised.named("v")], tables: members.tables, where: members.conditions)
        let table = with.sql + " UNION ALL " + without.sql
        var statement = SelectStatement(tables: table.parenthesised)
        statement.columns = groups.indices.map { SQLFragment.identifier("g\($0)") }
        statement.groups = groups.indices.map { Term(SQLFragment.identifier("g\($0)"), groups[$0].codec).sortKey }
        let count = Term("count(DISTINCT \"v\")", .integer, isNullable: false)
        return try aggregate(count, in: statement, of: item, groups: groups)
    }

    /// The value of an item over rows, for a statement that groups them.
    func value(of item: AggregateItem) throws -> Term {
        guard case .expression(let expression) = item.source, let method = item.method else {
            return Term("count(*)", .integer, isNullable: false)
        }
        let value = method == .min || method == .max ? try orderedTerm(expression) : try term(expression)
        return try value.aggregated(method, type: item.type)
    }
}

extension AggregateItem {
    /// Whether this is a count, which is 0 and not null for no rows.
    var isCount: Bool {
        if case .count = source { return from.isEmpty }
        return method == .countDistinct && from.isEmpty
    }

    /// The steps to the collection whose members are aggregated: `Sales` of `Sales/Amount with sum`.
    var collectionSteps: [PropertyPath.Step] {
        switch source {
        case .count(let path): path?.steps ?? []
        case .expression(let expression): expression.collectionSteps
        }
    }

    /// The aggregated expression, relative to the end of `steps`.
    func droppingSteps(_ steps: [PropertyPath.Step]) throws -> AggregateItem {
        guard !steps.isEmpty else { return self }
        var item = self
        switch source {
        case .count: item.source = .count(nil)
        case .expression(let expression): item.source = .expression(try expression.droppingSteps(steps))
        }
        return item
    }

    /// `Items/$count from OrderID` as the sum of the counts of all instances; an order without items is included.
    fileprivate var summingCounts: AggregateItem {
        guard case .count(let path?) = source, !from.isEmpty,
            !from.flatMap(\.groups).contains(where: { $0.steps.starts(with: path.steps) })
        else { return self }
        var item = self
        item.source = .expression(.count(path))
        item.method = .sum
        return item
    }
}
