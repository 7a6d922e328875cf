import ODataModel
import ODataQuery

/// Writes the SQL that answers bound queries.
package struct QueryTranslator: Sendable {
    package let model: Model
    package let mapping: any SQLMapping
    /// The value of `now()`.
    package let now: EdmDateTimeOffset

    package init(model: Model, mapping: any SQLMapping, now: EdmDateTimeOffset) {
        self.model = model
        self.mapping = mapping
        self.now = now
    }

    /// The rows that a path and its options lead to.
    ///
    /// - Parameters:
    ///   - limit: how many rows are read at most, besides `$top`.
    ///   - token: where the page before ended.
    ///   - keepsOrder: whether the values of the order are read along, for the token of the next page.
    ///   - rowID: the one row of the path's set that is wanted, whatever its key.
    package func rows(
        of query: BoundQuery, shape: RowShape, limit: Int? = nil, token: PageToken? = nil, keepsOrder: Bool = false,
        rowID: Int64? = nil
    ) throws -> RowStatement {
        let context = StatementContext(model: model, mapping: mapping, now: now)
        let source = try PathSource(query.path, context: context)
        let translator = ExpressionTranslator(it: source.scope)
        let isSingle = query.path.target == .entity || rowID != nil
        let order = isSingle ? [] : try Self.order(query.options, translator)
        let filter = try query.options.filter.map { try translator.condition($0) }
        let signature = PageToken.hash((order.map(\.sql.text).joined(separator: ",") + source.scope.set.name).utf8)
        if let token, token.order != signature || token.values.count != order.count { throw PageToken.unknown }
        let projection = try RowProjection(shape: shape, scope: source.scope, order: keepsOrder ? order : [])
        var statement = SelectStatement(tables: ([source.tables] + source.scope.joins).joined(" "))
        statement.columns = projection.columns
        statement.conditions = source.conditions
        if let rowID { statement.conditions.append(try source.scope.rowID() + " = " + .bound(.integer(rowID))) }
        if let filter { statement.conditions.append(filter) }
        if let token { statement.conditions.append(order.after(token.values)) }
        statement.order = order.map(\.sql)
        let top = token == nil ? query.options.top : token?.remaining
        statement.limit = [isSingle ? 1 : nil, top, limit].compactMap { $0 }.min()
        statement.offset = token == nil && !isSingle ? query.options.skip : nil
        return RowStatement(
            sql: statement.sql, set: source.scope.set, projection: projection, order: order, signature: signature,
            top: top)
    }

    /// How many entities the path and the filter lead to; `$top`, `$skip` and tokens do not count.
    package func count(of query: BoundQuery) throws -> SQLFragment {
        let source = try PathSource(query.path, context: StatementContext(model: model, mapping: mapping, now: now))
        let translator = ExpressionTranslator(it: source.scope)
        let filter = try query.options.filter.map { try translator.condition($0) }
        var statement = SelectStatement(tables: ([source.tables] + source.scope.joins).joined(" "))
        statement.columns = ["count(*)"]
        statement.conditions = source.conditions + (filter.map { [$0] } ?? [])
        return statement.sql
    }

    /// The value of the property a path ends in, as one column; its row is missing where the entity is.
    package func value(at path: ResourcePath) throws -> ValueStatement {
        let source = try PathSource(path, context: StatementContext(model: model, mapping: mapping, now: now))
        guard let first = source.properties.first else {
            throw QueryError(.typeMismatch, "The path does not lead to a property.")
        }
        let whole = source.properties.map(\.name).joined(separator: "/")
        let direct = source.scope.source.columns[whole]
        guard let column = direct ?? source.scope.source.columns[first.name] else {
            throw QueryError(.notImplemented, "The property \(first.name) has no column.")
        }
        var statement = SelectStatement(tables: source.tables)
        statement.columns = [source.scope.column(column.column)]
        let etag = source.scope.source.etag.map { RowSource.expand($0, row: source.scope.alias) }
        statement.columns.append(SQLFragment(etag ?? "NULL"))
        statement.conditions = source.conditions
        statement.limit = 1
        let rest = direct == nil ? Array(source.properties.dropFirst()) : []
        let type = direct == nil ? first.type : source.properties.last?.type ?? first.type
        return ValueStatement(sql: statement.sql, codec: column.codec, type: type, rest: rest)
    }

    /// `$orderby`, then the key, so that the order is total.
    static func order(_ options: QueryOptions, _ translator: ExpressionTranslator) throws -> [OrderTerm] {
        var order: [OrderTerm] = []
        for item in options.orderBy {
            let term = try translator.term(item.expression)
            if term.codec == .json { throw ExpressionTranslator.unsupported("$orderby on a structured value") }
            guard term.literal == nil else { continue }
            order.append(
                OrderTerm(expression: term.sortKey, isDescending: item.isDescending, isNullable: term.isNullable))
        }
        for term in try key(of: translator.it) where !order.contains(where: { $0.names(term) }) { order.append(term) }
        return order
    }

    private static func key(of scope: Scope) throws -> [OrderTerm] {
        try scope.set.type.keyProperties.map { property in
            guard let column = scope.source.columns[property.name] else {
                throw QueryError(.notImplemented, "The key property \(property.name) has no column.")
            }
            return OrderTerm(expression: scope.column(column.column), isDescending: false, isNullable: false)
        }
    }
}

extension OrderTerm {
    /// Whether this orders by the same column.
    fileprivate func names(_ other: OrderTerm) -> Bool {
        expression == other.expression || expression.text.hasPrefix(other.expression.text + " COLLATE ")
    }
}

/// A statement that reads rows, and what its columns are.
package struct RowStatement: Sendable {
    package var sql: SQLFragment
    /// The set that the rows belong to.
    package var set: EntitySet
    package var projection: RowProjection
    package var order: [OrderTerm]
    /// Names the order, for tokens.
    package var signature: UInt32
    /// `$top`, or what a token says is left of it.
    package var top: Int?
}

/// A statement that reads one property; its second column is the ETag of the entity.
package struct ValueStatement: Sendable {
    package var sql: SQLFragment
    package var codec: ColumnCodec
    package var type: TypeReference
    /// What to follow inside the complex value that is read.
    package var rest: [Property]
}
