import ODataModel
import ODataQuery

/// Lambda operators and counts. [OData-URL, sections 5.1.1.13 and 5.1.1.14.5]
extension ExpressionTranslator {
    /// The rows of a collection that a path leads to, as the body of a subquery.
    private struct Members {
        var tables: SQLFragment
        var conditions: [SQLFragment]
        var variable: Variable
    }

    /// `Items/any(i:i/Quantity gt 5)` → `EXISTS (…)`; `all` → `NOT EXISTS (… IS NOT TRUE)`, true for no members.
    func lambda(
        _ operation: LambdaOperator, _ path: PropertyPath, variable name: String, predicate: Expression?
    ) throws -> SQLFragment {
        let members = try members(of: path)
        var inner = self
        inner.variables[name] = members.variable
        var conditions = members.conditions
        if let predicate {
            let test = try inner.condition(predicate, isPositive: operation == .any)
            conditions.append(operation == .any ? test : (test.parenthesised + " IS NOT TRUE"))
        }
        var tables = members.tables
        if case .entity(let scope) = members.variable { tables = ([tables] + scope.joins).joined(" ") }
        let subquery = "EXISTS (SELECT 1 FROM " + tables + " WHERE " + .all(conditions) + ")"
        return operation == .any ? subquery : ("NOT " + subquery).parenthesised
    }

    /// `Items/$count`
    func count(_ path: PropertyPath) throws -> SQLFragment {
        let members = try members(of: path)
        return "(SELECT count(*) FROM " + members.tables + " WHERE " + .all(members.conditions) + ")"
    }

    private func members(of path: PropertyPath) throws -> Members {
        switch path.steps.last {
        case .navigation(let navigation, _, _):
            guard case .entity(let start) = try variable(path) else {
                throw Self.unsupported("a relation of a complex value")
            }
            let (scope, properties) = try walk(path.steps.dropLast(), from: start)
            guard properties.isEmpty else { throw Self.unsupported("a relation of a complex value") }
            let (mapping, target) = try context.target(of: navigation, from: scope)
            let relation = try Relation(mapping, from: scope, to: target)
            return Members(
                tables: relation.tables, conditions: relation.conditions, variable: .entity(relation.target))
        case .property(let property):
            guard case .collection(let element) = property.type else {
                throw Self.unsupported("\(property.name) as a collection")
            }
            let alias = context.alias()
            let array = try term(path).sql
            return Members(
                tables: .call("json_each", [array]) + SQLFragment(" AS \(quoted(alias))"), conditions: [],
                variable: .element(alias, element))
        case .cast, .key, .filter, .annotation:
            throw Self.unsupported("a cast, key, filter or annotation at the end of a collection")
        case nil: throw Self.unsupported("a variable as a collection")
        }
    }

    private func walk(_ steps: ArraySlice<PropertyPath.Step>, from start: Scope) throws -> (Scope, [Property]) {
        try walk(Array(steps), from: start)
    }
}
