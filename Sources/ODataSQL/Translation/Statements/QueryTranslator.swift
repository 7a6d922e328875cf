import ODataModel
import ODataQuery

/// Translates bound queries to SQL.
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
    ///   - limit: the maximum number of rows, besides `$top`.
    ///   - token: the end of the previous page.
    ///   - keepsOrder: whether the order values are also read, for the token of the next page.
    ///   - isOneRow: whether to read the one row of the path's set whose id is bound to `:row`, regardless of its key.
    package func rows(
        of query: BoundQuery, shape: RowShape, limit: Int? = nil, token: PageToken? = nil, keepsOrder: Bool = false,
        isOneRow: Bool = false
    ) throws -> RowStatement {
        let isSingle = query.path.target == .entity || isOneRow
        var rows = try PathSource(query.path, context: context).rows
        if isOneRow { rows.conditions.append(try rows.scope.rowID() + " = :row") }
        if case .crossjoin(let sets) = query.path.root { rows.nest(sets, query.options) }
        try rows.applyOptions(query.options)
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

    /// Counts the entities of the path and the filter; `$top`, `$skip` and tokens are ignored.
    package func count(of query: BoundQuery) throws -> SQLStatement {
        var rows = try PathSource(query.path, context: context).rows
        try rows.applyOptions(query.options)
        var statement = rows.statement
        statement.columns = ["count(*)"]
        return try rows.context.complete(statement.sql)
    }
}

extension RowSet {
    /// Applies the options that precede ordering and counting: `$apply`, `$compute`, `$search` and `$filter`, in this
    /// order.
    ///
    /// [OData-Protocol, section 11.2.1]
    mutating func applyOptions(_ options: QueryOptions) throws {
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

/// The start of a page and the number of rows left to read.
private struct Page {
    /// The order values of the last row before it.
    let values: [SQLBinding]?
    /// The number of rows before it, for rows without a key.
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

/// A statement that reads rows, and the meaning of its columns.
package struct RowStatement: Sendable {
    package var sql: SQLStatement
    /// The set that the rows belong to.
    package var set: EdmEntitySet
    /// The type of the rows: that of the set, of a cast, or of the result of `$apply`.
    package var type: EdmStructuredType
    /// The source of the rows: their set's table, or one that the statement defines.
    package var source: RowSource
    package var projection: RowProjection
    package var order: [OrderTerm]
    /// Identifies the order, for tokens.
    package var signature: UInt32
    /// `$top`, or what a token leaves of it.
    package var top: Int?
    /// The number of rows before, for rows without a key, whose pages are found by number.
    package var start: Int?
    /// Whether the rows are entities, which have keys.
    package var isEntities = true
    /// The set of the row of `$it` in the options of expanded navigation properties, if it is known.
    package var resource: EdmEntitySet?

    /// The token for the rows after the row with the order values `values`, after `count` rows.
    package func token(after values: [SQLBinding], count: Int) -> PageToken? {
        let remaining = top.map { $0 - count }
        if let start {
            return PageToken(values: [.integer(Int64(start + count))], remaining: remaining, order: signature)
        }
        return values.isEmpty ? nil : PageToken(values: values, remaining: remaining, order: signature)
    }
}
