import ODataModel
import ODataQuery

/// A collection of primitive or complex values, which is JSON text, with the options of a request for it.
///
/// `Products(1)/Tags?$filter=startswith($this,'a')&$top=2`. [OData-Protocol, section 11.2.5]
struct CollectionValue {
    /// The JSON text.
    let array: SQLFragment
    let element: TypeReference
    let scope: Scope

    /// The members that the options choose, in their order, as one JSON array.
    ///
    /// - Parameter member: the JSON of a member, from its path in ``array``.
    func json(_ options: QueryOptions, member: (SQLFragment) throws -> SQLFragment) throws -> SQLFragment {
        let alias = scope.context.alias()
        var statement = try members(options, alias: alias)
        statement.columns = [try member(SQLFragment("\(quoted(alias)).\"fullkey\"")) + " AS \"member\""]
        statement.order = try order(options, alias: alias)
        statement.limit = options.top
        statement.offset = options.skip
        let list = "SELECT json_group_array(json(\"member\")) FROM (" + statement.sql + ")"
        return "CASE WHEN " + array + " IS NOT NULL THEN (" + list + ") END"
    }

    /// How many members the filter leaves.
    func count(_ options: QueryOptions) throws -> SQLFragment {
        var statement = try members(options, alias: scope.context.alias())
        statement.columns = ["count(*)"]
        return statement.sql.parenthesised
    }

    private func members(_ options: QueryOptions, alias: String) throws -> SelectStatement {
        guard options.apply == nil, options.compute.isEmpty, options.search == nil, options.expand.isEmpty else {
            throw ExpressionTranslator.unsupported("$apply, $compute, $search or $expand on a collection of values")
        }
        var statement = SelectStatement(
            tables: .call("json_each", [array]) + SQLFragment(" AS \(quoted(alias))"))
        if let filter = options.filter { statement.conditions = [try expressions(alias).condition(filter)] }
        return statement
    }

    private func order(_ options: QueryOptions, alias: String) throws -> [SQLFragment] {
        guard !options.orderBy.isEmpty else { return [] }
        let translator = expressions(alias)
        let terms = try options.orderBy.map { item in
            let term = try translator.term(item.expression)
            return OrderTerm(
                expression: term.sortKey, isDescending: item.isDescending, isNullable: term.isNullable
            ).sql
        }
        return terms + [SQLFragment("\(quoted(alias)).\"id\"")]
    }

    /// `$this` and `$it` are the member.
    private func expressions(_ alias: String) -> ExpressionTranslator {
        var expressions = ExpressionTranslator(it: scope)
        expressions.this = .element(alias, element)
        return expressions
    }
}
