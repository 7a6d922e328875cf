/// An enumeration type.
///
/// [OData-CSDLXML, section 10: Enumeration Type]
public struct EnumType: Hashable, Sendable, Annotated {
    /// A name with its number.
    public struct Member: Hashable, Sendable, Annotated {
        public var name: String
        public var value: Int64
        public var annotations: [Annotation]

        public init(name: String, value: Int64, annotations: [Annotation] = []) {
            self.name = name
            self.value = value
            self.annotations = annotations
        }
    }

    public var name: QualifiedName
    public var underlyingType: PrimitiveType
    public var isFlags: Bool
    public var members: [Member]
    public var annotations: [Annotation]

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
        case entitySet
        case singleton
    }

    public var kind: Kind
    public var name: String
    public var type: QualifiedName
    /// Navigation property path → name of the target entity set.
    public var bindings: [String: String]
    /// Whether the service document lists the set. [OData-CSDLXML, section 13.2]
    public var isInServiceDocument = true
    /// Whether a singleton may be absent.
    public var isNullable = false
    public var annotations: [Annotation]

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
    public var namespace: String
    public var alias: String?
    public var types: [StructuredTypeDeclaration]
    public var enumTypes: [EnumType]
    public var typeDefinitions: [TypeDefinition] = []
    public var terms: [Term] = []
    /// The overloads of actions and functions.
    public var operations: [OperationDeclaration]
    /// The name of the entity container, if this schema has it.
    public var container: String?
    /// The container that this one extends. [OData-CSDLXML, section 13.1]
    public var baseContainer: QualifiedName?
    public var containerAnnotations: [Annotation] = []
    public var entitySets: [EntitySetDeclaration]
    /// The action imports and function imports of the container.
    public var operationImports: [OperationImport]
    /// Of the schema itself.
    public var annotations: [Annotation] = []
    /// Annotations of what this document does not declare.
    public var targetedAnnotations: [TargetedAnnotations] = []

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
}
