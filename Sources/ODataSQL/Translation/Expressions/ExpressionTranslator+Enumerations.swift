import ODataModel
import ODataQuery

/// Enumeration values are compared by their numbers, however they are stored.
///
/// [OData-URL, section 5.1.1.1.10; OData-CSDLXML, section 10]
extension ExpressionTranslator {
    /// `Style has Model.Pattern'Yellow'`: every member of the right side is in the left one.
    func flags(_ left: Term, _ right: Term) throws -> SQLFragment {
        guard left.literal != .null, right.literal != .null else { return "NULL" }
        let type = enumeration(of: left) ?? enumeration(of: right)
        let value = try number(left, type)
        let mask = try number(right, type)
        return ("(" + value + " & " + mask + ") = " + mask).parenthesised
    }

    /// Equality with one member compares the stored text, so that an index can be used.
    func enumerations(_ left: Term, _ right: Term, ordered: Bool) throws -> (SQLFragment, SQLFragment) {
        let type = enumeration(of: left) ?? enumeration(of: right)
        if !ordered, type?.isFlags != true {
            if let text = memberName(right, type), left.codec == .text { return (left.collated, .bound(.text(text))) }
            if let text = memberName(left, type), right.codec == .text { return (.bound(.text(text)), right.collated) }
            if type == nil, left.codec == .text, right.codec == .text { return (left.collated, right.collated) }
        }
        return (try number(left, type), try number(right, type))
    }

    /// A value that rows are ordered by: enumerations by their numbers.
    func orderTerm(_ expression: QueryExpression) throws -> Term {
        var term = try orderedTerm(expression)
        if case .enumeration = term.codec { (term.codec, term.type) = (.integer, .int64) }
        return term
    }

    /// A value in a form that has its order: an enumeration as its number.
    func orderedTerm(_ expression: QueryExpression) throws -> Term {
        let term = try term(expression)
        guard term.literal == nil, term.codec == .text, let type = enumeration(of: term) else { return term }
        return Term(try number(term, type), .enumeration(type), type: term.type, isNullable: term.isNullable)
    }

    func enumeration(of term: Term) -> EdmEnumType? {
        if case .enumeration(let type) = term.codec { return type }
        if let name = term.type?.enumeration { return context.model.enumType(named: name) }
        if case .enumeration(let name, _) = term.literal { return context.model.enumType(named: name) }
        return nil
    }

    private func memberName(_ term: Term, _ type: EdmEnumType?) -> String? {
        guard let value = term.literal, let number = type?.number(of: value) else { return nil }
        return type?.members.first { $0.value == number }?.name
    }

    /// The number of an enumeration value.
    func number(_ term: Term, _ type: EdmEnumType?) throws -> SQLFragment {
        if let value = term.literal, let number = type?.number(of: value) { return .bound(.integer(number)) }
        switch term.codec {
        case .integer, .enumeration: return term.sql
        case .text:
            guard let type else { throw Self.unsupported("an enumeration that the model does not have") }
            return .call("odata_enumeration", [term.sql, .bound(.text(type.membersText))])
        default: throw Self.unsupported("a comparison of an enumeration with another type")
        }
    }
}

extension Term {
    /// Whether the codec is that of an enumeration.
    var isEnumeration: Bool {
        if case .enumeration = codec { return true }
        if case .enumeration = literal { return true }
        return false
    }
}

extension EdmEnumType {
    /// `Red=1,Yellow=2`: the argument that describes a type to the SQL functions for enumerations.
    var membersText: String { members.map { "\($0.name)=\($0.value)" }.joined(separator: ",") }
}
