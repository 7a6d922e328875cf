/// Resolves names and inheritance of declarations.
///
/// What cannot be resolved is left out and reported: nothing is refused here.
struct ModelCompiler {
    let schemas: [EdmSchema]
    private(set) var types: [EdmQualifiedName: EdmStructuredType] = [:]
    private(set) var enums: [EdmQualifiedName: EdmEnumType] = [:]
    private(set) var definitions: [EdmQualifiedName: EdmTypeDefinition] = [:]
    private(set) var sets: [EdmEntitySet] = []
    /// What contradicts itself or cannot be resolved.
    private(set) var problems: [EdmModelError] = []
    private var declarations: [EdmQualifiedName: EdmStructuredTypeDeclaration] = [:]
    private var entities: Set<EdmQualifiedName> = []

    /// Of base types: inherited members add up.
    private static let maximumDepth = 100
    /// Of inherited members in all types together, so that a small document cannot fill the memory.
    private static let maximumInherited = 4_000_000
    private var inheritedCount = 0

    init(schemas: [EdmSchema]) {
        self.schemas = schemas
    }

    mutating func compile() {
        for schema in schemas {
            for type in schema.types {
                if type.kind == .entity { entities.insert(type.name) }
                if declarations.updateValue(type, forKey: type.name) != nil { declareTwice("type", type.name) }
            }
            for type in schema.enumTypes where enums.updateValue(type, forKey: type.name) != nil {
                declareTwice("type", type.name)
            }
            for type in schema.typeDefinitions where definitions.updateValue(type, forKey: type.name) != nil {
                declareTwice("type", type.name)
            }
        }
        for schema in schemas {
            for type in schema.types { _ = self.type(named: type.name) }
        }
        compileSets()
    }

    /// Maps each base type to its derived types, in the order of the declarations.
    func derivedTypes() -> [EdmQualifiedName: [EdmStructuredType]] {
        var heirs: [EdmQualifiedName: [EdmStructuredType]] = [:]
        for declaration in schemas.flatMap(\.types) where declaration.baseType != nil {
            guard let type = types[declaration.name] else { continue }
            for ancestor in type.lineage.dropFirst() { heirs[ancestor, default: []].append(type) }
        }
        return heirs
    }

    private mutating func declareTwice(_ what: String, _ name: EdmQualifiedName) {
        problem("\(name)", "The \(what) \(name) is declared twice.")
    }

    private mutating func problem(_ name: String, _ message: String) {
        problems.append(EdmModelError(name: name, message: message))
    }

    /// The compiled type; nil if it is not declared.
    private mutating func type(named name: EdmQualifiedName) -> EdmStructuredType? {
        if let known = types[name] { return known }
        var (chain, base) = lineage(of: name)
        if let known = base, known.lineage.count + chain.count > Self.maximumDepth {
            problem("\(name)", "\(name) has more than the limit of \(Self.maximumDepth) base types.")
            base = nil
        }
        for declaration in chain.reversed() {
            inheritedCount += base.map { $0.properties.count + $0.navigationProperties.count } ?? 0
            if inheritedCount > Self.maximumInherited, base != nil {
                problem("\(declaration.name)", "The types inherit more members than the limit.")
                base = nil
            }
            let type = compiled(declaration, base: base)
            types[declaration.name] = type
            base = type
        }
        return types[name]
    }

    /// The declarations of a type and its base types that are not compiled yet, nearest first, and the base type of the
    /// last that is.
    private mutating func lineage(
        of name: EdmQualifiedName
    ) -> (chain: [EdmStructuredTypeDeclaration], base: EdmStructuredType?) {
        var chain: [EdmStructuredTypeDeclaration] = []
        var next: EdmQualifiedName? = name
        while let current = next {
            if let known = types[current] { return (chain, known) }
            guard let declaration = declarations[current] else {
                if let user = chain.last {
                    problem("\(user.name)", "The type \(current), used by \(user.name), is not declared.")
                }
                return (chain, nil)
            }
            guard !chain.contains(where: { $0.name == current }) else {
                problem("\(current)", "The type \(current) inherits from itself.")
                return (chain, nil)
            }
            guard chain.count < Self.maximumDepth else {
                problem("\(name)", "\(name) has more than the limit of \(Self.maximumDepth) base types.")
                return (chain, nil)
            }
            chain.append(declaration)
            next = declaration.baseType
        }
        return (chain, nil)
    }

    private func compiled(_ declaration: EdmStructuredTypeDeclaration, base: EdmStructuredType?) -> EdmStructuredType {
        let unresolved = declaration.navigationProperties.filter {
            !entities.contains($0.target) && $0.target != EdmQualifiedName("Edm.EntityType")
        }
        return EdmStructuredType(
            declaration: declaration, base: base, unresolved: Set(unresolved.map(\.name)),
            nestedKey: nestedKey(of: declaration, base: base))
    }

    /// The properties that lead to parts of the declared key that are in complex ones.
    private func nestedKey(of declaration: EdmStructuredTypeDeclaration, base: EdmStructuredType?) -> [[String]:
        [EdmProperty]]
    {
        var found: [[String]: [EdmProperty]] = [:]
        for path in declaration.key where path.contains("/") {
            let path = path.split(separator: "/").map(String.init)
            guard let first = path.first,
                let start = declaration.property(named: first) ?? base?.property(named: first)
            else { continue }
            found[path] = properties(at: path.dropFirst(), after: start)
        }
        return found
    }

    /// The properties of a path through complex ones to a primitive one; nil if it leads to none.
    private func properties(at path: ArraySlice<String>, after start: EdmProperty) -> [EdmProperty]? {
        var steps = [start]
        var property = start
        for name in path {
            guard case .complex(let type) = property.type, let next = member(name, of: type) else { return nil }
            steps.append(next)
            property = next
        }
        switch property.type {
        case .primitive, .enumeration: return steps
        case .complex, .entity, .collection: return nil
        }
    }

    /// A property of a type or of one of its base types, which need not be compiled yet.
    private func member(_ name: String, of type: EdmQualifiedName) -> EdmProperty? {
        var next: EdmQualifiedName? = type
        for _ in 0..<Self.maximumDepth {
            guard let declaration = next.flatMap({ declarations[$0] }) else { return nil }
            if let found = declaration.property(named: name) { return found }
            next = declaration.baseType
        }
        return nil
    }

    private mutating func compileSets() {
        var names: Set<String> = []
        for declaration in schemas.flatMap(\.entitySets) {
            guard names.insert(declaration.name).inserted else {
                problem(declaration.name, "The entity set \(declaration.name) is declared twice.")
                continue
            }
            guard let type = type(named: declaration.type), type.kind == .entity else {
                let user = "the entity set \(declaration.name)"
                problem(declaration.name, "The type \(declaration.type), used by \(user), is not declared.")
                continue
            }
            sets.append(EdmEntitySet(declaration: declaration, type: type))
        }
    }
}

extension EdmStructuredTypeDeclaration {
    fileprivate func property(named name: String) -> EdmProperty? { properties.last { $0.name == name } }
}
