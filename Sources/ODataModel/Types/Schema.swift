/// An enumeration type.
///
/// [OData-CSDLXML, section 10: Enumeration Type]
public struct EnumType: Hashable, Sendable, Annotated {
    /// A name with its number.
    public struct Member: Hashable, Sendable, Annotated {
        /// What values are written with: `Red`.
        public var name: String
        /// Where a document gives no number, it is one more than that of the member before, from 0 on.
        public var value: Int64
        public var annotations: [Annotation]

        /// A member. The number is not checked against the type that the enumeration rests on.
        public init(name: String, value: Int64, annotations: [Annotation] = []) {
            self.name = name
            self.value = value
            self.annotations = annotations
        }
    }

    /// The full name: `Shop.Color`.
    public var name: QualifiedName
    /// The type of the numbers; `Edm.Int32` by default. [OData-CSDLXML, section 10.1: Underlying Integer Type]
    public var underlyingType: PrimitiveType
    /// Whether a value may be several members together: `Red,Striped`. [OData-CSDLXML, section 10.2]
    public var isFlags: Bool
    /// In the order of the document.
    public var members: [Member]
    public var annotations: [Annotation]

    /// An enumeration type, by default one of single members.
    public init(
        name: QualifiedName, underlyingType: PrimitiveType = .int32, isFlags: Bool = false, members: [Member],
        annotations: [Annotation] = []
    ) {
        self.name = name
        self.underlyingType = underlyingType
        self.isFlags = isFlags
        self.members = members
        self.annotations = annotations
    }
}

/// An entity set or a singleton as a container declares it.
///
/// [OData-CSDLXML, sections 13.2 and 13.3]
public struct EntitySetDeclaration: Hashable, Sendable, Annotated {
    /// Whether there are many entities or one.
    public enum Kind: Hashable, Sendable {
        /// A collection of entities, each with a key: `Products(1)`.
        case entitySet
        /// One entity, addressed by its name: `Me`.
        case singleton
    }

    /// Whether there are many entities or one.
    public var kind: Kind
    /// Unique in the container, without a namespace: `Products`.
    public var name: String
    /// The full name of the entity type. A compiled model is without a set whose type is not declared.
    public var type: QualifiedName
    /// Navigation property path → name of the target entity set.
    public var bindings: [String: String]
    /// Whether the service document lists the set. [OData-CSDLXML, section 13.2]
    public var isInServiceDocument = true
    /// Whether a singleton may be absent.
    public var isNullable = false
    public var annotations: [Annotation]

    /// A set or singleton; the service document lists it, unless that is changed afterwards.
    public init(
        kind: Kind = .entitySet, name: String, type: QualifiedName, bindings: [String: String] = [:],
        annotations: [Annotation] = []
    ) {
        self.kind = kind
        self.name = name
        self.type = type
        self.bindings = bindings
        self.annotations = annotations
    }
}

/// The children of one schema and of the container in it, as declared.
public struct Schema: Hashable, Sendable, Annotated {
    /// What the names of its types begin with: `com.example.Sales`.
    public var namespace: String
    /// What the document calls the schema; nil if it has no alias. Names in the model have the namespace in its place.
    public var alias: String?
    /// The entity types and complex types.
    public var types: [StructuredTypeDeclaration]
    /// The enumeration types, all of whose members have numbers here.
    public var enumTypes: [EnumType]
    /// Primitive types under names of their own.
    public var typeDefinitions: [TypeDefinition] = []
    /// The terms that the schema declares, as vocabularies do.
    public var terms: [Term] = []
    /// The overloads of actions and functions.
    public var operations: [OperationDeclaration]
    /// The name of the entity container, if this schema has it.
    public var container: String?
    /// The container that this one extends. [OData-CSDLXML, section 13.1]
    public var baseContainer: QualifiedName?
    /// Those of the container itself; its sets and imports have their own.
    public var containerAnnotations: [Annotation] = []
    /// The entity sets and singletons of the container.
    public var entitySets: [EntitySetDeclaration]
    /// The action imports and function imports of the container.
    public var operationImports: [OperationImport]
    /// Of the schema itself.
    public var annotations: [Annotation] = []
    /// Annotations of what this document does not declare.
    public var targetedAnnotations: [TargetedAnnotations] = []

    /// A schema. Type definitions, terms, annotations and the container's base are set afterwards.
    public init(
        namespace: String, alias: String? = nil, types: [StructuredTypeDeclaration] = [], enumTypes: [EnumType] = [],
        operations: [OperationDeclaration] = [], container: String? = nil, entitySets: [EntitySetDeclaration] = [],
        operationImports: [OperationImport] = []
    ) {
        self.namespace = namespace
        self.alias = alias
        self.types = types
        self.enumTypes = enumTypes
        self.operations = operations
        self.container = container
        self.entitySets = entitySets
        self.operationImports = operationImports
    }

    /// The names of structured types, enumeration types and type definitions.
    package var declaredTypeNames: [QualifiedName] {
        types.map(\.name) + enumTypes.map(\.name) + typeDefinitions.map(\.name)
    }
}
