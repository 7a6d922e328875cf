import ODataModel
import ODataQuery

/// Values inside JSON: members of complex values and of collections, dynamic properties.
extension ExpressionTranslator {
    /// The value of a member of the JSON in `root`.
    func json(_ root: SQLFragment, _ names: [String], type: EdmTypeReference) throws -> Term {
        guard !names.isEmpty else { return try value(root, type: type) }
        let exact = SQLFragment.call("odata_member", [root] + names.map { .bound(.text($0)) })
        if type == .decimal || type == .int64 { return try value(exact, type: type) }
        var term = try value(root.extracting(names), type: type)
        if type.isUntyped { term.memberText = exact }
        return term
    }

    /// A member of a collection: a value of its `json_each`.
    func element(_ alias: String, _ type: EdmTypeReference) throws -> Term {
        try value(SQLFragment.column(alias, "value"), type: type)
    }

    /// A value as SQLite extracts it from JSON.
    private func value(_ sql: SQLFragment, type: EdmTypeReference) throws -> Term {
        guard case .primitive(let primitive) = type else {
            if case .enumeration = type { return Term(sql, .text, type: type) }
            return Term(sql, .json, type: type)
        }
        switch primitive {
        case .dateTimeOffset: return Term(.call("odata_instant", [sql, "'text'"]), .instantText, type: type)
        case .binary: return Term(.call("odata_as", [sql, "'Binary'"]), .blob, type: type)
        case .double, .single: return Term(.call("odata_as", [sql, "'Double'"]), .real, type: type)
        case .int64: return Term(.call("odata_as", [sql, "'Int64'"]), .integer, type: type)
        case .decimal: return Term(.call("odata_as", [sql, "'Decimal'"]), .decimalText, type: type)
        default: return Term(sql, .computed(primitive), type: type)
        }
    }

    /// Values of different kinds in one form: JSON if no other codec holds all of them.
    func inOneForm(_ terms: [Term]) throws -> [Term] {
        let known = terms.filter { $0.literal != .null }
        guard let first = known.first, known.contains(where: { $0.codec != first.codec }) else { return terms }
        guard known.allSatisfy({ $0.isOneKind(with: first) }) else {
            return try terms.map { $0.literal == .null ? $0 : try untyped($0) }
        }
        return try unified(terms)
    }

    /// A value as JSON, the form of untyped values.
    func untyped(_ term: Term) throws -> Term {
        let text = SQLFragment.call("json_quote", [try json(term)])
        return Term(
            "CASE WHEN " + term.sql + " IS NOT NULL THEN " + text + " END", .json, type: .primitive(.untyped))
    }

    /// The members of a JSON array.
    func members(in term: Term) throws -> CollectionMembers {
        guard term.codec == .json || term.isUntyped else { throw Self.unsupported("a single value as a collection") }
        let element = term.type?.element ?? elementType(of: term.literal) ?? .primitive(.untyped)
        let alias = context.alias()
        let array = element == .decimal ? SQLFragment.call("odata_numbertexts", [term.sql]) : term.sql
        return CollectionMembers(
            tables: .call("json_each", [array]).named(alias), conditions: [],
            variable: .element(alias, element))
    }

    /// The type of the members of a collection in JSON that has none of its own.
    private func elementType(of value: EdmValue?) -> EdmTypeReference? {
        guard case .collection(let items) = value, let first = items.first(where: { !$0.isNull }) else { return nil }
        switch first {
        case .complex, .collection, .null, .geo: return nil
        case .enumeration(let name, _): return .enumeration(name)
        default: return (try? Term(literal: first)).map { .primitive($0.codec.primitive) }
        }
    }

    /// A collection as JSON; for entities the row ids.
    func list(_ members: CollectionMembers) throws -> Term {
        let item = try members.term(self)
        let array = SQLFragment.call("json_group_array", [try json(item)])
        let statement = SelectStatement([array], tables: members.tables, where: members.conditions)
        return Term(
            statement.sql.parenthesised, .json, type: .collection(item.type ?? .primitive(.untyped)), isNullable: false)
    }
}

extension SQLFragment {
    /// `json_extract(value, '$."City"')`
    func extracting(_ names: [String]) -> SQLFragment {
        .call("json_extract", [self, .bound(.text("$" + names.map { ".\"\($0)\"" }.joined()))])
    }
}

extension Term {
    /// Whether both are numbers, or values of the same type that may be stored differently.
    fileprivate func isOneKind(with other: Term) -> Bool {
        guard !isEnumeration, !other.isEnumeration else { return false }
        return codec.isNumber && other.codec.isNumber || codec.comparability == other.codec.comparability
    }
}
