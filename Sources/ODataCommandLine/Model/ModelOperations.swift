import OData

/// The actions and functions of a model, by what they belong to.
struct ModelOperations {
    private let model: EdmModel
    private let types: Set<EdmQualifiedName>
    private let bound: [EdmQualifiedName: [EdmOperationDeclaration]]
    private let imported: Set<EdmQualifiedName>

    init(_ model: EdmModel) {
        self.model = model
        types = Set(model.schemas.flatMap(\.types).map(\.name))
        bound = model.schemas.flatMap(\.operations).reduce(into: [:]) { bound, operation in
            if let owner = Self.owner(of: operation) { bound[owner, default: []].append(operation) }
        }
        imported = Set(model.schemas.flatMap(\.operationImports).map(\.operation))
    }

    /// In the order of the document; those that are bound to collections of the type are among them.
    func bound(to type: EdmQualifiedName) -> [EdmOperationDeclaration] { bound[type] ?? [] }

    /// The operations of the import.
    func overloads(of operationImport: EdmOperationImport) -> [EdmOperationDeclaration] {
        model.operations(named: operationImport.operation).filter {
            !$0.isBound && $0.kind == operationImport.kind
        }
    }

    /// Whether neither a type nor an import has it.
    func standsAlone(_ operation: EdmOperationDeclaration) -> Bool {
        guard operation.isBound else { return !imported.contains(operation.name) }
        return Self.owner(of: operation).map { !types.contains($0) } ?? true
    }

    /// `action Approve(comment: String?) → Boolean`, `function Newest() → Photo on a collection`
    func text(_ operation: EdmOperationDeclaration, _ names: ModelNames) -> String {
        let kind = operation.kind == .action ? "action" : "function"
        var text = "\(kind) \(names.text(operation))"
        if operation.bindingType?.isCollection == true { text += " on a collection" }
        if standsAlone(operation), let first = operation.parameters.first, operation.isBound {
            text += " of \(names.text(first))"
        }
        return text
    }

    private static func owner(of operation: EdmOperationDeclaration) -> EdmQualifiedName? {
        switch operation.bindingType?.element {
        case .entity(let name)?, .complex(let name)?: name
        default: nil
        }
    }
}
