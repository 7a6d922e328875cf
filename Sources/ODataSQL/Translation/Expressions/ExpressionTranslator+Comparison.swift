import ODataModel
import ODataQuery

/// [OData-URL, sections 5.1.1.1.1 to 5.1.1.1.6]
extension ExpressionTranslator {
    func comparison(
        _ operation: BinaryOperator, _ left: Term, _ right: Term, isPositive: Bool
    ) throws -> SQLFragment {
        if operation == .has { return try flags(left, right) }
        if left.literal == .null { return try nullComparison(operation, right) }
        if right.literal == .null { return try nullComparison(operation, left) }
        if left.isNaN || right.isNaN { return operation == .ne ? "1" : "0" }
        let (first, second) = try sides(left, right, ordered: operation != .eq && operation != .ne)
        let isNullable = left.isNullable || right.isNullable
        let mayBeNaN = (left.mayBeNaN(beside: right), right.mayBeNaN(beside: left))
        switch operation {
        case .eq:
            let takesIS = isNullable && (!isPositive || (left.isNullable && right.isNullable))
            let isNumber = mayBeNaN.0 && mayBeNaN.1 ? " AND " + Self.isNumber(first) : ""
            return (first + (takesIS ? " IS " : " = ") + second + isNumber).parenthesised
        case .ne:
            let isNaN = mayBeNaN.0 && mayBeNaN.1 ? " OR NOT " + Self.isNumber(first) : ""
            return (first + (isNullable ? " IS NOT " : " <> ") + second + isNaN).parenthesised
        default:
            // SQLite orders text after all numbers: NaN would be greater than any number.
            let isGreater = operation == .gt || operation == .ge
            let isNumber =
                (isGreater ? mayBeNaN.0 : mayBeNaN.1) ? " AND " + Self.isNumber(isGreater ? first : second) : ""
            let result = (first + " \(raw: Self.sign(operation)) " + second + isNumber).parenthesised
            return isNullable && !isPositive ? .call("coalesce", [result, "0"]) : result
        }
    }

    private static func isNumber(_ value: SQLFragment) -> SQLFragment { .call("typeof", [value]) + " <> 'text'" }

    private static func sign(_ operation: BinaryOperator) -> String {
        switch operation {
        case .lt: "<"
        case .le: "<="
        case .gt: ">"
        default: ">="
        }
    }

    /// `x eq null`
    private func nullComparison(_ operation: BinaryOperator, _ operand: Term) throws -> SQLFragment {
        switch operation {
        case .eq where operand.literal == .null: "1"
        case .ne where operand.literal == .null: "0"
        case .eq: (operand.sql + " IS NULL").parenthesised
        case .ne: (operand.sql + " IS NOT NULL").parenthesised
        default: "0"
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
        if let value = right.literal, left.literal == nil, let bound = comparand(value, for: left) {
            return (left.collated, .bound(bound))
        }
        if let value = left.literal, right.literal == nil, let bound = comparand(value, for: right) {
            return (.bound(bound), right.collated)
        }
        if left.codec == .json || right.codec == .json { return try structures(left, right, ordered: ordered) }
        return try normalised(left, right)
    }

    private func normalised(_ left: Term, _ right: Term) throws -> (SQLFragment, SQLFragment) {
        let kinds = (left.codec.comparability, right.codec.comparability)
        switch kinds {
        case (.decimal, _) where right.codec == .real: return (left.real, right.collated)
        case (_, .decimal) where left.codec == .real: return (left.collated, right.real)
        case (.decimal, .number), (.number, .decimal): return (left.decimal, right.decimal)
        case (.date, .instant): return (Self.midnight(left), right.normalised)
        case (.instant, .date): return (left.normalised, Self.midnight(right))
        case (let first, let second) where first == second:
            if left.codec == right.codec, left.codec != .durationText, left.codec.isOrderPreserving, !left.isFarDate,
                !right.isFarDate
            {
                return (left.collated, right.collated)
            }
            return (left.normalised, right.normalised)
        default: throw Self.unsupported("a comparison of values of different types")
        }
    }

    private static func midnight(_ date: Term) -> SQLFragment { date.sql + " || 'T00:00:00' COLLATE ODATA_INSTANT" }

    /// A decimal that an SQLite number cannot hold is compared as text.
    func comparand(_ value: EdmValue, for term: Term) -> SQLBinding? {
        switch (value, term.codec) {
        case (.double(let number), .decimalText) where !number.isFinite: nil
        case (.double(let number), .real) where term.type == .primitive(.single):
            .real(number.nearest(in: .single) ?? number)
        default: term.codec.comparand(for: value)
        }
    }
}

extension Term {
    /// Whether this may be the text `NaN` in a comparison with `other`. NaN is not equal to any value, itself included,
    /// and neither less nor greater.
    fileprivate func mayBeNaN(beside other: Term) -> Bool {
        codec == .real ? literal == nil && !isNeverNaN : isUntyped && other.codec == .real
    }

    fileprivate var isNaN: Bool { if case .double(let value) = literal { value.isNaN } else { false } }

    /// A date whose year does not have four digits; such texts do not order as dates do.
    fileprivate var isFarDate: Bool {
        if case .date(let date) = literal { !(0...9999).contains(date.year) } else { false }
    }
}

extension ColumnCodec {
    /// Whether stored values of this codec can be compared directly.
    fileprivate var isOrderPreserving: Bool {
        switch self {
        case .instant(.julianDay), .instant(.mixedText), .instant(.dateText): false
        default: true
        }
    }
}

extension EdmDuration {
    /// Seconds as the function `odata_duration` returns them: decimal text.
    package var secondsBinding: SQLBinding { .text(totalSeconds.description) }

    /// All seconds, with the fraction.
    package var totalSeconds: EdmDecimal {
        let isNegative = seconds < 0
        let borrows = isNegative && picoseconds > 0
        let fraction = borrows ? 1_000_000_000_000 - picoseconds : picoseconds
        let whole = seconds.magnitude - (borrows ? 1 : 0)
        let digits = (String(whole) + padded(fraction, to: 12)).utf8.map { $0 - UInt8(ascii: "0") }
        return EdmDecimal(isNegative: isNegative, digits: digits, exponent: -12)
    }
}
