import ODataModel
import ODataQuery

/// Both sides of a comparison in forms that SQLite compares as the standard does.
extension Term {
    static func isNumber(_ value: SQLFragment) -> SQLFragment { .call("typeof", [value]) + " <> 'text'" }

    /// `x eq null`
    func comparedWithNull(_ operation: BinaryOperator) -> SQLFragment {
        switch operation {
        case .eq where literal == .null: "1"
        case .ne where literal == .null: "0"
        case .eq: (sql + " IS NULL").parenthesised
        case .ne: (sql + " IS NOT NULL").parenthesised
        default: "0"
        }
    }

    static func normalised(_ left: Term, _ right: Term) throws -> (SQLFragment, SQLFragment) {
        let kinds = (left.codec.comparability, right.codec.comparability)
        switch kinds {
        case (.decimal, _) where right.codec == .real: return (left.real, right.collated)
        case (_, .decimal) where left.codec == .real: return (left.collated, right.real)
        case (.decimal, .number), (.number, .decimal): return (left.decimal, right.decimal)
        case (.date, .instant): return (midnight(left), right.normalised)
        case (.instant, .date): return (left.normalised, midnight(right))
        case (let first, let second) where first == second:
            if left.codec == right.codec, left.codec != .durationText, left.codec.isOrderPreserving, !left.isFarDate,
                !right.isFarDate
            {
                return (left.collated, right.collated)
            }
            return (left.normalised, right.normalised)
        default: throw ExpressionTranslator.unsupported("a comparison of values of different types")
        }
    }

    private static func midnight(_ date: Term) -> SQLFragment { date.sql + " || 'T00:00:00' COLLATE ODATA_INSTANT" }

    /// A decimal that an SQLite number cannot hold is compared as text.
    func comparand(for value: EdmValue) -> SQLBinding? {
        switch (value, codec) {
        case (.double(let number), .decimalText) where !number.isFinite: nil
        case (.double(let number), .real) where type == .primitive(.single):
            .real(number.nearest(in: .single) ?? number)
        default: codec.comparand(for: value)
        }
    }
}

extension Term {
    /// Whether this may be the text `NaN` in a comparison with `other`. NaN is not equal to any value, itself included,
    /// and neither less nor greater.
    func mayBeNaN(beside other: Term) -> Bool {
        codec == .real ? literal == nil && !isNeverNaN : isUntyped && other.codec == .real
    }

    var isNaN: Bool { if case .double(let value) = literal { value.isNaN } else { false } }

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

extension BinaryOperator {
    /// `<`
    var sign: String {
        switch self {
        case .lt: "<"
        case .le: "<="
        case .gt: ">"
        default: ">="
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
