import ODataModel
import ODataQuery

/// Writes the SQL of `$filter` and `$orderby` expressions.
///
/// Null follows the standard: `null eq null` is true, `x lt null` is false, and `and`, `or` and `not` are
/// three-valued as SQL's are. [OData-URL, section 5.1.1.1]
struct ExpressionTranslator {
    /// What a variable of an expression stands for.
    enum Variable {
        case entity(Scope)
        /// An element of a collection in JSON: the alias of its `json_each`.
        case element(String, TypeReference)
    }

    let context: StatementContext
    let it: Scope
    var variables: [String: Variable] = [:]

    init(it scope: Scope) {
        context = scope.context
        it = scope
    }

    /// `expression` as a condition.
    ///
    /// - Parameter isPositive: whether null may stand for false, as it may unless there is a `not` around it. Then
    ///   `=` does, which can use an index.
    func condition(_ expression: Expression, isPositive: Bool = true) throws -> SQLFragment {
        switch expression {
        case .literal(.boolean(let value), _): return value ? "1" : "0"
        case .literal(.null, _): return "NULL"
        case .not(let operand): return "NOT (" + (try condition(operand, isPositive: false)) + ")"
        case .binary(let operation, _, _) where operation.isLogical:
            let operands = expression.operands(of: operation)
            let parts = try operands.map { try condition($0, isPositive: isPositive) }
            return Self.chain(parts[...], operation == .and ? " AND " : " OR ")
        case .binary(let operation, let left, let right) where operation.isComparison:
            return try comparison(operation, try term(left), try term(right), isPositive: isPositive)
        case .inList(let operand, let list):
            return try membership(try term(operand), try list.map { try term($0) }, isPositive: isPositive)
        case .lambda(let operation, let path, let variable, let predicate):
            return try lambda(operation, path, variable: variable, predicate: predicate)
        case .call(let function, let arguments):
            let result = try call(function, try arguments.map { try term($0) })
            return result.sql
        default: return try term(expression).sql
        }
    }

    /// `(a OR b OR c)`. Long chains are halved until they are short, since SQLite limits how deep an expression is.
    private static func chain(_ parts: ArraySlice<SQLFragment>, _ separator: String) -> SQLFragment {
        guard parts.count > 64 else { return Array(parts).joined(separator).parenthesised }
        let middle = parts.startIndex + parts.count / 2
        return [chain(parts[..<middle], separator), chain(parts[middle...], separator)].joined(separator).parenthesised
    }

    /// `expression` as a value.
    func term(_ expression: Expression) throws -> Term {
        switch expression {
        case .literal(let value, _): return try Term(literal: value)
        case .path(let path): return try term(path)
        case .negate(let operand): return try negation(try term(operand))
        case .binary(let operation, let left, let right) where operation.isArithmetic:
            return try arithmetic(operation, try term(left), try term(right))
        case .call(let function, let arguments): return try call(function, try arguments.map { try term($0) })
        case .count(let path, nil, nil): return Term(try count(path), .integer, isNullable: false)
        case .not, .binary, .inList, .lambda:
            return Term(try condition(expression, isPositive: false).parenthesised, .boolean)
        case .count, .conditional, .cast, .isOf, .operation, .root, .member, .list:
            throw Self.unsupported(expression.text)
        }
    }

    private func negation(_ operand: Term) throws -> Term {
        switch operand.codec {
        case .integer, .real: return Term("(-" + operand.sql + ")", operand.codec, isNullable: operand.isNullable)
        case .durationText: return Term(.call("odata_scaleduration", [operand.sql, "-1"]), .durationText)
        default: return try arithmetic(.sub, try Term(literal: .integer(0)), operand)
        }
    }

    static func unsupported(_ what: String) -> QueryError {
        QueryError(.notImplemented, "The store cannot evaluate \(what).")
    }
}

extension Expression {
    /// What a chain of `and` or `or` connects, in order, however it is nested.
    fileprivate func operands(of operation: BinaryOperator) -> [Expression] {
        var operands: [Expression] = []
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
