/// The type of a property, parameter or expression. Type definitions are resolved to what they stand for.
public enum TypeReference: Hashable, Sendable, CustomStringConvertible {
    /// `Edm.String`
    case primitive(PrimitiveType)
    /// `Model.Color`
    case enumeration(QualifiedName)
    /// `Model.Address`
    case complex(QualifiedName)
    /// `Model.Product`
    case entity(QualifiedName)
    /// `Collection(Edm.String)`
    indirect case collection(TypeReference)

    public var description: String {
        switch self {
        case .primitive(let type): "Edm.\(type.rawValue)"
        case .enumeration(let name), .complex(let name), .entity(let name): name.description
        case .collection(let element): "Collection(\(element))"
        }
    }

    /// The primitive type, if this is one.
    public var primitive: PrimitiveType? {
        if case .primitive(let type) = self { type } else { nil }
    }

    /// The type of the elements of a collection; else the type itself.
    public var element: TypeReference {
        if case .collection(let element) = self { element } else { self }
    }

    /// Whether the values are collections, of any type.
    public var isCollection: Bool {
        if case .collection = self { true } else { false }
    }
}

extension TypeReference {
    /// `Edm.Boolean`
    public static let boolean = TypeReference.primitive(.boolean)
    /// `Edm.String`
    public static let string = TypeReference.primitive(.string)
    /// `Edm.Int32`
    public static let int32 = TypeReference.primitive(.int32)
    /// `Edm.Int64`
    public static let int64 = TypeReference.primitive(.int64)
    /// `Edm.Decimal`. How many digits there may be is said beside the type, by ``Facets``.
    public static let decimal = TypeReference.primitive(.decimal)
    /// `Edm.Double`
    public static let double = TypeReference.primitive(.double)
    /// `Edm.Stream`: the type of named stream properties.
    public static let stream = TypeReference.primitive(.stream)
}
