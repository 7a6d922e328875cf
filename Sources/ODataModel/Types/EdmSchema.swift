/// An enumeration type.
///
/// [OData-CSDLXML, section 10: Enumeration Type]
public struct EdmEnumType: Hashable, Sendable, EdmAnnotated {
    /// A name with its number.
    public struct Member: Hashable, Sendable, EdmAnnotated {
        /// What values are written with: `Red`.
        public var name: String
        /// Where a document gives no number, it is one more than that of the member before, from 0 on.
        public var value: Int64
        public var annotations: [EdmAnnotation]

        /// A member. The number is not checked against the type that the enumeration rests on.
        public init(name: String, value: Int64, annotations: [EdmAnnotation] = []) {
            self.name = name
            self.value = value
            self.annotations = annotations
        }
    }

    /// The full name: `Shop.Color`.
    public var name: EdmQualifiedName
    /// The type of the numbers; `Edm.Int32` by default. [OData-CSDLXML, section 10.1: Underlying Integer Type]
    public var underlyingType: EdmPrimitiveType
    /// Whether a value may be several members together: `Red,Striped`. [OData-CSDLXML, section 10.2]
    public var isFlags: Bool
    /// In the order of the document.
    public var members: [Member]
    public var annotations: [EdmAnnotation]

    /// An enumeration type, by default one of single members.
    public init(
        name: EdmQualifiedName, underlyingType: EdmPrimitiveType = .int32, isFlags: Bool = false, members: [Member],
        annotations: [EdmAnnotation] = []
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
public struct EdmEntitySetDeclaration: Hashable, Sendable, EdmAnnotated {
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
    public var type: EdmQualifiedName
    /// Navigation property path → name of the target entity set.
    public var bindings: [String: String]
    /// Whether the service document lists the set. [OData-CSDLXML, section 13.2]
    public var isInServiceDocument = true
    /// Whether a singleton may be absent.
    public var isNullable = false
    public var annotations: [EdmAnnotation]

    /// A set or singleton; the service document lists it, unless that is changed afterwards.
    public init(
        kind: Kind = .entitySet, name: String, type: EdmQualifiedName, bindings: [String: String] = [:],
        annotations: [EdmAnnotation] = []
    ) {
        self.kind = kind
        self.name = name
        self.type = type
        self.bindings = bindings
        self.annotations = annotations
    }
}

/// The children of one schema and of the container in it, as declared.
public struct EdmSchema: Hashable, Sendable, EdmAnnotated {
    /// What the names of its types begin with: `com.example.Sales`.
    public var namespace: String
    /// What the document calls the schema; nil if it has no alias. Names in the model have the namespace in its place.
    public var alias: String?
    /// The entity types and complex types.
    public var types: [EdmStructuredTypeDeclaration]
    /// The enumeration types, all of whose members have numbers here.
    public var enumTypes: [EdmEnumType]
    /// Primitive types under names of their own.
    public var typeDefinitions: [EdmTypeDefinition] = []
    /// The terms that the schema declares, as vocabularies do.
    public var terms: [EdmTerm] = []
    /// The overloads of actions and functions.
    public var operations: [EdmOperationDeclaration]
    /// The name of the entity container, if this schema has it.
    public var container: String?
    /// The container that this one extends. [OData-CSDLXML, section 13.1]
    public var baseContainer: EdmQualifiedName?
    /// Those of the container itself; its sets and imports have their own.
    public var containerAnnotations: [EdmAnnotation] = []
    /// The entity sets and singletons of the container.
    public var entitySets: [EdmEntitySetDeclaration]
    /// The action imports and function imports of the container.
    public var operationImports: [EdmOperationImport]
    /// Of the schema itself.
    public var annotations: [EdmAnnotation] = []
    /// Annotations of what this document does not declare.
    public var targetedAnnotations: [EdmTargetedAnnotations] = []

    /// A schema. Type definitions, terms, annotations and the container's base are set afterwards.
    public init(
        namespace: String, alias: String? = nil, types: [EdmStructuredTypeDeclaration] = [],
        enumTypes: [EdmEnumType] = [],
        operations: [EdmOperationDeclaration] = [], container: String? = nil,
        entitySets: [EdmEntitySetDeclaration] = [],
        operationImports: [EdmOperationImport] = []
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
    package var declaredTypeNames: [EdmQualifiedName] {
        types.map(\.name) + enumTypes.map(\.name) + typeDefinitions.map(\.name)
    }
}
