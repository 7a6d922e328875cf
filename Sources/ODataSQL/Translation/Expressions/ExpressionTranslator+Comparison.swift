import ODataModel
import ODataQuery

/// [OData-URL, sections 5.1.1.1.1 to 5.1.1.1.6]
extension ExpressionTranslator {
    func comparison(
        _ operation: BinaryOperator, _ left: Term, _ right: Term, isPositive: Bool
    ) throws -> SQLFragment {
        if operation == .has { return try flags(left, right) }
        if left.literal == .null { return right.comparedWithNull(operation) }
        if right.literal == .null { return left.comparedWithNull(operation) }
        if left.isNaN || right.isNaN { return operation == .ne ? "1" : "0" }
        let (first, second) = try sides(left, right, ordered: operation != .eq && operation != .ne)
        let isNullable = left.isNullable || right.isNullable
        let mayBeNaN = (left.mayBeNaN(beside: right), right.mayBeNaN(beside: left))
        switch operation {
        case .eq:
            let takesIS = isNullable && (!isPositive || (left.isNullable && right.isNullable))
            let isNumber = mayBeNaN.0 && mayBeNaN.1 ? " AND " + Term.isNumber(first) : ""
            return (first + (takesIS ? " IS " : " = ") + second + isNumber).parenthesised
        case .ne:
            let isNaN = mayBeNaN.0 && mayBeNaN.1 ? " OR NOT " + Term.isNumber(first) : ""
            return (first + (isNullable ? " IS NOT " : " <> ") + second + isNaN).parenthesised
        default:
            // SQLite orders text after all numbers: NaN would be greater than any number.
            let isGreater = operation == .gt || operation == .ge
            let isNumber =
                (isGreater ? mayBeNaN.0 : mayBeNaN.1) ? " AND " + Term.isNumber(isGreater ? first : second) : ""
            let result = (first + " \(raw: operation.sign) " + second + isNumber).parenthesised
            return isNullable && !isPositive ? .call("coalesce", [result, "0"]) : result
        }
    }

    /// Both sides in a form that SQLite compares as the standard does.
    func sides(_ left: Term, _ right: Term, ordered: Bool) throws -> (SQLFragment, SQLFragment) {
        if left.isUntyped != right.isUntyped {
            return try sides(
                left.isUntyped ? typed(left, like: right) : left, right.isUntyped ? typed(right, like: left) : right,
                ordered: ordered)
        }
        if left.entity != nil || right.entity != nil { return try entities(left, right) }
        if left.type?.enumeration != nil || right.type?.enumeration != nil || left.isEnumeration || right.isEnumeration
        {
            return try enumerations(left, right, ordered: ordered)
        }
        if let value = right.literal, left.literal == nil, let bound = left.comparand(for: value) {
            return (left.collated, .bound(bound))
        }
        if let value = left.literal, right.literal == nil, let bound = right.comparand(for: value) {
            return (.bound(bound), right.collated)
        }
        if left.codec == .json || right.codec == .json { return try structures(left, right, ordered: ordered) }
        return try Term.normalised(left, right)
    }
}
