extension QueryExpression {
    /// What an operator, a canonical function, a conversion or a list is applied to.
    package var operands: [QueryExpression] {
        switch self {
        case .not(let operand), .negate(let operand): [operand]
        case .binary(_, let left, let right): [left, right]
        case .inList(let operand, let list): [operand] + list
        case .call(_, let arguments), .list(let arguments): arguments
        case .object(let members, _): members.map(\.value)
        case .conditional(let branches): branches.flatMap { [$0.condition, $0.value] }
        case .cast(let operand, _), .isOf(let operand, _): operand.map { [$0] } ?? []
        case .hierarchy(let test): [test.node] + (test.other.map { [$0] } ?? [])
        default: []
        }
    }
}
