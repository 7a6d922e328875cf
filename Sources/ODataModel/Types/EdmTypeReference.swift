/// The type of a property, parameter or expression. Type definitions are resolved to what they stand for.
public enum EdmTypeReference: Hashable, Sendable, CustomStringConvertible {
    /// `Edm.String`
    case primitive(EdmPrimitiveType)
    /// `Model.Color`
    case enumeration(EdmQualifiedName)
    /// `Model.Address`
    case complex(EdmQualifiedName)
    /// `Model.Product`
    case entity(EdmQualifiedName)
    /// `Collection(Edm.String)`
    indirect case collection(EdmTypeReference)

    public var description: String {
        switch self {
        case .primitive(let type): "Edm.\(type.rawValue)"
        case .enumeration(let name), .complex(let name), .entity(let name): name.description
        case .collection(let element): "Collection(\(element))"
        }
    }

    /// The primitive type, if this is one.
    public var primitive: EdmPrimitiveType? {
        if case .primitive(let type) = self { type } else { nil }
    }

    /// The type of the elements of a collection; else the type itself.
    public var element: EdmTypeReference {
        if case .collection(let element) = self { element } else { self }
    }

    /// Whether the values are collections, of any type.
    public var isCollection: Bool {
        if case .collection = self { true } else { false }
    }
}

extension EdmTypeReference {
    /// `Edm.Boolean`
    public static let boolean = EdmTypeReference.primitive(.boolean)
    /// `Edm.String`
    public static let string = EdmTypeReference.primitive(.string)
    /// `Edm.Int32`
    public static let int32 = EdmTypeReference.primitive(.int32)
    /// `Edm.Int64`
    public static let int64 = EdmTypeReference.primitive(.int64)
    /// `Edm.Decimal`. How many digits there may be is said beside the type, by ``EdmFacets``.
    public static let decimal = EdmTypeReference.primitive(.decimal)
    /// `Edm.Double`
    public static let double = EdmTypeReference.primitive(.double)
    /// `Edm.Stream`: the type of named stream properties.
    public static let stream = EdmTypeReference.primitive(.stream)
}
