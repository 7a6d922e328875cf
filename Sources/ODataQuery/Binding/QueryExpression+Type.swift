import ODataModel

extension QueryExpression {
    /// The type of the expression's value; nil for `null`, and for arithmetic on nothing but `null`.
    public var type: EdmTypeReference? {
        switch self {
        case .literal(_, let type): type
        case .path(let path): path.type
        case .not, .inList, .lambda: .boolean
        case .negate(let inner): inner.type
        case .binary(let operation, let left, let right):
            operation.isArithmetic ? operation.resultType(left.type, right.type) ?? nil : .boolean
        case .call(let function, let arguments): function.signature.result(arguments.first?.type)
        case .count: .int64
        case .conditional(let branches): Self.common(branches.map(\.value.type))
        case .cast(_, let type): type
        case .isOf, .isDefined, .hierarchy: .boolean
        case .aggregate(_, let item): item.type
        case .operation(let call, _): call.operation.result?.type
        case .root(let path): path.valueType
        case .member(let inner, let steps): PropertyPath.type(of: inner.type, after: steps)
        case .object(_, let type): type
        case .list(let items): .collection(items.lazy.compactMap(\.type).first ?? .primitive(.untyped))
        }
    }

    /// The type of a value that is of one of the types.
    private static func common(_ types: [EdmTypeReference?]) -> EdmTypeReference? {
        types.reduce(nil as EdmTypeReference?) { left, right in
            guard let left else { return right }
            guard let right, left != right else { return left }
            guard let promoted = left.primitive.flatMap({ right.primitive.map($0.promoted) }) ?? nil else {
                return .primitive(.untyped)
            }
            return .primitive(promoted)
        }
    }
}
