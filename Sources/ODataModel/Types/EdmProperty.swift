/// A structural property of an entity type or a complex type.
///
/// [OData-CSDLXML, section 7: Structural Property]
public struct EdmProperty: Hashable, Sendable, EdmAnnotated {
    /// The greatest number of digits after the decimal point.
    public enum Scale: Hashable, Sendable {
        /// At most so many digits: `Scale="2"`.
        case fixed(Int)
        /// As many digits as ``EdmFacets/precision`` has, or fewer: `Scale="variable"`.
        case variable
        /// A floating-point number of as many significant digits as ``EdmFacets/precision`` says: `Scale="floating"`.
        case floating
    }

    /// Unique in the type, inherited members included. In the result of `$apply` it may be a path: `Customer/Country`.
    public var name: String
    /// The type of the values; of a type definition what it stands for: see ``namedType``.
    public var type: EdmTypeReference
    /// The name that stands for ``type`` in the declaration, where the two differ: a type definition, or a type that
    /// is not known, in whose place ``type`` is untyped. Of a collection it is the name of the elements' type.
    public var namedType: EdmQualifiedName?
    /// Whether null is a value; of a collection, whether its members may be null: the collection itself never is.
    /// Where the metadata do not say, it is true in XML and false in JSON. [OData-CSDLXML, section 7.2.1: Nullable]
    public var isNullable: Bool
    /// Of a collection, whether the metadata say that its members may be null. Where they say nothing it is false, while
    /// ``isNullable`` is true: a client can assume neither. [OData-CSDLXML, section 7.2.1: Nullable]
    public var hasNullMembers = false
    /// In characters for strings, in bytes for binary and streams; nil where not limited.
    public var maxLength: Int?
    /// Significant digits of a decimal; digits of fractional seconds of a temporal value.
    public var precision: Int?
    /// Digits after the point of a decimal: see ``EdmFacets/scale``.
    public var scale: Scale?
    /// See ``EdmFacets/isUnicode``.
    public var isUnicode: Bool?
    /// See ``EdmFacets/srid``.
    public var srid: String?
    /// What a creation that leaves the property out gives it, in the form of JSON without quotes: `0`, `Red`; nil where
    /// nothing is declared. [OData-CSDLXML, section 7.2.7: Default Value]
    public var defaultValue: String?
    public var annotations: [EdmAnnotation]

    /// A property. The other facets, ``namedType`` and ``hasNullMembers`` are set afterwards.
    public init(
        name: String, type: EdmTypeReference, isNullable: Bool = true, maxLength: Int? = nil, precision: Int? = nil,
        scale: Scale? = nil, defaultValue: String? = nil, annotations: [EdmAnnotation] = []
    ) {
        self.name = name
        self.type = type
        self.isNullable = isNullable
        self.maxLength = maxLength
        self.precision = precision
        self.scale = scale
        self.defaultValue = defaultValue
        self.annotations = annotations
    }

    /// Whether this is a named stream property.
    public var isStream: Bool { type == .stream }
}

/// A navigation property from a structured type to an entity type.
///
/// [OData-CSDLXML, section 8: Navigation Property]
public struct EdmNavigationProperty: Hashable, Sendable, EdmAnnotated {
    /// The value of `property` on this side equals `referencedProperty` on the target.
    public struct Constraint: Hashable, Sendable, EdmAnnotated {
        /// The path of the dependent property: `CategoryID`.
        public var property: String
        /// The path of the property of the target that it repeats: `ID`.
        public var referencedProperty: String
        public var annotations: [EdmAnnotation]

        /// A constraint. A navigation property over a key of several properties has one for each.
        public init(property: String, referencedProperty: String, annotations: [EdmAnnotation] = []) {
            self.property = property
            self.referencedProperty = referencedProperty
            self.annotations = annotations
        }
    }

    /// What becomes of the related entities when the entity is deleted.
    ///
    /// [OData-CSDLXML, section 8.6: On-Delete Action]
    public struct OnDelete: Hashable, Sendable, EdmAnnotated {
        /// `Cascade`, `None`, `SetNull` or `SetDefault`.
        public var action: String
        public var annotations: [EdmAnnotation]

        /// An action, which need not be one of the standard's.
        public init(action: String, annotations: [EdmAnnotation] = []) {
            self.action = action
            self.annotations = annotations
        }
    }

    /// Unique in the type, inherited members included. In a ``RowShape`` it may be a path: `Address/Country`.
    public var name: String
    /// The entity type at the other end.
    public var target: EdmQualifiedName
    /// Whether it leads to any number of entities, and not to one or none.
    public var isCollection: Bool
    /// Whether there may be no related entity. True by default, and for collections as metadata are read.
    public var isNullable: Bool
    /// The name of the navigation property of the target that leads back.
    public var partner: String?
    /// Whether the related entities are parts of this one, without an entity set of their own: `Orders(1)/Items(2)`.
    /// [OData-CSDLXML, section 8.4: Containment Navigation Property]
    public var containsTarget: Bool
    /// Referential constraints: only the dependent side of a navigation property has them.
    public var constraints: [Constraint]
    /// Nil where the metadata do not say what becomes of the related entities.
    public var onDelete: OnDelete?
    public var annotations: [EdmAnnotation]

    /// A navigation property. `onDelete` is set afterwards.
    public init(
        name: String, target: EdmQualifiedName, isCollection: Bool, isNullable: Bool = true, partner: String? = nil,
        containsTarget: Bool = false, constraints: [Constraint] = [], annotations: [EdmAnnotation] = []
    ) {
        self.name = name
        self.target = target
        self.isCollection = isCollection
        self.isNullable = isNullable
        self.partner = partner
        self.containsTarget = containsTarget
        self.constraints = constraints
        self.annotations = annotations
    }
}

extension [EdmNavigationProperty] {
    /// Of those of the target, the one that leads back from `navigation`: the declared partner, or the one whose
    /// partner that is.
    ///
    /// - Parameter leadsBack: whether a navigation property leads to where `navigation` comes from.
    package func partner(
        of navigation: EdmNavigationProperty, where leadsBack: (EdmNavigationProperty) -> Bool
    ) -> EdmNavigationProperty? {
        navigation.partner.flatMap { name in first { $0.name == name } }
            ?? first { $0.partner == navigation.name && leadsBack($0) }
    }
}
