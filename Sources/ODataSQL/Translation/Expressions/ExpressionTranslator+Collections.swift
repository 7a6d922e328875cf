import ODataModel
import ODataQuery

/// Lambda operators and counts. [OData-URL, sections 5.1.1.13 and 5.1.1.15]
extension ExpressionTranslator {
    func members(of path: PropertyPath) throws -> CollectionMembers { try walk(path).collection() }

    /// `Items/any(i:i/Quantity gt 5)` → `EXISTS (…)`; `all` → `NOT EXISTS (… IS NOT TRUE)`, true for no members.
    func lambda(
        _ operation: LambdaOperator, _ path: PropertyPath, variable name: String, predicate: QueryExpression?
    ) throws -> SQLFragment {
        let members = try members(of: path)
        var inner = self
        inner.variables[name] = members.variable
        var tests: [SQLFragment] = []
        if let predicate {
            let test = try inner.condition(predicate, isPositive: operation == .any)
            tests.append(operation == .any ? test : (test.parenthesised + " IS NOT TRUE"))
        }
        let subquery =
            members.looked { $0.exists(in: members.tables, where: $1 + tests) }
            ?? .exists(in: members.tables, where: members.conditions + tests)
        return operation == .any ? subquery : ("NOT " + subquery).parenthesised
    }

    /// `Items/$count`, `Items/$count($filter=Quantity gt 5;$search=bike)`
    func count(_ path: PropertyPath, filter: QueryExpression?, search: SearchExpression?) throws -> SQLFragment {
        try count(try members(of: path), filter: filter, search: search)
    }

    func count(_ members: CollectionMembers, filter: QueryExpression?, search: SearchExpression?) throws -> SQLFragment
    {
        var tests: [SQLFragment] = []
        if let filter { tests.append(try inside(members).condition(filter)) }
        if let search {
            guard case .entity(let scope) = members.variable else { throw Self.unsupported("$search of values") }
            tests.append(try SearchTranslator(scope).condition(search))
        }
        let found = members.looked {
            $0.aggregate("count(*)", in: members.tables, where: $1 + tests, alias: context.alias())
        }
        if let found { return .call("coalesce", [found, "0"]) }
        return SelectStatement(["count(*)"], tables: members.tables, where: members.conditions + tests)
            .sql.parenthesised
    }
}
