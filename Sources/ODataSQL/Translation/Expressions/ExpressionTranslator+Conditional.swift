import ODataModel
import ODataQuery

/// `case`, lists and operations.
extension ExpressionTranslator {
    /// `case(Price gt 10:'dear',true:'cheap')` [OData-URL, section 5.1.1.12.1]
    func conditional(_ branches: [QueryExpression.Branch]) throws -> Term {
        let conditions = try branches.map { try condition($0.condition) }
        let values = try unified(try branches.map { try term($0.value) })
        guard let first = values.first(where: { $0.literal != .null }) ?? values.first else { return .null }
        var sql: SQLFragment = "CASE"
        for (condition, value) in zip(conditions, values) { sql += " WHEN " + condition + " THEN " + value.sql }
        return Term(sql + " END", first.codec, type: first.type)
    }

    /// The values in one form: numbers are promoted, the others must be of one kind.
    ///
    /// [OData-URL, section 5.1.1.18: Numeric Promotion]
    func unified(_ terms: [Term]) throws -> [Term] {
        let known = terms.filter { $0.literal != .null }
        guard let first = known.first else { return terms }
        if known.allSatisfy({ $0.codec == first.codec && $0.type == first.type }) { return terms }
        if known.allSatisfy(\.codec.isNumber), !known.contains(where: \.isEnumeration) {
            if known.allSatisfy(\.isInteger) { return terms }
            let isReal = known.contains { $0.codec == .real }
            return terms.map { $0.literal == .null ? $0 : isReal ? $0.asDouble : $0.asDecimal }
        }
        if let type = known.lazy.compactMap({ enumeration(of: $0) }).first {
            return try terms.map { Term(try number($0, type), .enumeration(type), type: .enumeration(type.name)) }
        }
        guard known.allSatisfy({ $0.codec.comparability == first.codec.comparability }) else {
            let texts = try terms.map { $0.literal == .null ? $0 : try text($0) }
            return texts
        }
        return known.contains { $0.codec != first.codec }
            ? terms.map { $0.literal == .null ? $0 : $0.inCommonForm } : terms
    }

    /// `[1,Price]`: JSON.
    func list(_ items: [QueryExpression]) throws -> Term {
        let terms = try items.map { try term($0) }
        let members = try terms.map { try json($0) }
        let type = terms.lazy.compactMap { $0.type ?? .primitive($0.codec.primitive) }.first
        return Term(
            .call("odata_bounded", [.call("json_array", members)]), .json,
            type: .collection(type ?? .primitive(.untyped)), isNullable: false)
    }

    /// `{"Name":Name}`: JSON.
    func object(_ members: [QueryExpression.ObjectMember], type: EdmTypeReference) throws -> Term {
        let parts = try members.flatMap { member -> [SQLFragment] in
            let term = try term(member.value)
            guard term.entity == nil else { throw Self.unsupported("an entity as a member of an object") }
            return [.bound(.text(member.name)), try json(term)]
        }
        // An object without a type gets the type of the other operand.
        return Term(
            .call("odata_bounded", [.call("json_object", parts)]), .json, type: type.isUntyped ? nil : type,
            isNullable: false)
    }

    /// A value as an argument of SQLite's JSON functions.
    func json(_ term: Term) throws -> SQLFragment {
        if term.literal == .null { return "NULL" }
        switch term.codec {
        case .json: return .call("json", [term.sql])
        case .integer where term.type?.enumeration == nil: return term.sql
        case .boolean: return .call("json", ["CASE " + term.sql + " WHEN 1 THEN 'true' WHEN 0 THEN 'false' END"])
        case .decimalNumber, .decimalText, .real:
            return .call("json", [.call("odata_numbertext", [term.sql])])
        default: return try text(term).sql
        }
    }

    /// A call of a function of the model, if the mapping or the rows have SQL for it.
    func operation(_ call: OperationCall, on operand: QueryExpression?) throws -> Term {
        let name = call.operation.name
        guard let template = context.mapping.function(call.operation) else {
            var walk = try walk(to: operand)
            guard try walk.ask(call.operation) else { throw Self.unsupported("the function \(name)") }
            return try walk.term()
        }
        var values: [String: SQLFragment] = [:]
        for argument in call.arguments { values[argument.name] = try term(argument.value).sql }
        if call.operation.isBound {
            let instance = try operand.map { try term($0) } ?? entity(it)
            guard let binding = call.operation.parameters.first else { throw Self.unsupported("the function \(name)") }
            values[binding.name] = instance.sql
        }
        return Term(
            template.fragment(with: values), template.codec, type: call.operation.result?.type)
    }
}

extension Term {
    fileprivate var asDouble: Term { Term(real, .real, type: .double, isNullable: isNullable) }

    fileprivate var asDecimal: Term {
        Term(
            codec == .decimalText ? sql : .call("odata_decimal", [sql]), .decimalText, type: .decimal,
            isNullable: isNullable)
    }

    /// The codec that all codecs of a kind can be converted to.
    fileprivate var inCommonForm: Term {
        switch codec {
        case .guidBlob: Term(.call("odata_guid", [sql]), .guidText, type: type, isNullable: isNullable)
        case .instant: Term(instantText, .instantText, type: type, isNullable: isNullable)
        default: self
        }
    }
}
