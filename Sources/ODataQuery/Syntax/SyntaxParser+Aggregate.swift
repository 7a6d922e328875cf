import ODataModel

/// `aggregate`, the transformation and the function.
///
/// [OData-Aggregation ABNF, `aggregateTrafo`, `aggregateFunctionExpr`]
extension SyntaxParser {
    mutating func aggregateList() throws(QueryError) -> [AggregateSyntax] {
        var items: [AggregateSyntax] = []
        repeat {
            try tally()
            items.append(try aggregateExpr(needsAlias: true))
        } while takeComma()
        return items
    }

    /// `aggregateExpr`: `Amount with sum as Total`, `$count as Number`, `Forecast`; inside the function `aggregate` there
    /// is not an alias.
    package mutating func aggregateExpr(needsAlias: Bool) throws(QueryError) -> AggregateSyntax {
        let isCount = isNext("$") && isCountAhead
        let expression = try isCount ? countExpr() : commonExpr()
        var item = AggregateSyntax(expression: expression, method: try aggregateWith(), from: [], alias: nil)
        while let from = try aggregateFrom() {
            if from.method == nil, item.method != nil || !expression.mayBeCustomAggregate {
                throw unexpected("'with' and a method")
            }
            item.from.append(from)
        }
        guard needsAlias else { return item }
        item.alias = try asAlias()
        if item.method == nil, !expression.mayLackMethod { throw unexpected("'with' and a method") }
        if item.alias == nil, item.needsAlias {
            throw unexpected(item.method == nil && item.from.isEmpty ? "'with' and a method" : "'as' and a name")
        }
        return item
    }

    private var isCountAhead: Bool {
        var ahead = self
        return ahead.systemName().text == "$count" && !ahead.isNext("/")
    }

    private mutating func countExpr() throws(QueryError) -> ExpressionSyntax {
        let name = systemName()
        let path = PathSyntax(
            start: .relative, segments: [SegmentSyntax(name: name, kind: .count(nil))], offset: name.offset)
        return ExpressionSyntax(kind: .path(path), offset: name.offset, height: 1)
    }

    /// `aggregateWith`: ` with sum`; nil if there is something else.
    private mutating func aggregateWith() throws(QueryError) -> NameSyntax? {
        let start = offset
        guard skipSpace(), takeWord("with") else {
            offset = start
            return nil
        }
        try expectSpace("white space and a method")
        let method = try name("a method")
        guard method.isQualified || Self.methodNames.contains(method.text) else {
            throw error(
                .unknownName, "There is no method \(method.text).", at: method.offset,
                expected: nearestName(to: method.text, in: Self.methodNames) ?? Self.methodNames.joined(separator: ", ")
            )
        }
        return method
    }

    private static let methodNames = ["sum", "min", "max", "average", "countdistinct"]

    /// `aggregateFrom`: ` from Time,Product/Name with average`; nil if there is something else.
    private mutating func aggregateFrom() throws(QueryError) -> AggregateSyntax.From? {
        let start = offset
        guard skipSpace(), takeWord("from") else {
            offset = start
            return nil
        }
        try expectSpace("white space and a property")
        var groups: [[NameSyntax]] = []
        repeat {
            try tally()
            groups.append(try namePath("a property"))
        } while takeComma()
        return AggregateSyntax.From(groups: groups, method: try aggregateWith())
    }
}

extension AggregateSyntax {
    /// Custom aggregates have a name of their own, unless they are aggregated further.
    fileprivate var needsAlias: Bool { method != nil || !from.isEmpty || !expression.mayBeCustomAggregate }
}

extension ExpressionSyntax {
    /// Whether this may be a custom aggregate or ends with `$count`.
    fileprivate var mayLackMethod: Bool {
        guard case .path(let path) = kind, path.start == .relative else { return false }
        return mayBeCustomAggregate || path.segments.last?.kind == .count(nil)
    }

    fileprivate var mayBeCustomAggregate: Bool {
        guard case .path(let path) = kind, path.start == .relative else { return false }
        return path.segments.allSatisfy { $0.kind == .name && $0.parentheses.isEmpty }
    }
}
