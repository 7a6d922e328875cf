import ODataModel
import ODataQuery

/// `isof`. [OData-URL, section 5.1.1.10.2]
extension ExpressionTranslator {
    /// A primitive value is of its declared type and of the abstract types above it. Entities and complex values are
    /// tested by their own type name.
    func isOf(_ operand: QueryExpression?, _ type: EdmTypeReference) throws -> Term {
        let term = try operand.map { try self.term($0) } ?? cast(nil, to: declaredType)
        if term.literal == .null { return Term(condition: "0", isNullable: false) }
        let test: SQLFragment
        switch type {
        case .complex(let name), .entity(let name): test = try isOf(term, name)
        case .primitive(let primitive): test = isOf(term, primitive)
        case .enumeration(let name): test = enumeration(of: term)?.name == name ? "1" : "0"
        case .collection: test = term.type == type ? "1" : "0"
        }
        guard test != "0" else { return Term(condition: "0", isNullable: false) }
        guard term.isNullable else { return Term(condition: test.parenthesised, isNullable: false) }
        let present = term.sql + " IS NOT NULL"
        return Term(
            condition: test == "1"
                ? present.parenthesised : .call("coalesce", [SQLFragment.all([present, test]), "0"]),
            isNullable: false)
    }

    private var declaredType: EdmTypeReference {
        if case .element(_, let type) = this { return type }
        return it.type.reference
    }

    private func isOf(_ term: Term, _ name: EdmQualifiedName) throws -> SQLFragment {
        guard let type = context.model.structuredType(named: name) else { throw Self.unsupported("isof \(name)") }
        if let scope = term.entity { return scope.condition(forType: type) ?? "1" }
        guard term.codec == .json else { return "0" }
        if let declared = term.type, isKind(declared, of: type) { return "1" }
        return condition(json: term.sql, isKindOf: type) ?? "1"
    }

    private func isOf(_ term: Term, _ type: EdmPrimitiveType) -> SQLFragment {
        if type == .untyped || type == .primitiveType { return "1" }
        guard !term.isUntyped else {
            return .call("odata_as", [term.sql, SQLFragment.literal(type.rawValue)]) + " IS NOT NULL"
        }
        guard term.entity == nil, !term.isEnumeration, let own = term.type?.primitive ?? literalType(of: term) else {
            return "0"
        }
        let isAbove = type == .geography || type == .geometry
        return own == type || (isAbove && own.rawValue.hasPrefix(type.rawValue)) ? "1" : "0"
    }

    private func literalType(of term: Term) -> EdmPrimitiveType? { term.type == nil ? term.codec.primitive : nil }

    // MARK: Types of complex values

    /// Whether values of a type are all of `type`.
    func isKind(_ declared: EdmTypeReference, of type: EdmStructuredType) -> Bool {
        switch declared {
        case .complex(let name), .entity(let name):
            context.model.structuredType(named: name)?.isKind(of: type) ?? false
        case .collection(let element): isKind(element, of: type)
        default: false
        }
    }

    /// Whether the JSON of a complex value names `type`, or one that derives from it.
    func condition(json value: SQLFragment, isKindOf type: EdmStructuredType) -> SQLFragment? {
        let names = ([type] + context.model.derivedTypes(of: type)).map { SQLFragment.bound(.text("\($0.name)")) }
        return .call("odata_typename", [value]) + " IN " + names.joined(", ").parenthesised
    }
}
