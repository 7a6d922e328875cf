import ODataModel
import ODataQuery

/// [OData-URL, section 5.1.1.2]
///
/// Integers stay integers, anything with a double is a double, and everything else is exact decimal arithmetic.
extension ExpressionTranslator {
    func arithmetic(_ operation: BinaryOperator, _ left: Term, _ right: Term) throws -> Term {
        let isNullable = left.isNullable || right.isNullable || operation == .div || operation == .mod
        if left.literal == .null || right.literal == .null { return Term("NULL", .integer) }
        guard left.codec.isNumber, right.codec.isNumber else { return try temporal(operation, left, right) }
        if left.codec == .integer, right.codec == .integer, operation != .divby {
            return Term(infix(operation, left.sql, right.sql), .integer, isNullable: isNullable)
        }
        if left.codec == .real || right.codec == .real {
            let sql: SQLFragment =
                operation == .mod
                ? .call("odata_realmod", [left.real, right.real]) : infix(operation, left.real, right.real)
            return Term(sql, .real, isNullable: isNullable)
        }
        return Term(.call(Self.decimalFunction(operation), [left.sql, right.sql]), .decimalText)
    }

    private func infix(_ operation: BinaryOperator, _ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
        let sign =
            switch operation {
            case .add: "+"
            case .sub: "-"
            case .mul: "*"
            case .mod: "%"
            default: "/"
            }
        return (left + SQLFragment(" \(sign) ") + right).parenthesised
    }

    private static func decimalFunction(_ operation: BinaryOperator) -> String {
        switch operation {
        case .add: "odata_add"
        case .sub: "odata_subtract"
        case .mul: "odata_multiply"
        case .mod: "odata_mod"
        default: "odata_divide"
        }
    }

    /// Instants and dates take durations; durations add up, and are multiplied and divided by numbers.
    private func temporal(_ operation: BinaryOperator, _ left: Term, _ right: Term) throws -> Term {
        let kinds = (left.codec.comparability, right.codec.comparability)
        let sign: SQLFragment = operation == .sub ? "-1" : "1"
        switch (kinds.0, operation, kinds.1) {
        case (.instant, .add, .duration), (.instant, .sub, .duration):
            return Term(.call("odata_addtoinstant", [left.instantText, right.sql, sign]), .instantText)
        case (.date, .add, .duration), (.date, .sub, .duration):
            return Term(.call("odata_addtodate", [left.sql, right.sql, sign]), .date)
        case (.instant, .sub, .instant):
            return Term(.call("odata_between", [left.instantText, right.instantText]), .durationText)
        case (.date, .sub, .date): return Term(.call("odata_between", [left.sql, right.sql]), .durationText)
        case (.duration, .add, .duration), (.duration, .sub, .duration):
            return Term(.call("odata_addduration", [left.sql, right.sql, sign]), .durationText)
        case (.duration, .mul, .number), (.duration, .mul, .decimal):
            return Term(.call("odata_scaleduration", [left.sql, right.sql]), .durationText)
        case (.number, .mul, .duration), (.decimal, .mul, .duration):
            return Term(.call("odata_scaleduration", [right.sql, left.sql]), .durationText)
        case (.duration, .div, .number), (.duration, .div, .decimal), (.duration, .divby, .number),
            (.duration, .divby, .decimal):
            let inverse = SQLFragment.call("odata_divide", ["1", right.sql])
            return Term(.call("odata_scaleduration", [left.sql, inverse]), .durationText)
        default: throw Self.unsupported("\(operation.rawValue) with operands of these types")
        }
    }
}
