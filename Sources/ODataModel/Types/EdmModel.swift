/// A compiled entity data model: what a metadata document describes, with all names resolved.
public final class EdmModel: Sendable, Hashable {
    /// The declarations as they were given, also those that compiling left out.
    public let schemas: [EdmSchema]
    /// The documents that the metadata document refers to. Two models are equal whatever they refer to.
    public let references: [EdmReference]
    /// The entity sets and singletons of the container, in the order of the document.
    public let entitySets: [EdmEntitySet]
    private let sets: [String: EdmEntitySet]
    /// Without singletons.
    private let setsByType: [EdmQualifiedName: [EdmEntitySet]]
    private let types: [EdmQualifiedName: EdmStructuredType]
    private let enums: [EdmQualifiedName: EdmEnumType]
    private let definitions: [EdmQualifiedName: EdmTypeDefinition]
    private let derived: [EdmQualifiedName: [EdmStructuredType]]
    private let operations: [EdmQualifiedName: [EdmOperationDeclaration]]
    private let imports: [String: EdmOperationImport]

    /// Compiles `schemas`.
    ///
    /// - Throws: ``EdmModelError`` if the type of a set or a base type cannot be resolved, if a name is declared twice, or
    ///   if types inherit in a cycle.
    public convenience init(schemas: [EdmSchema]) throws(EdmModelError) {
        var compiler = ModelCompiler(schemas: schemas)
        compiler.compile()
        if let problem = compiler.problems.first { throw problem }
        self.init(compiler, references: [])
    }

    /// Compiles what a metadata document declares, whatever is wrong with it: sets of unknown types, second
    /// declarations and navigation properties that lead nowhere stay in ``schemas`` and are left out of the compiled
    /// model, and unknown or circular base types are ignored.
    ///
    /// - Returns: The model, and what is wrong with it.
    public static func lenient(
        schemas: [EdmSchema], references: [EdmReference] = []
    ) -> (model: EdmModel, problems: [EdmModelError]) {
        var compiler = ModelCompiler(schemas: schemas)
        compiler.compile()
        let model = EdmModel(compiler, references: references)
        return (model, compiler.problems + ModelCheck.findings(in: model))
    }

    /// As ``lenient(schemas:references:)`` where the errors are known already: nothing is checked.
    package static func unchecked(schemas: [EdmSchema], references: [EdmReference]) -> EdmModel {
        var compiler = ModelCompiler(schemas: schemas)
        compiler.compile()
        return EdmModel(compiler, references: references)
    }

    private init(_ compiler: ModelCompiler, references: [EdmReference]) {
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
    public func entitySet(named name: String) -> EdmEntitySet? { sets[name] }

    /// The entity type or complex type of this name; nil if there is none.
    public func structuredType(named name: EdmQualifiedName) -> EdmStructuredType? { types[name] }

    /// The annotations of a type, and those of its base types behind them.
    package func annotations(withBasesOf type: EdmStructuredType) -> [EdmAnnotation] {
        type.annotations + type.lineage.dropFirst().compactMap(structuredType(named:)).flatMap(\.annotations)
    }

    /// The enumeration type of this name; nil if there is none.
    public func enumType(named name: EdmQualifiedName) -> EdmEnumType? { enums[name] }

    /// The type definition of this name; nil if there is none.
    public func typeDefinition(named name: EdmQualifiedName) -> EdmTypeDefinition? { definitions[name] }

    /// The types that derive from `type`, directly or not, in the order of the document; without `type` itself.
    public func derivedTypes(of type: EdmStructuredType) -> [EdmStructuredType] { derived[type.name] ?? [] }

    /// The overloads of the named action or function.
    public func operations(named name: EdmQualifiedName) -> [EdmOperationDeclaration] { operations[name] ?? [] }

    /// The action import or function import of this name; nil if there is none.
    public func operationImport(named name: String) -> EdmOperationImport? { imports[name] }

    /// The namespace that holds the entity container, or the first one.
    public var namespace: String {
        (schemas.first { $0.container != nil } ?? schemas.first)?.namespace ?? ""
    }

    /// The type at the other end of `navigation`.
    public func target(of navigation: EdmNavigationProperty) -> EdmStructuredType? { types[navigation.target] }

    /// The entity set that `navigation` leads to from `set`: its binding, or the only set of the target type.
    ///
    /// - Parameters:
    ///   - navigation: A navigation property of the set's type, or of a type derived from it.
    ///   - set: The entity set that the entities are in; nil for none.
    ///   - type: The type of the entities, or that of a cast: a binding whose path begins with a type (`NS.Car/Owner`)
    ///     holds for that type and those derived from it. Nil for the type of the set.
    public func targetSet(
        of navigation: EdmNavigationProperty, from set: EdmEntitySet?, as type: EdmStructuredType? = nil
    ) -> EdmEntitySet? {
        if let name = set?.binding(of: navigation.name, as: type) { return sets[name] }
        let candidates = setsByType[navigation.target] ?? []
        return candidates.count == 1 && !navigation.containsTarget ? candidates[0] : nil
    }

    /// The set that a navigation property in a complex value leads to: the one that the set binds its path to, else the only
    /// set of the target type.
    ///
    /// - Parameter steps: From a property of the entity to the navigation property.
    package func targetSet(
        of navigation: EdmNavigationProperty, from set: EdmEntitySet?, along steps: [BindingStep]
    ) -> EdmEntitySet? {
        if let name = set?.binding(along: steps) { return sets[name] }
        return targetSet(of: navigation, from: nil)
    }

    public static func == (left: EdmModel, right: EdmModel) -> Bool { left === right || left.schemas == right.schemas }

    public func hash(into hasher: inout Hasher) { hasher.combine(namespace) }
}

/// An entity set or singleton of a compiled ``EdmModel``.
public final class EdmEntitySet: Sendable, Hashable, EdmAnnotated, CustomStringConvertible {
    /// What the container says of the set.
    public let declaration: EdmEntitySetDeclaration
    /// The type of its entities, with everything it inherits; entities may be of types that derive from it.
    public let type: EdmStructuredType
    /// Whether a binding may hold for some types only.
    package let hasCastBindings: Bool
    /// The bindings of what is in complex properties.
    let complexBindings: [ComplexBinding]

    /// A set of entities of `type`, which is the compiled one that the declaration names.
    public init(declaration: EdmEntitySetDeclaration, type: EdmStructuredType) {
        self.declaration = declaration
        self.type = type
        let paths = declaration.bindings.filter { $0.key.contains("/") }
        hasCastBindings = paths.keys.contains { $0.contains(".") }
        complexBindings = paths.sorted { $0.key < $1.key }.compactMap { ComplexBinding(path: $0, target: $1) }
    }

    /// The first segment of its URLs, without a namespace: `Products`.
    public var name: String { declaration.name }
    /// Whether it holds many entities or is a singleton.
    public var kind: EdmEntitySetDeclaration.Kind { declaration.kind }
    /// Path of a navigation property → name of the set that it leads to: `["Supplier": "Suppliers"]`.
    public var bindings: [String: String] { declaration.bindings }
    public var annotations: [EdmAnnotation] { declaration.annotations }
    public var description: String { name }

    public static func == (left: EdmEntitySet, right: EdmEntitySet) -> Bool {
        left === right || (left.declaration == right.declaration && left.type == right.type)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Why declarations do not make a model.
public struct EdmModelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name at fault.
    public var name: String
    /// What is wrong, as a sentence for the user.
    public var message: String

    /// A declaration that does not fit.
    public init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    public var description: String { message }
}
