/// A compiled entity data model: what a metadata document describes, with all names resolved.
public final class Model: Sendable, Hashable {
    /// The declarations as they were given, also those that compiling left out.
    public let schemas: [Schema]
    /// The documents that the metadata document refers to. Two models are equal whatever they refer to.
    public let references: [Reference]
    /// The entity sets and singletons of the container, in the order of the document.
    public let entitySets: [EntitySet]
    private let sets: [String: EntitySet]
    /// Without singletons.
    private let setsByType: [QualifiedName: [EntitySet]]
    private let types: [QualifiedName: StructuredType]
    private let enums: [QualifiedName: EnumType]
    private let definitions: [QualifiedName: TypeDefinition]
    private let derived: [QualifiedName: [StructuredType]]
    private let operations: [QualifiedName: [OperationDeclaration]]
    private let imports: [String: OperationImport]

    /// Compiles `schemas`.
    ///
    /// - Throws: ``ModelError`` if the type of a set or a base type cannot be resolved, if a name is declared twice, or
    ///   if types inherit in a circle.
    public convenience init(schemas: [Schema]) throws(ModelError) {
        var compiler = ModelCompiler(schemas: schemas)
        compiler.compile()
        if let problem = compiler.problems.first { throw problem }
        self.init(compiler, references: [])
    }

    /// Compiles what a metadata document declares, whatever is wrong with it: sets of unknown types, second
    /// declarations and relations that lead nowhere stay in ``schemas`` and are left out of the compiled model, and
    /// unknown or circular base types are passed over.
    ///
    /// - Returns: The model, and what is wrong with it.
    public static func lenient(
        schemas: [Schema], references: [Reference] = []
    ) -> (model: Model, problems: [ModelError]) {
        var compiler = ModelCompiler(schemas: schemas)
        compiler.compile()
        let model = Model(compiler, references: references)
        return (model, compiler.problems + ModelCheck.findings(in: model))
    }

    /// As ``lenient(schemas:references:)`` where it has been told what is wrong: nothing is looked for.
    package static func unchecked(schemas: [Schema], references: [Reference]) -> Model {
        var compiler = ModelCompiler(schemas: schemas)
        compiler.compile()
        return Model(compiler, references: references)
    }

    private init(_ compiler: ModelCompiler, references: [Reference]) {
        schemas = compiler.schemas
        self.references = references
        types = compiler.types
        enums = compiler.enums
        definitions = compiler.definitions
        entitySets = compiler.sets
        sets = Dictionary(compiler.sets.map { ($0.name, $0) }) { first, _ in first }
        setsByType = Dictionary(grouping: compiler.sets.filter { $0.kind == .entitySet }, by: \.type.name)
        derived = compiler.derivedTypes()
        operations = Dictionary(grouping: schemas.flatMap(\.operations), by: \.name)
        imports = Dictionary(schemas.flatMap(\.operationImports).map { ($0.name, $0) }) { first, _ in first }
    }

    /// The entity set or singleton of this name; nil if there is none.
    public func entitySet(named name: String) -> EntitySet? { sets[name] }

    /// The entity type or complex type of this name; nil if there is none.
    public func structuredType(named name: QualifiedName) -> StructuredType? { types[name] }

    /// The annotations of a type, and those of its base types behind them.
    package func annotations(withBasesOf type: StructuredType) -> [Annotation] {
        type.annotations + type.lineage.dropFirst().compactMap(structuredType(named:)).flatMap(\.annotations)
    }

    /// The enumeration type of this name; nil if there is none.
    public func enumType(named name: QualifiedName) -> EnumType? { enums[name] }

    /// The type definition of this name; nil if there is none.
    public func typeDefinition(named name: QualifiedName) -> TypeDefinition? { definitions[name] }

    /// The types that derive from `type`, directly or not, in the order of the document; without `type` itself.
    public func derivedTypes(of type: StructuredType) -> [StructuredType] { derived[type.name] ?? [] }

    /// The overloads of the named action or function.
    public func operations(named name: QualifiedName) -> [OperationDeclaration] { operations[name] ?? [] }

    /// The action import or function import of this name; nil if there is none.
    public func operationImport(named name: String) -> OperationImport? { imports[name] }

    /// The namespace that holds the entity container, or the first one.
    public var namespace: String {
        (schemas.first { $0.container != nil } ?? schemas.first)?.namespace ?? ""
    }

    /// The type at the other end of `navigation`.
    public func target(of navigation: NavigationProperty) -> StructuredType? { types[navigation.target] }

    /// The entity set that `navigation` leads to from `set`: its binding, or the only set of the target type.
    ///
    /// - Parameters:
    ///   - navigation: A navigation property of the set's type, or of a type derived from it.
    ///   - set: The entity set that the entities are in; nil for none.
    ///   - type: The type of the entities, or that of a cast: a binding whose path begins with a type (`NS.Car/Owner`)
    ///     holds for that type and those derived from it. Nil for the type of the set.
    public func targetSet(
        of navigation: NavigationProperty, from set: EntitySet?, as type: StructuredType? = nil
    ) -> EntitySet? {
        if let name = set?.binding(of: navigation.name, as: type) { return sets[name] }
        let candidates = setsByType[navigation.target] ?? []
        return candidates.count == 1 && !navigation.containsTarget ? candidates[0] : nil
    }

    /// The set that a navigation property in a complex value leads to: the one that the set binds its path to, else the only
    /// set of the target type.
    ///
    /// - Parameter steps: From a property of the entity to the navigation property.
    package func targetSet(
        of navigation: NavigationProperty, from set: EntitySet?, along steps: [BindingStep]
    ) -> EntitySet? {
        if let name = set?.binding(along: steps) { return sets[name] }
        return targetSet(of: navigation, from: nil)
    }

    public static func == (left: Model, right: Model) -> Bool { left === right || left.schemas == right.schemas }

    public func hash(into hasher: inout Hasher) { hasher.combine(namespace) }
}

/// An entity set or singleton of a compiled ``Model``.
public final class EntitySet: Sendable, Hashable, Annotated, CustomStringConvertible {
    /// What the container says of the set.
    public let declaration: EntitySetDeclaration
    /// The type of its entities, with everything it inherits; entities may be of types that derive from it.
    public let type: StructuredType
    /// Whether a binding may hold for some types only.
    package let hasCastBindings: Bool
    /// The bindings of what lies in complex properties.
    let complexBindings: [ComplexBinding]

    /// A set of entities of `type`, which is the compiled one that the declaration names.
    public init(declaration: EntitySetDeclaration, type: StructuredType) {
        self.declaration = declaration
        self.type = type
        let paths = declaration.bindings.filter { $0.key.contains("/") }
        hasCastBindings = paths.keys.contains { $0.contains(".") }
        complexBindings = paths.sorted { $0.key < $1.key }.compactMap { ComplexBinding(path: $0, target: $1) }
    }

    /// The first segment of its URLs, without a namespace: `Products`.
    public var name: String { declaration.name }
    /// Whether it holds many entities or is a singleton.
    public var kind: EntitySetDeclaration.Kind { declaration.kind }
    /// Path of a navigation property → name of the set that it leads to: `["Supplier": "Suppliers"]`.
    public var bindings: [String: String] { declaration.bindings }
    public var annotations: [Annotation] { declaration.annotations }
    public var description: String { name }

    public static func == (left: EntitySet, right: EntitySet) -> Bool {
        left === right || (left.declaration == right.declaration && left.type == right.type)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Why declarations do not make a model.
public struct ModelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name at fault.
    public var name: String
    /// What is wrong, as a sentence for people.
    public var message: String

    /// A declaration that does not fit.
    public init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    public var description: String { message }
}
