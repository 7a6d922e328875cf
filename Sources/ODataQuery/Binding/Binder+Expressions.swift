import ODataModel

/// Expressions.
///
/// [OData-URL, section 5.1.1]
extension Binder {
    /// A bound expression with its type; the type is nil for `null`.
    typealias Typed = (expression: Expression, type: TypeReference?)

    func expression(_ syntax: ExpressionSyntax, in scope: Scope) throws(QueryError) -> Typed {
        switch syntax.kind {
        case .literal(let written):
            let value = try checkedEnumeration(written, at: syntax.offset)
            let type = type(of: value)
            return (.literal(value, type), type)
        case .path(let path): return try self.member(path, in: scope)
        case .not(let inner): return (.not(try boolean(inner, in: scope)), .boolean)
        case .negate(let inner): return try negate(inner, in: scope)
        case .logical(let operation, let terms):
            var bound: [Expression] = []
            for term in terms { bound.append(try boolean(term, in: scope)) }
            return (LogicalChain.expression(operation, bound), .boolean)
        case .binary(let operation, let left, let right):
            return try binary(operation, left, right, at: syntax.offset, in: scope)
        case .inList(let left, let items): return try inList(left, items, in: scope)
        case .call(let name, let arguments): return try call(name, arguments, in: scope)
        case .geo: throw notImplemented("A geography or geometry literal", at: syntax.offset)
        case .inCollection: throw notImplemented("The operator in with anything but a list", at: syntax.offset)
        case .conditional: throw notImplemented("The function case", at: syntax.offset)
        case .cast: throw notImplemented("The function cast", at: syntax.offset)
        case .isOf: throw notImplemented("The function isof", at: syntax.offset)
        case .isDefined: throw notImplemented("The function isdefined", at: syntax.offset)
        case .array, .object: throw notImplemented("JSON in an expression", at: syntax.offset)
        }
    }

    /// An expression that must be of type `Edm.Boolean`.
    func boolean(_ syntax: ExpressionSyntax, in scope: Scope) throws(QueryError) -> Expression {
        let bound = try expression(syntax, in: scope)
        guard bound.type == nil || bound.type == .boolean else {
            throw mismatch("This is of type \(describe(bound.type)).", syntax, expected: "a value of Edm.Boolean")
        }
        return bound.expression
    }

    private func negate(_ syntax: ExpressionSyntax, in scope: Scope) throws(QueryError) -> Typed {
        let bound = try expression(syntax, in: scope)
        guard bound.type == nil || bound.type?.primitive.map({ $0.isNumeric || $0 == .duration }) == true else {
            throw mismatch("\(describe(bound.type)) has no negative.", syntax, expected: "a number or a duration")
        }
        return (.negate(bound.expression), bound.type)
    }

    // MARK: Operators

    private func binary(
        _ operation: BinaryOperator, _ left: ExpressionSyntax, _ right: ExpressionSyntax, at offset: Int,
        in scope: Scope
    ) throws(QueryError) -> Typed {
        var sides = (try expression(left, in: scope), try expression(right, in: scope))
        if operation.isArithmetic {
            meet(&sides.0, &sides.1, isArithmetic: true)
            guard let result = operation.resultType(sides.0.type, sides.1.type) else {
                throw misfit(operation.rawValue, sides.0.type, sides.1.type, at: offset)
            }
            return (.binary(operation, sides.0.expression, sides.1.expression), result)
        }
        meet(&sides.0, &sides.1, isArithmetic: false)
        try checkComparison(operation, sides.0, sides.1, at: offset)
        return (.binary(operation, sides.0.expression, sides.1.expression), .boolean)
    }

    private func inList(
        _ left: ExpressionSyntax, _ items: [ExpressionSyntax], in scope: Scope
    ) throws(QueryError) -> Typed {
        let wanted = try expression(left, in: scope)
        var bound: [Expression] = []
        for item in items {
            var sides = (wanted, try expression(item, in: scope))
            if !wanted.expression.isLiteral { meet(&sides.0, &sides.1, isArithmetic: false) }
            try checkComparison(.eq, sides.0, sides.1, at: item.offset)
            bound.append(sides.1.expression)
        }
        return (.inList(wanted.expression, bound), .boolean)
    }

    /// Gives a literal the type of the other side. An integer keeps dividing as an integer: `7 div 2.0`.
    private func meet(_ left: inout Typed, _ right: inout Typed, isArithmetic: Bool) {
        switch (left.expression, right.expression) {
        case (.literal, .literal): break
        case (_, .literal(let value, _)): take(&right, value, left.type, isArithmetic: isArithmetic)
        case (.literal(let value, _), _): take(&left, value, right.type, isArithmetic: isArithmetic)
        default: break
        }
    }

    private func take(_ side: inout Typed, _ value: Value, _ type: TypeReference?, isArithmetic: Bool) {
        guard let type, !value.isNull else { return }
        if isArithmetic {
            guard side.type?.primitive?.isNumeric == true, type.primitive?.isNumeric == true else { return }
            if case .decimal = value, type.primitive?.integerRange != nil { return }
        }
        guard let converted = coerced(value, to: type) else { return }
        side = (.literal(converted, type), type)
    }

    private func checkComparison(
        _ operation: BinaryOperator, _ left: Typed, _ right: Typed, at offset: Int
    ) throws(QueryError) {
        let types = [left.type, right.type].compactMap { $0 }
        let isFit =
            switch (left.type, right.type) {
            case (let left?, let right?): left.isComparable(to: right, with: operation)
            default: types.allSatisfy { $0.isComparableToNull(with: operation) }
            }
        guard isFit else { throw misfit(operation.rawValue, left.type, right.type, at: offset) }
    }

    // MARK: Errors

    func describe(_ type: TypeReference?) -> String { type?.description ?? "null" }

    func mismatch(_ message: String, _ syntax: ExpressionSyntax, expected: String) -> QueryError {
        error(.typeMismatch, message, at: syntax.offset, expected: expected)
    }

    private func misfit(
        _ operation: String, _ left: TypeReference?, _ right: TypeReference?, at offset: Int
    ) -> QueryError {
        error(
            .typeMismatch, "The operator \(operation) does not apply to \(describe(left)) and \(describe(right)).",
            at: offset)
    }
}

extension Expression {
    var isLiteral: Bool {
        if case .literal = self { true } else { false }
    }
}
