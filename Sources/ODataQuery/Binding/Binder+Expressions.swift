import ODataModel

/// Expressions.
///
/// [OData-URL, section 5.1.1]
extension Binder {
    /// A bound expression with its type; the type is nil for `null`.
    typealias Typed = (expression: QueryExpression, type: EdmTypeReference?)

    /// A value; a stream property is not a value, see ``operand(_:in:)``.
    func expression(_ syntax: ExpressionSyntax, in scope: BindingScope) throws(QueryError) -> Typed {
        let bound = try operand(syntax, in: scope)
        try checkValue(bound, at: syntax.offset)
        return bound
    }

    /// - Throws: where `bound` is a stream property, which has no value that could be computed with, grouped by or kept.
    func checkValue(_ bound: Typed, at offset: Int) throws(QueryError) {
        guard bound.type == .stream || bound.type?.element == .stream, case .path = bound.expression else { return }
        throw error(
            .typeMismatch, "A stream property has no value in expressions.", at: offset,
            expected: "a comparison with null, which shows whether there is a stream")
    }

    /// What is compared with others or asked for its type: a value, or a stream property, which null is compared with.
    ///
    /// [OData-URL, section 5.1.1.1.1]
    func operand(_ syntax: ExpressionSyntax, in scope: BindingScope) throws(QueryError) -> Typed {
        if !scope.aliases.offsets.isEmpty { try tallyAliasPart(at: syntax.offset) }
        switch syntax.kind {
        case .literal(let written):
            let value = try checkedEnumeration(written, at: syntax.offset)
            let type = type(of: value)
            return (.literal(value, type), type)
        case .geo(let literal):
            return (.literal(.geo(literal.json), .primitive(literal.type)), .primitive(literal.type))
        case .path(let path): return try self.path(path, in: scope)
        case .not(let inner): return (.not(try boolean(inner, in: scope)), .boolean)
        case .negate(let inner): return try negate(inner, in: scope)
        case .logical(let operation, let terms):
            var bound: [QueryExpression] = []
            bound.reserveCapacity(terms.count)
            for term in terms { bound.append(try boolean(term, in: scope)) }
            return (LogicalChain.expression(operation, bound), .boolean)
        case .binary(let operation, let left, let right):
            return try binary(operation, left, right, at: syntax.offset, in: scope)
        case .inList(let left, let items): return try inList(left, items, in: scope)
        case .inCollection(let left, let right): return try inCollection(left, right, in: scope)
        case .call(let name, let arguments): return try call(name, arguments, in: scope)
        case .conditional(let branches): return try conditional(branches, in: scope)
        case .cast(let inner, let type): return try cast(inner, type, in: scope)
        case .isOf(let inner, let type):
            return (try isOf(inner, type, in: scope), .boolean)
        case .isDefined(let inner): return (try isDefined(inner, in: scope), .boolean)
        case .array(let items): return try array(items, in: scope)
        case .object(let members): return try object(members, in: scope)
        }
    }

    /// An expression that must be of type `Edm.Boolean`.
    func boolean(_ syntax: ExpressionSyntax, in scope: BindingScope) throws(QueryError) -> QueryExpression {
        let bound = try expression(syntax, in: scope)
        let isFit = bound.type == nil || bound.type == .boolean || bound.type == .untyped
        guard isFit, !bound.expression.isObject else {
            throw mismatch("This is of type \(describe(bound.type)).", syntax, expected: "a value of Edm.Boolean")
        }
        return bound.expression
    }

    private func negate(_ syntax: ExpressionSyntax, in scope: BindingScope) throws(QueryError) -> Typed {
        let bound = try expression(syntax, in: scope)
        let isNegatable = bound.type?.primitive.map { $0.isNumeric || $0 == .duration || $0 == .untyped }
        guard bound.type == nil || isNegatable == true, !bound.expression.isObject else {
            throw mismatch("\(describe(bound.type)) has no negative.", syntax, expected: "a number or a duration")
        }
        return (.negate(bound.expression), bound.type)
    }

    // MARK: Errors

    func describe(_ type: EdmTypeReference?) -> String { type?.description ?? "null" }

    func mismatch(_ message: String, _ syntax: ExpressionSyntax, expected: String) -> QueryError {
        error(.typeMismatch, message, at: syntax.offset, expected: expected)
    }
}

extension QueryExpression {
    package var isLiteral: Bool {
        if case .literal = self { true } else { false }
    }

    /// `{"City":"Berlin"}`
    var isObject: Bool {
        switch self {
        case .literal(.complex, _), .object: true
        default: false
        }
    }
}
