import ODataModel

extension Expression {
    /// The type of the expression's value; nil for `null`, and for arithmetic on nothing but `null`.
    public var type: TypeReference? {
        switch self {
        case .literal(_, let type): type
        case .path(let path): path.type
        case .not, .inList, .lambda: .boolean
        case .negate(let inner): inner.type
        case .binary(let operation, let left, let right):
            operation.isArithmetic ? operation.resultType(left.type, right.type) ?? nil : .boolean
        case .call(let function, let arguments): function.signature.result(arguments.first?.type)
        case .count: .int64
        case .conditional(let branches): branches.lazy.compactMap(\.value.type).first
        case .cast(_, let type): type
        case .isOf: .boolean
        case .operation(let call, _): call.operation.result?.type
        case .root(let path): path.valueType
        case .member(let inner, let steps): PropertyPath.type(of: inner.type, after: steps)
        case .list(let items): .collection(items.lazy.compactMap(\.type).first ?? .primitive(.untyped))
        }
    }
}
