/// A primitive type under a name of its own, with facets and annotations.
///
/// [OData-CSDLXML, section 11: Type Definition]
public struct EdmTypeDefinition: Hashable, Sendable, EdmAnnotated {
    /// The full name: `Shop.Weight`.
    public var name: EdmQualifiedName
    /// The type that values have; `Edm.Untyped` where the document names one that is not primitive.
    public var underlyingType: EdmPrimitiveType
    /// What limits the values; a property of the type may set facets that are not given here.
    public var facets: EdmFacets
    public var annotations: [EdmAnnotation]

    /// A type definition, by default without limits of its own.
    public init(
        name: EdmQualifiedName, underlyingType: EdmPrimitiveType, facets: EdmFacets = EdmFacets(),
        annotations: [EdmAnnotation] = []
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
public struct EdmTerm: Hashable, Sendable, EdmAnnotated {
    /// The full name, which annotations refer to: `Org.OData.Core.V1.Description`.
    public var name: EdmQualifiedName
    /// The type of annotations' values; `Edm.String` by default.
    public var type: EdmTypeReference
    /// The name that stands for ``type`` in the declaration, where the two differ: see ``EdmProperty/namedType``.
    public var namedType: EdmQualifiedName?
    /// Whether null is a value of annotations; of a collection, whether its members may be null. True by default.
    public var isNullable: Bool
    /// What limits the values of annotations.
    public var facets: EdmFacets
    /// What an annotation without a value means, in the form of JSON without quotes; nil where the term does not
    /// report. Metadata are read without it: such an annotation is true.
    public var defaultValue: String?
    /// A term that must be applied too.
    public var baseTerm: EdmQualifiedName?
    /// The kinds of model elements that the term may be applied to: `EntitySet`; empty for any.
    public var appliesTo: [String]
    public var annotations: [EdmAnnotation]

    /// A term, by default for strings and for any element.
    public init(
        name: EdmQualifiedName, type: EdmTypeReference = .string, namedType: EdmQualifiedName? = nil,
        isNullable: Bool = true,
        facets: EdmFacets = EdmFacets(), defaultValue: String? = nil, baseTerm: EdmQualifiedName? = nil,
        appliesTo: [String] = [], annotations: [EdmAnnotation] = []
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
