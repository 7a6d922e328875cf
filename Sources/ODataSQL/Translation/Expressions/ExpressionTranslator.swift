import ODataModel
import ODataQuery

/// Writes the SQL of expressions: those of `$filter`, `$orderby`, `$compute` and `$apply`.
///
/// Null follows the standard: `null eq null` is true, `x lt null` is false, and `and`, `or` and `not` are
/// three-valued as SQL's are. [OData-URL, section 5.1.1.1]
struct ExpressionTranslator {
    /// What a variable of an expression stands for.
    enum Variable {
        case entity(TableScope)
        /// A member of a collection in JSON: the alias of its `json_each`.
        case element(String, EdmTypeReference)
    }

    let context: StatementContext
    /// The entity that paths start at.
    let it: TableScope
    /// Lambda variables.
    var variables: [String: Variable] = [:]
    /// The member of a collection of values that paths start at instead of ``it``.
    var this: Variable?
    /// The row that the options or conditions belong to, which resolves `$it`; nil for ``it``.
    var outer: TableScope?
    /// `$these`
    var these: CurrentCollection?
    /// The computed properties of the member that ``this`` is.
    var computed: [String: Term] = [:]

    init(it scope: TableScope) {
        context = scope.context
        it = scope
    }

    /// `expression` as a condition.
    ///
    /// - Parameter isPositive: whether null may be returned for false, which is possible outside of `not`. A plain `=`
    ///   then suffices, which can use an index.
    func condition(_ expression: QueryExpression, isPositive: Bool = true) throws -> SQLFragment {
        let condition = try unmeasuredCondition(expression, isPositive: isPositive)
        try context.write(condition)
        return condition
    }

    private func unmeasuredCondition(_ expression: QueryExpression, isPositive: Bool) throws -> SQLFragment {
        switch expression {
        case .literal(.boolean(let value), _): return value ? "1" : "0"
        case .literal(.null, _): return "NULL"
        case .not(let operand): return "NOT (" + (try condition(operand, isPositive: false)) + ")"
        case .binary(let operation, _, _) where operation.isLogical:
            let operands = expression.operands(of: operation)
            let parts = try operands.map { try condition($0, isPositive: isPositive) }
            return Self.chain(parts, operation == .and ? " AND " : " OR ")
        case .binary(let operation, let left, let right) where operation.isComparison:
            return try comparison(operation, try term(left), try term(right), isPositive: isPositive)
        case .inList(let operand, let list): return try membership(operand, list, isPositive: isPositive)
        case .lambda(let operation, let path, let variable, let predicate):
            return try lambda(operation, path, variable: variable, predicate: predicate)
        case .isDefined(let path): return try isDefined(path)
        default:
            let term = typed(try term(expression), as: .boolean)
            guard term.codec == .boolean || term.literal == .null || term.codec == .integer else {
                throw QueryError(.typeMismatch, "\(expression.text.prefix(200)) is not a Boolean expression.")
            }
            return term.sql
        }
    }

    /// `(a OR b OR c)`. Long chains are split in halves, since SQLite limits the depth of an expression.
    static func chain(_ parts: [SQLFragment], _ separator: String) -> SQLFragment {
        parts.isEmpty ? (separator == " OR " ? "0" : "1") : chain(parts[...], separator)
    }

    private static func chain(_ parts: ArraySlice<SQLFragment>, _ separator: String) -> SQLFragment {
        guard parts.count > 64 else { return Array(parts).joined(separator).parenthesised }
        let middle = parts.startIndex + parts.count / 2
        return [chain(parts[..<middle], separator), chain(parts[middle...], separator)].joined(separator).parenthesised
    }

    /// `expression` as a value.
    func term(_ expression: QueryExpression) throws -> Term {
        let term = try unmeasuredTerm(expression)
        try context.write(term.sql)
        return term
    }

    private func unmeasuredTerm(_ expression: QueryExpression) throws -> Term {
        if let known = these?.values[expression] { return known }
        switch expression {
        case .literal(let value, let type): return try Term(literal: value, type: type)
        case .path(let path): return try term(path)
        case .negate(let operand): return try negation(try term(operand))
        case .binary(let operation, let left, let right) where operation.isArithmetic:
            return try arithmetic(operation, try term(left), try term(right))
        case .call(let function, let arguments): return try call(function, try arguments.map { try term($0) })
        case .count(let path, let filter, let search):
            return Term(try count(path, filter: filter, search: search), .integer, type: .int64, isNullable: false)
        case .conditional(let branches): return try conditional(branches)
        case .cast(let operand, let type): return try cast(operand, to: type)
        case .isOf(let operand, let type): return try isOf(operand, type)
        case .root(let path): return try root(path)
        case .member(let operand, let steps): return try member(operand, steps)
        case .list(let items): return try list(items)
        case .object(let members, let type): return try object(members, type: type)
        case .operation(let call, let operand): return try operation(call, on: operand)
        case .aggregate(let path, let item): return try aggregate(path, item)
        case .hierarchy(let test): return Term(condition: try hierarchy(test), isNullable: false)
        case .not, .binary, .inList, .lambda, .isDefined:
            return Term(condition: try condition(expression, isPositive: false).parenthesised)
        }
    }

    static func unsupported(_ what: String) -> QueryError {
        QueryError(.notImplemented, "The store cannot evaluate \(what).")
    }
}

extension QueryExpression {
    /// The operands of a chain of `and` or `or`, in order, however it is nested.
    fileprivate func operands(of operation: BinaryOperator) -> [QueryExpression] {
        var operands: [QueryExpression] = []
        var pending = [self]
        while let next = pending.popLast() {
            if case .binary(operation, let left, let right) = next {
                pending += [right, left]
            } else {
                operands.append(next)
            }
        }
        return operands
    }
}
