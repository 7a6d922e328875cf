/// A primitive type under a name of its own, with facets and annotations.
///
/// [OData-CSDLXML, section 11: Type Definition]
public struct TypeDefinition: Hashable, Sendable, Annotated {
    public var name: QualifiedName
    public var underlyingType: PrimitiveType
    public var facets: Facets
    public var annotations: [Annotation]

    public init(
        name: QualifiedName, underlyingType: PrimitiveType, facets: Facets = Facets(), annotations: [Annotation] = []
    ) {
        self.name = name
        self.underlyingType = underlyingType
        self.facets = facets
        self.annotations = annotations
    }
}

/// A term that a vocabulary declares, for annotations to use.
///
/// [OData-CSDLXML, section 14.1: Term]
public struct Term: Hashable, Sendable, Annotated {
    public var name: QualifiedName
    public var type: TypeReference
    /// The name that stands for ``type`` in the declaration, where the two differ: see ``Property/namedType``.
    public var namedType: QualifiedName?
    public var isNullable: Bool
    public var facets: Facets
    public var defaultValue: String?
    /// A term that must be applied too.
    public var baseTerm: QualifiedName?
    /// The kinds of model elements that the term may be applied to: `EntitySet`; empty for any.
    public var appliesTo: [String]
    public var annotations: [Annotation]

    public init(
        name: QualifiedName, type: TypeReference = .string, namedType: QualifiedName? = nil, isNullable: Bool = true,
        facets: Facets = Facets(), defaultValue: String? = nil, baseTerm: QualifiedName? = nil,
        appliesTo: [String] = [], annotations: [Annotation] = []
    ) {
        self.name = name
        self.type = type
        self.namedType = namedType
        self.isNullable = isNullable
        self.facets = facets
        self.defaultValue = defaultValue
        self.baseTerm = baseTerm
        self.appliesTo = appliesTo
        self.annotations = annotations
    }
}
