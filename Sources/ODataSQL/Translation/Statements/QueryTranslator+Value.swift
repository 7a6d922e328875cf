import ODataModel
import ODataQuery

/// A statement that reads one property. Its second column is the ETag of the entity, its third the number of members of
/// a collection before `$top` and `$skip`.
package struct ValueStatement: Sendable {
    package var sql: SQLStatement
    package var codec: ColumnCodec
    package var type: EdmTypeReference
    /// The path inside the complex value that is read.
    package var rest: [EdmProperty]
    /// The position of the requested member of the collection; negative from the end.
    package var index: Int?
}

extension QueryTranslator {
    /// Reads the value of the property at the end of a path. There is no row if the entity does not exist.
    package func value(of query: BoundQuery) throws -> ValueStatement {
        guard query.options.expand.isEmpty else {
            throw ExpressionTranslator.unsupported("$expand in a request for a value")
        }
        let source = try PathSource(query.path, context: context)
        let scope = source.scope
        var value = try Self.column(source.properties, of: scope)
        var count: SQLFragment = "NULL"
        let counts = query.options.count || query.path.suffix == .count
        if let applied = try AppliedCollection(query, to: value.type, rest: value.rest, context: scope.context) {
            if counts { count = applied.count }
            value.term = Term(applied.array, .json)
            value.type = applied.type
        } else if case .collection(let element) = value.type, value.rest.isEmpty, query.options.cutsCollection {
            let list = CollectionValue(array: value.term.sql, element: element, scope: scope)
            if counts { count = try list.count(query.options) }
            let json = try list.json(query.options) { value.term.sql.member(at: $0) }
            value.term = Term(json, .json)
        }
        if let members = SelectedMembers(value: query.options.select), value.term.codec == .json, value.rest.isEmpty {
            value.term = try members.trim(value.term, type: value.type, scope: scope)
        }
        let etag = scope.source.etag.map(scope.value)
        var statement = source.rows.statement
        statement.columns = [value.term.sql, etag ?? "NULL", count]
        statement.limit = 1
        return ValueStatement(
            sql: try scope.context.complete(statement.sql), codec: value.term.codec, type: value.type, rest: value.rest,
            index: source.index)
    }

    /// The column of a property, its type, and the path inside its JSON.
    private static func column(
        _ properties: [EdmProperty], of scope: TableScope
    ) throws -> (term: Term, type: EdmTypeReference, rest: [EdmProperty]) {
        guard let first = properties.first, let last = properties.last else {
            throw QueryError(.typeMismatch, "The path does not lead to a property.")
        }
        if let direct = scope.source.columns[properties.map(\.name).joined(separator: "/")] {
            return (Term(scope.column(direct.column), direct.codec, isColumn: true), last.type, [])
        }
        if let column = scope.source.columns[first.name] {
            let rest = properties.dropFirst()
            let term = Term(scope.column(column.column), column.codec, isColumn: true)
            guard rest.last?.type.isCollection == true else { return (term, first.type, Array(rest)) }
            let path = rest.reduce(SQLFragment.bound(.text("$"))) { $0.appending(member: $1.name) }
            return (Term(term.sql.member(at: path), .json), last.type, [])
        }
        guard let dynamic = scope.dynamicValue(of: first) else {
            throw QueryError(.notImplemented, "The property \(first.name) has no column.")
        }
        return (dynamic, first.type, Array(properties.dropFirst()))
    }
}

extension QueryOptions {
    /// Whether these choose, order or count the members of a collection of values.
    fileprivate var cutsCollection: Bool {
        filter != nil || !orderBy.isEmpty || top != nil || skip != nil || count || search != nil || apply != nil
            || !compute.isEmpty
    }
}
