import ODataModel
import ODataQuery

/// Writes the SQL that answers bound queries.
package struct QueryTranslator: Sendable {
    package let model: EdmModel
    package let mapping: any SQLMapping
    /// The value of `now()`.
    package let now: EdmDateTimeOffset

    package init(model: EdmModel, mapping: any SQLMapping, now: EdmDateTimeOffset) {
        self.model = model
        self.mapping = mapping
        self.now = now
    }

    var context: StatementContext { StatementContext(model: model, mapping: mapping, now: now) }

    /// The rows that a path and its options lead to.
    ///
    /// - Parameters:
    ///   - limit: how many rows are read at most, besides `$top`.
    ///   - token: where the page before ended.
    ///   - keepsOrder: whether the values of the order are read along, for the token of the next page.
    ///   - isOneRow: whether the one row of the path's set is wanted whose id is bound to `:row`, whatever its key.
    package func rows(
        of query: BoundQuery, shape: RowShape, limit: Int? = nil, token: PageToken? = nil, keepsOrder: Bool = false,
        isOneRow: Bool = false
    ) throws -> RowStatement {
        let isSingle = query.path.target == .entity || isOneRow
        var rows = try PathSource(query.path, context: context).rows
        if isOneRow { rows.conditions.append(try rows.scope.rowID() + " = :row") }
        if case .crossjoin(let sets) = query.path.root { rows.nest(sets, query.options) }
        try rows.take(query.options)
        if !isSingle { try rows.orderBy(query.options.orderBy) }
        let order = isSingle ? [] : try rows.totalOrder()
        let page = try Page(query, rows: rows, order: order, token: token)
        let projection = try RowProjection(
            shape: shape, rows: rows, options: query.options, order: keepsOrder && page.start == nil ? order : [])
        var statement = rows.statement
        statement.columns = projection.columns
        if let values = page.values { statement.conditions.append(order.after(values)) }
        statement.order = order.map(\.sql)
        statement.limit = [isSingle ? 1 : nil, page.top, limit].compactMap { $0 }.min()
        if !isSingle { statement.offset = page.start ?? (token == nil ? query.options.skip : nil) }
        return RowStatement(
            sql: try rows.context.complete(statement.sql), set: rows.scope.set, type: rows.scope.type,
            source: rows.scope.source, projection: projection, order: order, signature: page.signature, top: page.top,
            start: page.start, isEntities: rows.isEntities,
            resource: rows.isEntities && rows.scope.members.isEmpty ? rows.scope.set : nil)
    }

    /// How many entities the path and the filter lead to; `$top`, `$skip` and tokens do not count.
    package func count(of query: BoundQuery) throws -> SQLStatement {
        var rows = try PathSource(query.path, context: context).rows
        try rows.take(query.options)
        var statement = rows.statement
        statement.columns = ["count(*)"]
        return try rows.context.complete(statement.sql)
    }
}

extension RowSet {
    /// What the options make of the rows before they are ordered and counted: `$apply`, `$compute`, `$search` and
    /// `$filter`, in this order.
    ///
    /// [OData-Protocol, section 11.2.1]
    mutating func take(_ options: QueryOptions) throws {
        if let application = options.apply { try apply(application.steps) }
        try compute(options.compute)
        if let search = options.search { try self.search(search) }
        if let filter = options.filter { try self.filter(filter) }
    }

    /// `$compute`
    mutating func compute(_ items: [ComputeItem]) throws {
        for item in items {
            try prepare([item.expression])
            try define(item.alias, as: context.bounded(try expressions.term(item.expression)))
        }
    }

    /// `$search`
    mutating func search(_ search: SearchExpression) throws {
        guard !areValues else { throw ExpressionTranslator.unsupported("$search on a collection of values") }
        conditions.append(try SearchTranslator(scope).condition(search))
    }
}

/// Where a page starts and what is left to read.
private struct Page {
    /// The order values of the last row before it.
    let values: [SQLBinding]?
    /// How many rows come before it, for rows that have no key.
    let start: Int?
    let top: Int?
    let signature: UInt32

    init(_ query: BoundQuery, rows: RowSet, order: [OrderTerm], token: PageToken?) throws {
        let isKeyset = rows.isEntities || !rows.scope.members.isEmpty
        let kind = (isKeyset ? "" : "offset:") + order.map(\.sql).joined(",").text
        signature = PageToken.hash((kind + rows.scope.set.name).utf8)
        top = token == nil ? query.options.top : token?.remaining
        guard let token else {
            values = nil
            start = isKeyset ? nil : query.options.skip ?? 0
            return
        }
        guard token.order == signature else { throw PageToken.unknown }
        guard !isKeyset else {
            guard token.values.count == order.count else { throw PageToken.unknown }
            values = token.values
            start = nil
            return
        }
        guard case .integer(let position) = token.values.first, token.values.count == 1, position >= 0 else {
            throw PageToken.unknown
        }
        values = nil
        start = Int(position)
    }
}

/// A statement that reads rows, and what its columns are.
package struct RowStatement: Sendable {
    package var sql: SQLStatement
    /// The set that the rows belong to.
    package var set: EdmEntitySet
    /// The type of the rows: that of the set, of a cast, or what `$apply` makes.
    package var type: EdmStructuredType
    /// Where the rows lie: their set's table, or one that the statement defines.
    package var source: RowSource
    package var projection: RowProjection
    package var order: [OrderTerm]
    /// Names the order, for tokens.
    package var signature: UInt32
    /// `$top`, or what a token says is left of it.
    package var top: Int?
    /// How many rows come before, for rows without a key, whose pages are found by number.
    package var start: Int?
    /// Whether the rows are entities, which have keys.
    package var isEntities = true
    /// The set of the row that `$it` stands for in the options of what is expanded, where that is known here.
    package var resource: EdmEntitySet?

    /// The token for what follows the row with the order values `values`, after `count` rows.
    package func token(after values: [SQLBinding], count: Int) -> PageToken? {
        let remaining = top.map { $0 - count }
        if let start {
            return PageToken(values: [.integer(Int64(start + count))], remaining: remaining, order: signature)
        }
        return values.isEmpty ? nil : PageToken(values: values, remaining: remaining, order: signature)
    }
}
