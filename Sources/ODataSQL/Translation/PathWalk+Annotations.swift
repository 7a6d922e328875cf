import ODataModel
import ODataQuery

/// Values of annotations.
///
/// [OData-URL, section 5.1.1.16]
extension PathWalk {
    /// `@OfflineStore.isLocal`, `Price/@Measures.ISOCurrency`: an annotation of the row, else what the model says of the
    /// property; null where nothing applies the term.
    mutating func follow(annotation name: String) throws {
        let term = translator.context.model.resolved(term: name)
        switch place {
        case .entity(let scope):
            guard let (operation, function) = scope.annotation(term) else { return answer(.nothing(.json)) }
            answer(function, of: scope, type: operation.result?.type)
        case .properties(let scope, let properties):
            guard properties.count == 1, let value = properties[0].annotation(term) else {
                return answer(.nothing(.json))
            }
            try follow(value, of: scope)
        case .json, .value, .members: answer(.nothing(.json))
        }
    }

    /// A constant, or the value that a path from the entity leads to.
    private mutating func follow(_ value: Annotation.Value, of scope: Scope) throws {
        switch value {
        case .bool(let value): answer(try Term(literal: .boolean(value), type: .boolean))
        case .int(let value): answer(try Term(literal: .integer(value), type: .int64))
        case .string(let value): answer(try Term(literal: .string(value), type: .string))
        case .path(.value, let path):
            guard let property = scope.type.property(named: path) else {
                throw ExpressionTranslator.unsupported("an annotation with the path \(path)")
            }
            answer(try translator.term([property], of: scope))
        case .null: answer(.nothing(.json))
        case .constant, .enumMember, .path, .collection, .record, .expression:
            throw ExpressionTranslator.unsupported("an annotation of this kind")
        }
    }
}

extension Scope {
    /// The function that says what an annotation of the rows says.
    fileprivate func annotation(_ term: String) -> (OperationDeclaration, RowFunction)? {
        for operation in context.model.operations(named: QualifiedName(term)) {
            if let function = source.function?(operation, nil) { return (operation, function) }
        }
        return nil
    }
}

extension Model {
    /// A term with the namespace in the place of an alias.
    fileprivate func resolved(term: String) -> String {
        guard let dot = term.lastIndex(of: ".") else { return term }
        let alias = String(term[..<dot])
        let included = references.flatMap(\.includes).first { $0.alias == alias }?.namespace
        let namespace = included ?? schemas.first { $0.alias == alias }?.namespace ?? alias
        return namespace + term[dot...]
    }
}
