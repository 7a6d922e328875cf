import ODataModel

/// Swift for the types, sets and operations of a model: entities that collections consist of, complex types,
/// enumerations, and a service.
///
/// ```swift
/// for file in try CodeGenerator(model: model).files() { … }
/// ```
///
/// The same model gives the same files.
public struct CodeGenerator: Sendable {
    /// Who can use what is written.
    public enum Access: String, Sendable, CaseIterable {
        case `public`
        case `internal`
    }

    public let model: EdmModel
    public var access = Access.internal
    /// The names of the entity sets and singletons to generate; nil for all. Their types are included with all that
    /// their properties lead to, and with the navigation properties among them.
    public var sets: [String]?
    /// Whether all properties but the key may be absent, for stores that have a part of them, as where a defining query
    /// has `$select`: an absent one is nil, and is not sent back as null.
    public var isPartial = false
    /// What the names of all types begin with: `Shop` makes `ShopProduct` of `Product`. So two models with types of the
    /// same names have room in one module.
    public var prefix = ""

    public init(model: EdmModel) { self.model = model }

    /// - Throws: ``GenerationError`` for a set that the model does not have, for a prefix that begins no name, and for a
    ///   model that declares nothing, which would empty the folder of an earlier run.
    public func files() throws(GenerationError) -> [GeneratedFile] {
        guard prefix.isEmpty || SwiftName.type(of: prefix) == prefix else {
            throw GenerationError(message: "The prefix \(prefix) is not a name of a Swift type, such as Shop.")
        }
        guard model.schemas.contains(where: \.hasDeclarations) else {
            throw GenerationError(message: "The metadata have no types, sets and operations to write Swift for.")
        }
        let selection = try TypeSelection(model, sets: sets)
        let names = TypeNames(model, prefix: prefix)
        return CodeWriter(selection: selection, names: names, isPublic: access == .public, isPartial: isPartial).files
    }

    /// The operations that get no method: those that are bound to complex or primitive values, those of the service
    /// itself without an import, and those with streams for arguments. In the order of the document.
    public var operationsWithoutMethod: [EdmQualifiedName] {
        let imported = Set(model.schemas.flatMap(\.operationImports).map(\.operation))
        var seen: Set<EdmQualifiedName> = []
        return model.schemas.flatMap(\.operations).filter { operation in
            if operation.arguments.contains(where: { $0.type.element == .stream }) { return true }
            guard let binding = operation.bindingType?.element else { return !imported.contains(operation.name) }
            if case .entity = binding { return false }
            return true
        }.map(\.name).filter { seen.insert($0).inserted }
    }

    /// Everything in one file: for builds that must know the names of files before they are written.
    ///
    /// - Throws: ``GenerationError`` as ``files()`` does.
    public func file(named name: String) throws(GenerationError) -> GeneratedFile {
        GeneratedFile(name: name, declarations: try files().map(\.declarations).joined(separator: "\n"))
    }
}

extension EdmSchema {
    /// Whether there is anything that code is written for.
    fileprivate var hasDeclarations: Bool {
        !(types.isEmpty && enumTypes.isEmpty && entitySets.isEmpty && operationImports.isEmpty)
    }
}
