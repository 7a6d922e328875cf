import ODataModel
import ODataQuery

/// Comparison of entities, complex values and collections.
///
/// [OData-URL, section 5.1.1.1.1]
extension ExpressionTranslator {
    /// Two entities are equal if they are the same row of the same set.
    func entities(_ left: Term, _ right: Term) throws -> (SQLFragment, SQLFragment) {
        guard let first = left.entity, let second = right.entity else {
            throw Self.unsupported("a comparison of an entity with a value")
        }
        // Rows that a step of `$apply` has made have the row ids of their entities.
        let areOfOneSet = first.set == second.set && first.source.rowID != nil
        guard first.source.table != second.source.table, !areOfOneSet || first.source.rowID != second.source.rowID
        else { return (left.sql, right.sql) }
        return (
            "CASE WHEN " + left.sql + " IS NOT NULL THEN 1 END", "CASE WHEN " + right.sql + " IS NOT NULL THEN 2 END"
        )
    }

    /// Complex values and collections are equal if their members are equal, regardless of the order of members in the
    /// text.
    func structures(_ left: Term, _ right: Term, ordered: Bool) throws -> (SQLFragment, SQLFragment) {
        guard !ordered else { throw Self.unsupported("an order of structured values") }
        guard left.codec == .json, right.codec == .json else {
            throw Self.unsupported("a comparison of a structured value with a primitive one")
        }
        let kind = Self.kind(left, right)
        return (.call("odata_canonical", [left.sql, kind]), .call("odata_canonical", [right.sql, kind]))
    }

    /// The name of the primitive type of the members of a collection, for the functions that compare them.
    static func kind(_ first: Term, _ second: Term) -> SQLFragment {
        let type = first.type?.innermost ?? second.type?.innermost
        return .literal(type?.rawValue ?? "")
    }

    /// The value of an untyped operand if it fits the other operand, else null.
    func typed(_ term: Term, like other: Term) throws -> Term {
        if other.codec == .json { return Term(term.sql, .json, type: other.type) }
        if let type = enumeration(of: other) {
            return Term(.call("odata_as", [term.unwrapped.sql, "'String'"]), .text, type: .enumeration(type.name))
        }
        let type = other.type?.primitive ?? other.codec.primitive
        return typed(term, as: type)
    }

    /// The value of an untyped operand if it is of the given type, else null. Typed terms are returned unchanged.
    func typed(_ term: Term, as type: EdmPrimitiveType) -> Term {
        guard term.isUntyped else { return term }
        let term = term.unwrapped
        let isInteger = type.integerRange != nil
        let codec: ColumnCodec = isInteger || type == .decimal ? .decimalText : .computed(type)
        let name = type.isNumeric ? (codec == .real ? "Double" : "Decimal") : type.rawValue
        let value = name == "Decimal" ? term.memberText ?? term.sql : term.sql
        return Term(.call("odata_as", [value, SQLFragment.literal(name)]), codec, type: .primitive(type))
    }
}

extension EdmTypeReference {
    /// The primitive type of a value, of the members of a collection, of the members of its members.
    fileprivate var innermost: EdmPrimitiveType? {
        switch self {
        case .primitive(let type): type
        case .collection(let element): element.innermost
        default: nil
        }
    }
}

extension ColumnCodec {
    /// The primitive type that this codec implies, if the type is not known otherwise.
    var primitive: EdmPrimitiveType {
        switch self {
        case .integer, .enumeration: .int64
        case .boolean: .boolean
        case .real: .double
        case .text, .json: .string
        case .blob: .binary
        case .decimalNumber, .decimalText: .decimal
        case .guidText, .guidBlob: .guid
        case .date: .date
        case .instant, .instantText: .dateTimeOffset
        case .timeOfDay: .timeOfDay
        case .durationText: .duration
        }
    }
}
