/// Resolves names and inheritance of declarations.
struct ModelCompiler {
    let schemas: [Schema]
    private(set) var types: [QualifiedName: StructuredType] = [:]
    private(set) var enums: [QualifiedName: EnumType] = [:]
    private(set) var sets: [EntitySet] = []
    private var declarations: [QualifiedName: StructuredTypeDeclaration] = [:]
    private var underway: Set<QualifiedName> = []

    init(schemas: [Schema]) {
        self.schemas = schemas
    }

    mutating func compile() throws(ModelError) {
        for schema in schemas {
            for type in schema.types {
                guard declarations.updateValue(type, forKey: type.name) == nil else {
                    throw ModelError(name: "\(type.name)", message: "The type \(type.name) is declared twice.")
                }
            }
            for type in schema.enumTypes { enums[type.name] = type }
        }
        for name in declarations.keys { _ = try type(named: name, usedBy: "the model") }
        try compileSets()
    }

    /// For each type with heirs all of them, in the order of the declarations.
    func derivedTypes() -> [QualifiedName: [StructuredType]] {
        var heirs: [QualifiedName: [StructuredType]] = [:]
        for declaration in schemas.flatMap(\.types) where declaration.baseType != nil {
            guard let type = types[declaration.name] else { continue }
            for ancestor in type.lineage.dropFirst() { heirs[ancestor, default: []].append(type) }
        }
        return heirs
    }

    private mutating func type(named name: QualifiedName, usedBy user: String) throws(ModelError) -> StructuredType {
        if let known = types[name] { return known }
        guard let declaration = declarations[name] else {
            throw ModelError(name: "\(name)", message: "The type \(name), used by \(user), is not declared.")
        }
        guard underway.insert(name).inserted else {
            throw ModelError(name: "\(name)", message: "The type \(name) inherits from itself.")
        }
        defer { underway.remove(name) }
        var base: StructuredType?
        if let baseName = declaration.baseType { base = try type(named: baseName, usedBy: "\(name)") }
        let compiled = StructuredType(declaration: declaration, base: base)
        types[name] = compiled
        return compiled
    }

    private mutating func compileSets() throws(ModelError) {
        var names: Set<String> = []
        for declaration in schemas.flatMap(\.entitySets) {
            guard names.insert(declaration.name).inserted else {
                throw ModelError(
                    name: declaration.name, message: "The entity set \(declaration.name) is declared twice.")
            }
            let type = try type(named: declaration.type, usedBy: "the entity set \(declaration.name)")
            sets.append(EntitySet(declaration: declaration, type: type))
        }
    }
}
