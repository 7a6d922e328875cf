import ODataModel

/// Which types, sets and operations of a model code is written for.
struct TypeSelection {
    let model: EdmModel
    let sets: [EdmEntitySet]
    /// In the order of the document.
    let structuredTypes: [EdmStructuredType]
    let enumTypes: [EdmEnumType]
    let typeDeclarations: Set<EdmQualifiedName>

    /// - Parameter names: Of entity sets and singletons; nil for the whole model.
    init(_ model: EdmModel, sets names: [String]?) throws(GenerationError) {
        var chosen = model.entitySets
        if let names { chosen = try Self.sets(names, of: model) }
        var collector = TypeCollector(model: model)
        if names == nil { collector.addAll() } else { collector.add(chosen) }
        self.init(model, chosen, collector.names)
    }

    private init(_ model: EdmModel, _ sets: [EdmEntitySet], _ names: Set<EdmQualifiedName>) {
        (self.model, self.sets, typeDeclarations) = (model, sets, names)
        structuredTypes = model.schemas.flatMap(\.types).map(\.name).uniqued()
            .filter(names.contains).compactMap(model.structuredType(named:))
        enumTypes = model.schemas.flatMap(\.enumTypes).map(\.name).uniqued()
            .filter(names.contains).compactMap(model.enumType(named:))
    }

    /// Whether code is written for all types that the operation takes and gives. That which it is bound to may be a base
    /// type for which none is.
    func includes(_ operation: EdmOperationDeclaration) -> Bool {
        let types = operation.arguments.map(\.type) + (operation.result.map { [$0.type] } ?? [])
        return types.allSatisfy { type in
            switch type.element {
            case .primitive(let type): type != .stream
            case .entity(let name), .complex(let name), .enumeration(let name): typeDeclarations.contains(name)
            case .collection: false
            }
        }
    }

    private static func sets(_ names: [String], of model: EdmModel) throws(GenerationError) -> [EdmEntitySet] {
        if let unknown = names.first(where: { model.entitySet(named: $0) == nil }) {
            let known = model.entitySets.map(\.name).joined(separator: ", ")
            throw GenerationError(message: "There is no entity set \(unknown). The sets are \(known).")
        }
        let wanted = Set(names)
        return model.entitySets.filter { wanted.contains($0.name) }
    }
}

/// Why no code can be written.
public struct GenerationError: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String
    public var description: String { message }
}

/// The types that chosen sets lead to by properties, containment and inheritance, and those of operations on them.
private struct TypeCollector {
    let model: EdmModel
    private(set) var names: Set<EdmQualifiedName> = []

    init(model: EdmModel) { self.model = model }

    mutating func addAll() {
        for schema in model.schemas { names.formUnion(schema.types.map(\.name) + schema.enumTypes.map(\.name)) }
    }

    mutating func add(_ sets: [EdmEntitySet]) {
        for set in sets { add(set.type) }
        for operation in model.schemas.flatMap(\.operations) where concernsChosen(operation) {
            let types = operation.arguments.map(\.type) + (operation.result.map { [$0.type] } ?? [])
            for type in types { add(type) }
        }
    }

    /// Whether the operation can be called with the chosen entity types.
    private func concernsChosen(_ operation: EdmOperationDeclaration) -> Bool {
        let types = operation.arguments.map(\.type) + (operation.result.map { [$0.type] } ?? [])
        return isBoundToChosen(operation)
            && types.allSatisfy { type in
                if case .entity(let name) = type.element { names.contains(name) } else { true }
            }
    }

    /// Whether it is not bound, or to a chosen entity type or a base type of one.
    private func isBoundToChosen(_ operation: EdmOperationDeclaration) -> Bool {
        guard case .entity(let base)? = operation.bindingType?.element else { return true }
        return names.contains { model.structuredType(named: $0)?.lineage.contains(base) == true }
    }

    private mutating func add(_ reference: EdmTypeReference) {
        switch reference.element {
        case .complex(let name): model.structuredType(named: name).map { add($0) }
        case .enumeration(let name): names.insert(name)
        default: break
        }
    }

    private mutating func add(_ type: EdmStructuredType) {
        guard names.insert(type.name).inserted else { return }
        for property in type.properties { add(property.type) }
        for navigation in type.navigationProperties where navigation.containsTarget {
            model.target(of: navigation).map { add($0) }
        }
        if type.kind == .entity {
            for derived in model.derivedTypes(of: type) { add(derived) }
        }
    }
}

extension Array where Element: Hashable {
    /// Without those that have come before.
    fileprivate func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
