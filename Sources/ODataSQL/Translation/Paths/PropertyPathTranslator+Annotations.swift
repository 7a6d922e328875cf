import ODataModel
import ODataQuery

/// Values of annotations.
///
/// [OData-URL, section 5.1.1.16]
extension PropertyPathTranslator {
    /// `@OfflineStore.isLocal`, `Price/@Measures.ISOCurrency`: an annotation of the row, or else of the property in the
    /// model; null if the term is not applied.
    mutating func follow(annotation name: String) throws {
        let term = translator.context.model.resolved(term: name)
        switch place {
        case .entity(let scope):
            guard let (operation, function) = scope.annotation(term) else { return setValue(.nothing(.json)) }
            setValue(function, of: scope, type: operation.result?.type)
        case .properties(let scope, let properties):
            guard properties.count == 1, let value = properties[0].annotation(term) else {
                return setValue(.nothing(.json))
            }
            try follow(value, of: scope)
        case .json, .value, .members: setValue(.nothing(.json))
        }
    }

    /// A constant, the value at a path from the entity, or JSON of such values.
    private mutating func follow(_ value: EdmAnnotation.Value, of scope: TableScope) throws {
        if case .path(.value, let path) = value {
            let steps = try scope.steps(along: path)
            restart(at: scope)
            return try follow(steps)
        }
        setValue(try term(value, of: scope))
    }

    /// A constant or a value of the entity; JSON for a collection or record of these.
    private func term(_ value: EdmAnnotation.Value, of scope: TableScope) throws -> Term {
        switch value {
        case .path(.value, let path):
            var walk = PropertyPathTranslator(translator, from: .entity(scope))
            try walk.follow(try scope.steps(along: path))
            return try walk.term()
        case .collection(let items):
            let terms = try items.map { try term($0, of: scope) }
            let types = Set(terms.map { $0.type ?? .primitive(.untyped) })
            let element = types.count == 1 ? types.first : nil
            return Term(
                .call("json_array", try terms.map(member)), .json,
                type: .collection(element ?? .primitive(.untyped)), isNullable: false)
        case .record(let record):
            let members = try record.members.flatMap { item -> [SQLFragment] in
                [.bound(.text(item.name)), try member(try term(item.value, of: scope))]
            }
            return Term(
                .call("json_object", members), .json, type: .primitive(.untyped), isNullable: false)
        default:
            guard let (constant, type) = Self.constant(value) else {
                throw ExpressionTranslator.unsupported("an annotation that is an expression")
            }
            return constant.isNull ? .nothing(.json) : try Term(literal: constant, type: type)
        }
    }

    private func member(_ term: Term) throws -> SQLFragment {
        guard term.entity == nil else { throw ExpressionTranslator.unsupported("an annotation with an entity in it") }
        return try translator.json(term)
    }

    /// A value that is the same for all rows, and its type; nil for others.
    private static func constant(_ value: EdmAnnotation.Value) -> (EdmValue, EdmTypeReference)? {
        switch value {
        case .null: return (.null, .primitive(.untyped))
        case .bool(let value): return (.boolean(value), .boolean)
        case .int(let value): return (.integer(value), .int64)
        case .string(let value): return (.string(value), .string)
        case .constant(let type, let text):
            guard let value = EdmValue(lexical: text, type: .primitive(type)) else { return nil }
            return (value, .primitive(type))
        case .enumMember(let type, let members):
            return (.enumeration(type, members.joined(separator: ",")), .enumeration(type))
        // The value is the path itself, not the value at its end.
        case .path(_, let path): return (.string(path), .string)
        case .collection, .record, .expression: return nil
        }
    }
}

extension TableScope {
    /// `Address/City`, `Customer/Name`: the steps of a path of the model from the entity.
    fileprivate func steps(along path: String) throws -> [PropertyPath.Step] {
        var owner: EdmStructuredType? = type
        return try path.split(separator: "/").map { name -> PropertyPath.Step in
            if let property = owner?.property(named: String(name)) {
                owner = nil
                if case .complex(let name) = property.type { owner = context.model.structuredType(named: name) }
                return .property(property)
            }
            guard let navigation = owner?.navigationProperty(named: String(name)), !navigation.isCollection,
                let target = context.model.target(of: navigation)
            else { throw ExpressionTranslator.unsupported("an annotation with the path \(path)") }
            owner = target
            return .navigation(navigation, nil, target)
        }
    }

    /// The function that returns the value of an annotation of the rows.
    fileprivate func annotation(_ term: String) -> (EdmOperationDeclaration, RowFunction)? {
        for operation in context.model.operations(named: EdmQualifiedName(term)) {
            if let function = source.function?(operation, nil) { return (operation, function) }
        }
        return nil
    }
}

extension EdmModel {
    /// A term with the namespace in place of its alias.
    fileprivate func resolved(term: String) -> String {
        guard let dot = term.lastIndex(of: ".") else { return term }
        let alias = String(term[..<dot])
        let included = references.flatMap(\.includes).first { $0.alias == alias }?.namespace
        let namespace = included ?? schemas.first { $0.alias == alias }?.namespace ?? alias
        return namespace + term[dot...]
    }
}
