import ODataModel
import ODataQuery

/// `cast`: null where the value cannot be converted. [OData-URL, section 5.1.1.10.1]
extension ExpressionTranslator {
    func cast(_ operand: QueryExpression?, to type: EdmTypeReference) throws -> Term {
        let term = try operand.map { try self.term($0) } ?? instance()
        if term.literal == .null { return .nothing(codec(of: type), type: type) }
        switch type {
        case .primitive(let primitive): return try cast(term, to: primitive)
        case .enumeration(let name):
            guard let target = context.model.enumType(named: name) else {
                throw Self.unsupported("a cast to \(name)")
            }
            return try cast(term, to: target)
        case .complex(let name), .entity(let name):
            guard let target = context.model.structuredType(named: name) else {
                throw Self.unsupported("a cast to \(name)")
            }
            return try cast(term, to: target)
        case .collection(let element): return try cast(members: term, to: element)
        }
    }

    /// The instance that paths start at.
    private func instance() throws -> Term {
        guard case .element(let alias, let type) = this else { return try entity(it) }
        return try element(alias, type)
    }

    private func codec(of type: EdmTypeReference) -> ColumnCodec {
        switch type {
        case .primitive(let primitive): .computed(primitive)
        case .enumeration: .text
        case .entity: .integer
        case .complex, .collection: .json
        }
    }

    // MARK: Primitive types

    private func cast(_ term: Term, to type: EdmPrimitiveType) throws -> Term {
        let result: EdmTypeReference = .primitive(type)
        if term.entity != nil { throw Self.unsupported("a cast of an entity to \(result)") }
        if type == .string { return try text(term) }
        if type.isGeospatial, term.codec == .json {
            return Term(.call("odata_geocast", [term.sql, name(type)]), .json, type: result)
        }
        if type == .untyped || type == .primitiveType { return term }
        if let enumeration = enumeration(of: term), type.isNumeric {
            let number = Term(try number(term, enumeration), .integer, type: .int64)
            return try cast(number, to: type)
        }
        if term.isUntyped || term.codec == .text {
            return Term(.call("odata_as", [term.sql, name(type)]), .computed(type), type: result)
        }
        if term.codec.isNumber, type.isNumeric { return cast(number: term, to: type) }
        switch (term.codec.comparability, type) {
        case (.boolean, .boolean), (.guid, .guid), (.blob, .binary), (.date, .date), (.timeOfDay, .timeOfDay),
            (.instant, .dateTimeOffset), (.duration, .duration):
            var same = term
            same.type = result
            return same
        case (.instant, .date): return Term(.call("odata_date", [term.instantText]), .date, type: result)
        case (.instant, .timeOfDay): return Term(.call("odata_time", [term.instantText]), .timeOfDay, type: result)
        case (.date, .dateTimeOffset):
            return Term((term.sql + " || 'T00:00:00'").parenthesised, .instantText, type: result)
        default: return .nothing(.computed(type), type: result)
        }
    }

    private func name(_ type: EdmPrimitiveType) -> SQLFragment { SQLFragment.literal(type.rawValue) }

    private func cast(number: Term, to type: EdmPrimitiveType) -> Term {
        let result: EdmTypeReference = .primitive(type)
        if let range = type.integerRange {
            if number.isInteger, type == .int64 { return Term(number.sql, .integer, type: result) }
            let bounds = [range.lowerBound, range.upperBound].map { SQLFragment.bound(.integer($0)) }
            return Term(.call("odata_integer", [number.sql] + bounds), .integer, type: result)
        }
        switch type {
        case .decimal: return Term(.call("odata_decimal", [number.sql]), .decimalText, type: result)
        case .single: return Term(.call("odata_as", [number.real, name(type)]), .real, type: result)
        default: return Term(number.real, .real, type: result)
        }
    }

    /// The text of a value as in payloads; well-known text for geography and geometry values.
    func text(_ term: Term) throws -> Term {
        if term.literal == .null { return .nothing(.text, type: .string) }
        let sql: SQLFragment
        if let type = enumeration(of: term), term.codec != .text {
            sql = .call("odata_membername", [term.sql, .bound(.text(type.membersText)), type.isFlags ? "1" : "0"])
        } else {
            switch term.codec {
            case .text: sql = term.sql
            case .integer, .enumeration: sql = "CAST(" + term.sql + " AS TEXT)"
            case .boolean: sql = "CASE " + term.sql + " WHEN 1 THEN 'true' WHEN 0 THEN 'false' END"
            case .guidText, .guidBlob: sql = .call("odata_guid", [term.sql])
            case .json where term.type?.primitive?.isGeospatial == true || term.literal?.isGeo == true:
                sql = .call("odata_wkt", [term.sql, SQLFragment.literal(family(term))])
            case .json: sql = term.sql
            case .instant, .instantText: sql = .call("odata_lexical", [term.instantText, "'DateTimeOffset'"])
            case .real where term.type == .primitive(.single): sql = .call("odata_lexical", [term.sql, "'Single'"])
            default: sql = .call("odata_lexical", [term.sql, name(term.codec.primitive)])
            }
        }
        return Term(sql, .text, type: .string, isNullable: term.isNullable)
    }

    private func family(_ term: Term) -> String {
        term.type?.primitive?.rawValue.hasPrefix("Geometry") == true ? "geometry" : "geography"
    }

    // MARK: Enumerations and structures

    private func cast(_ term: Term, to type: EdmEnumType) throws -> Term {
        let result: EdmTypeReference = .enumeration(type.name)
        if let own = enumeration(of: term) {
            return own.name == type.name ? term : .nothing(.text, type: result)
        }
        let members = SQLFragment.bound(.text(type.membersText))
        if term.codec == .text {
            return Term(.call("odata_enumeration", [term.sql, members]), .enumeration(type), type: result)
        }
        guard term.isInteger || term.isUntyped else { return .nothing(.enumeration(type), type: result) }
        let sql = SQLFragment.call("odata_enumerationnumber", [term.sql, members, type.isFlags ? "1" : "0"])
        return Term(sql, .enumeration(type), type: result)
    }

    private func cast(_ term: Term, to type: EdmStructuredType) throws -> Term {
        if let scope = term.entity {
            guard let condition = scope.condition(forType: type) else { return term }
            var cast = term.guarded(by: [condition])
            cast.type = type.reference
            return cast
        }
        guard term.codec == .json else { return .nothing(.json, type: type.reference) }
        var cast = term
        cast.type = type.reference
        if let declared = term.type, isKind(declared, of: type) { return cast }
        return cast.guarded(by: condition(json: term.sql, isKindOf: type).map { [$0] } ?? [])
    }

    private func cast(members term: Term, to type: EdmTypeReference) throws -> Term {
        let members = try members(in: term)
        guard case .element(let alias, let element) = members.variable else { return term }
        var inner = self
        inner.this = members.variable
        let value = try inner.element(alias, element)
        let path = PropertyPath(variableSet: nil, variableType: nil, steps: [])
        let item = value.literal == .null ? value : try inner.cast(.path(path), to: type)
        let list: SQLFragment = "SELECT json_group_array(" + (try json(item)) + ") FROM " + members.tables
        return Term(
            "CASE WHEN " + term.sql + " IS NOT NULL THEN (" + list + ") END", .json, type: .collection(type))
    }
}

extension EdmValue {
    fileprivate var isGeo: Bool { if case .geo = self { true } else { false } }
}
