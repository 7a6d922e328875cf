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

    public var isCollection: Bool {
        if case .collection = self { true } else { false }
    }
}

extension TypeReference {
    public static let boolean = TypeReference.primitive(.boolean)
    public static let string = TypeReference.primitive(.string)
    public static let int32 = TypeReference.primitive(.int32)
    public static let int64 = TypeReference.primitive(.int64)
    public static let decimal = TypeReference.primitive(.decimal)
    public static let double = TypeReference.primitive(.double)
    public static let stream = TypeReference.primitive(.stream)
}
