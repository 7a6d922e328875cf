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
        }
    }
}
