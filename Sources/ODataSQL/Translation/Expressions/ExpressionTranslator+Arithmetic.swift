import ODataModel
import ODataQuery

/// [OData-URL, section 5.1.1.2]
///
/// Integers stay integers, an operation with a double is IEEE 754 arithmetic, and everything else is exact decimal
/// arithmetic. A result outside the range of its type and a division of integers or decimals by zero fail the request.
extension ExpressionTranslator {
    func arithmetic(_ operation: BinaryOperator, _ first: Term, _ second: Term) throws -> Term {
        if first.literal == .null || second.literal == .null {
            return .nothing(first.literal == .null ? second.codec : first.codec)
        }
        let left = typedOperand(first, beside: second)
        let right = typedOperand(second, beside: first)
        guard left.codec.isNumber, right.codec.isNumber else { return try temporal(operation, left, right) }
        if left.codec == .real || right.codec == .real { return real(operation, left, right) }
        if left.codec == .integer, right.codec == .integer, operation != .divby {
            return integer(operation, left, right)
        }
        return Term(.call(Self.decimalFunction(operation), [left.sql, right.sql]), .decimalText, type: .decimal)
    }

    private func typedOperand(_ term: Term, beside other: Term) -> Term {
        guard term.isUntyped else { return term }
        switch other.codec.comparability {
        case .instant, .date, .duration: return typed(term, as: .duration)
        default: return typed(term, as: other.codec == .real ? .double : .decimal)
        }
    }

    private func integer(_ operation: BinaryOperator, _ left: Term, _ right: Term) -> Term {
        let isNullable = left.isNullable || right.isNullable
        switch operation {
        case .div, .mod:
            if case .integer(let divisor) = right.literal, divisor != 0, divisor != -1 {
                return Term(infix(operation, left.sql, right.sql), .integer, type: .int64, isNullable: isNullable)
            }
            let function = operation == .div ? "odata_integerdiv" : "odata_integermod"
            return Term(.call(function, [left.sql, right.sql]), .integer, type: .int64, isNullable: isNullable)
        default:
            let sql =
                left.isNarrow && right.isNarrow
                ? infix(operation, left.sql, right.sql)
                : .call("odata_integer\(operation.rawValue)", [left.sql, right.sql])
            return Term(sql, .integer, type: .int64, isNullable: isNullable)
        }
    }

    private func real(_ operation: BinaryOperator, _ left: Term, _ right: Term) -> Term {
        let isSingle = left.type == .primitive(.single) && right.type == .primitive(.single)
        let type: EdmTypeReference = .primitive(isSingle ? .single : .double)
        // SQLite turns NaN into null.
        let name = operation == .divby ? "div" : operation.rawValue
        return Term(.call("odata_real\(name)", [left.real, right.real]), .real, type: type)
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
        return (left + " \(raw: sign) " + right).parenthesised
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

    /// A duration can be added to an instant, a date or a duration, and can be multiplied and divided by a number.
    private func temporal(_ operation: BinaryOperator, _ left: Term, _ right: Term) throws -> Term {
        let kinds = (left.codec.comparability, right.codec.comparability)
        let sign: SQLFragment = operation == .sub ? "-1" : "1"
        switch (kinds.0, operation, kinds.1) {
        case (.duration, .add, .instant), (.duration, .add, .date): return try temporal(.add, right, left)
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
            return Term(.call("odata_divideduration", [left.sql, right.sql]), .durationText)
        default: throw Self.unsupported("\(operation.rawValue) with operands of these types")
        }
    }

    /// `-x`
    func negation(_ operand: Term) throws -> Term {
        if operand.literal == .null { return operand }
        let operand = typed(operand, as: .decimal)
        switch operand.codec {
        case .real: return try arithmetic(.mul, operand, try Term(literal: .integer(-1)))
        case .integer where operand.isNarrow:
            return Term("(-" + operand.sql + ")", operand.codec, type: operand.type, isNullable: operand.isNullable)
        case .durationText: return Term(.call("odata_scaleduration", [operand.sql, "-1"]), .durationText)
        default: return try arithmetic(.sub, try Term(literal: .integer(0)), operand)
        }
    }
}
