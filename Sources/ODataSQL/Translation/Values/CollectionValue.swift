import ODataModel
import ODataQuery

/// A collection of primitive or complex values, stored as JSON text, with the options of a request for it.
///
/// `Products(1)/Tags?$filter=startswith($this,'a')&$top=2`. [OData-Protocol, section 11.2.5]
struct CollectionValue {
    /// The JSON text.
    let array: SQLFragment
    let element: EdmTypeReference
    let scope: TableScope

    /// The members that the options select, in their order, as one JSON array.
    ///
    /// - Parameter member: the JSON of a member, from its path in ``array``.
    func json(_ options: QueryOptions, member: (SQLFragment) throws -> SQLFragment) throws -> SQLFragment {
        let alias = scope.context.alias()
        let expressions = try expressions(alias, options)
        var statement = try members(options, alias: alias, expressions)
        let value = try member(SQLFragment.column(alias, "fullkey"))
        statement.columns = [try adding(expressions.computed, of: options, to: value) + " AS \"member\""]
        statement.order = try order(options, alias: alias, expressions)
        statement.limit = options.top
        statement.offset = options.skip
        let list = "SELECT json_group_array(json(\"member\")) FROM (" + statement.sql + ")"
        return "CASE WHEN " + array + " IS NOT NULL THEN (" + list + ") END"
    }

    /// The number of members after the filter.
    func count(_ options: QueryOptions) throws -> SQLFragment {
        let alias = scope.context.alias()
        var statement = try members(options, alias: alias, try expressions(alias, options))
        statement.columns = ["count(*)"]
        return statement.sql.parenthesised
    }

    private func members(
        _ options: QueryOptions, alias: String, _ expressions: ExpressionTranslator
    ) throws -> SelectStatement {
        guard options.apply == nil, options.search == nil, options.expand.isEmpty else {
            throw ExpressionTranslator.unsupported("$apply, $search or $expand on such a collection of values")
        }
        var statement = SelectStatement(
            tables: .call("json_each", [array]).named(alias))
        if let filter = options.filter { statement.conditions = [try expressions.condition(filter)] }
        return statement
    }

    private func order(
        _ options: QueryOptions, alias: String, _ expressions: ExpressionTranslator
    ) throws -> [SQLFragment] {
        guard !options.orderBy.isEmpty else { return [] }
        let terms = try options.orderBy.map { item in
            let term = try expressions.term(item.expression)
            return OrderTerm(
                expression: term.sortKey, isDescending: item.isDescending, isNullable: term.isNullable
            ).sql
        }
        return terms + [SQLFragment.column(alias, "id")]
    }

    /// `$this` and `$it` are the member; the computed properties are available beside it.
    private func expressions(_ alias: String, _ options: QueryOptions) throws -> ExpressionTranslator {
        var expressions = ExpressionTranslator(it: scope)
        expressions.this = .element(alias, element)
        for item in options.compute { expressions.computed[item.alias] = try expressions.term(item.expression) }
        return expressions
    }

    /// The JSON of a member with the computed properties and their types; only complex values can have them.
    private func adding(
        _ computed: [String: Term], of options: QueryOptions, to value: SQLFragment
    ) throws -> SQLFragment {
        guard case .complex = element else { return value }
        let members = try options.compute.filter { options.shows($0.alias) }.flatMap { item -> [SQLFragment] in
            guard let term = computed[item.alias] else { return [] }
            let type = [
                SQLFragment.bound(.text("$.\"\(item.alias)@odata.type\"")), .bound(.text("#\(item.propertyType)")),
            ]
            return type + [.bound(.text("$.\"\(item.alias)\"")), try ExpressionTranslator(it: scope).json(term)]
        }
        return members.isEmpty ? value : .call("json_set", [value] + members)
    }
}

extension QueryOptions {
    /// Whether a computed property is part of the result.
    func shows(_ alias: String) -> Bool {
        guard let select, !select.isEmpty, !select.contains(.all) else { return true }
        return select.contains { item in
            switch item {
            case .property(let path): path.first?.name == alias
            case .path(let steps, _): steps.first?.property?.name == alias
            case .all, .navigation, .operation: false
            }
        }
    }
}
