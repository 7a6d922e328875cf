import ODataModel
import ODataQuery

/// [OData-URL, sections 5.1.1.1.1 to 5.1.1.1.12]
extension ExpressionTranslator {
    func comparison(
        _ operation: BinaryOperator, _ left: Term, _ right: Term, isPositive: Bool
    ) throws -> SQLFragment {
        if operation == .has { return try flags(left, right) }
        if left.literal == .null { return nullComparison(operation, right) }
        if right.literal == .null { return nullComparison(operation, left) }
        let (first, second) = try sides(left, right, ordered: operation != .eq && operation != .ne)
        let isNullable = left.isNullable || right.isNullable
        switch operation {
        case .eq:
            let takesIS = isNullable && (!isPositive || (left.isNullable && right.isNullable))
            return (first + (takesIS ? " IS " : " = ") + second).parenthesised
        case .ne: return (first + (isNullable ? " IS NOT " : " <> ") + second).parenthesised
        default:
            let result = (first + SQLFragment(" \(Self.sign(operation)) ") + second).parenthesised
            return isNullable && !isPositive ? .call("coalesce", [result, "0"]) : result
        }
    }

    private static func sign(_ operation: BinaryOperator) -> String {
        switch operation {
        case .lt: "<"
        case .le: "<="
        case .gt: ">"
        default: ">="
        }
    }

    /// `x eq null`
    private func nullComparison(_ operation: BinaryOperator, _ operand: Term) -> SQLFragment {
        switch operation {
        case .eq: (operand.sql + " IS NULL").parenthesised
        case .ne: (operand.sql + " IS NOT NULL").parenthesised
        default: "0"
        }
    }

    /// Both sides in a form that SQLite compares as the standard does.
    private func sides(_ left: Term, _ right: Term, ordered: Bool) throws -> (SQLFragment, SQLFragment) {
        if let value = right.literal, left.literal == nil, let bound = comparand(value, for: left) {
            return (left.collated, .bound(bound))
        }
        if let value = left.literal, right.literal == nil, let bound = comparand(value, for: right) {
            return (.bound(bound), right.collated)
        }
        let kinds = (left.codec.comparability, right.codec.comparability)
        if left.codec == .json || right.codec == .json { throw Self.unsupported("a comparison of structured values") }
        switch kinds {
        case (.decimal, _) where right.codec == .real: return (left.real, right.sql)
        case (_, .decimal) where left.codec == .real: return (left.sql, right.real)
        case (.decimal, .number), (.number, .decimal): return (left.decimal, right.decimal)
        case (let first, let second) where first == second:
            if left.codec == right.codec, left.codec != .durationText, left.codec.isOrderPreserving {
                return (left.collated, right.collated)
            }
            return (normal(left), normal(right))
        default: throw Self.unsupported("a comparison of values of different types")
        }
    }

    /// A decimal that no SQLite number holds is compared as text.
    private func comparand(_ value: Value, for term: Term) -> SQLBinding? {
        if case .double(let number) = value, term.codec == .decimalText, !number.isFinite { return nil }
        return term.codec.comparand(for: value)
    }

    private func normal(_ term: Term) -> SQLFragment {
        if case .duration(let duration) = term.literal { return .bound(duration.secondsBinding) }
        return term.normalised
    }

    /// `Name in ('a','b')`
    func membership(_ operand: Term, _ list: [Term], isPositive: Bool) throws -> SQLFragment {
        let hasNull = list.contains { $0.literal == .null }
        let values = list.filter { $0.literal != .null }
        let bindings = values.compactMap { term in term.literal.flatMap { comparand($0, for: operand) } }
        guard operand.literal == nil, bindings.count == values.count else {
            let parts = try list.map { try comparison(.eq, operand, $0, isPositive: isPositive) }
            return parts.isEmpty ? "0" : parts.joined(" OR ").parenthesised
        }
        var result: SQLFragment = operand.collated + " IN (" + bindings.map(SQLFragment.bound).joined(", ") + ")"
        if operand.isNullable, !isPositive { result = .call("coalesce", [result, "0"]) }
        if hasNull { result = result + " OR " + operand.sql + " IS NULL" }
        return result.parenthesised
    }

    /// `Style has Model.Pattern'Yellow'`: every member of the right side is in the left one.
    private func flags(_ left: Term, _ right: Term) throws -> SQLFragment {
        guard case .enumeration(let name, let text) = right.literal else { throw Self.unsupported("has") }
        let members = text.split(separator: ",").map { String($0.filter { $0 != " " }) }
        if case .enumeration(let type) = left.codec, let mask = type.number(of: .enumeration(name, text)) {
            return ("(" + left.sql + " & " + .bound(.integer(mask)) + ") = " + .bound(.integer(mask))).parenthesised
        }
        if left.codec == .integer {
            let known = context.model.enumType(named: name)?.members ?? []
            let mask = members.reduce(Int64(0)) { mask, member in
                mask | (known.first { $0.name == member }?.value ?? Int64(member) ?? 0)
            }
            let bound = SQLFragment.bound(.integer(mask))
            return ("(" + left.sql + " & " + bound + ") = " + bound).parenthesised
        }
        let tests = members.map { member in
            "instr(',' || replace(" + left.sql + ", ' ', '') || ',', " + .bound(.text(",\(member),")) + ") > 0"
        }
        return SQLFragment.all(tests).parenthesised
    }
}

extension ColumnCodec {
    /// Whether stored values of this codec compare with each other as they should.
    fileprivate var isOrderPreserving: Bool {
        switch self {
        case .instant(.julianDay), .instant(.mixedText), .instant(.dateText): false
        default: true
        }
    }
}

extension EdmDuration {
    /// Seconds as the function `odata_duration` gives them: an integer, or a real where there is a fraction.
    package var secondsBinding: SQLBinding {
        picoseconds == 0 ? .integer(seconds) : .real(Double(seconds) + Double(picoseconds) / 1e12)
    }
}
