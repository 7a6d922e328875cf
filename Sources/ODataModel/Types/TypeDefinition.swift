/// A primitive type under a name of its own, with facets and annotations.
///
/// [OData-CSDLXML, section 11: Type Definition]
public struct TypeDefinition: Hashable, Sendable, Annotated {
    /// The full name: `Shop.Weight`.
    public var name: QualifiedName
    /// The type that values have; `Edm.Untyped` where the document names one that is not primitive.
    public var underlyingType: PrimitiveType
    /// What limits the values; a property of the type may set facets that are not given here.
    public var facets: Facets
    public var annotations: [Annotation]

    /// A type definition, by default without limits of its own.
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
    /// The full name, which annotations refer to: `Org.OData.Core.V1.Description`.
    public var name: QualifiedName
    /// The type of annotations' values; `Edm.String` by default.
    public var type: TypeReference
    /// The name that stands for ``type`` in the declaration, where the two differ: see ``Property/namedType``.
    public var namedType: QualifiedName?
    /// Whether null is a value of annotations; of a collection, whether its members may be null. True by default.
    public var isNullable: Bool
    /// What limits the values of annotations.
    public var facets: Facets
    /// What an annotation without a value means, in the form of JSON without quotes; nil where the term does not tell.
    /// Metadata are read without it: such an annotation is true.
    public var defaultValue: String?
    /// A term that must be applied too.
    public var baseTerm: QualifiedName?
    /// The kinds of model elements that the term may be applied to: `EntitySet`; empty for any.
    public var appliesTo: [String]
    public var annotations: [Annotation]

    /// A term, by default for strings and for any element.
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
