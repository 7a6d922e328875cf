/// A Swift type for a complex type.
///
/// Generated ones keep what they do not know in `additional`, and write it back: members that the service has got
/// since, dynamic ones of open types, and those of a type that derives from this one, with its name.
///
/// [OData-CSDLXML, section 9]
public protocol ComplexPropertyValue: PropertyValue {
    /// The full name of the complex type in the metadata.
    static var typeName: EdmQualifiedName { get }

    /// Nil where a member that this type needs is missing, null or of another type.
    init?(complex: EdmComplexValue)

    /// The members.
    var complex: EdmComplexValue { get }
}

extension ComplexPropertyValue {
    public init?(edm value: EdmValue) {
        guard case .complex(let value) = value else { return nil }
        self.init(complex: value)
    }

    public var edm: EdmValue { .complex(complex) }
}

extension EdmComplexValue {
    /// The members, and behind them those of `additional` that have other names; with its type.
    public init(_ members: [Member], and additional: EdmComplexValue) {
        let names = Set(members.map(\.name))
        self.init(members + additional.members.filter { !names.contains($0.name) }, type: additional.type)
    }

    /// The members whose names are not among `names`, and the type, where it derives from the declared one.
    public func additional(to names: [String]) -> EdmComplexValue {
        EdmComplexValue(members.filter { !names.contains($0.name) }, type: type)
    }

    /// The member as a value of Swift; nil where it is missing, null or of another type.
    public func value<Wrapped: PropertyValue>(_ name: String) -> Wrapped? {
        self[name].flatMap(Wrapped.init(edm:))
    }

    /// A member that may be missing or null, which both are a nil inside; nil itself where it is of another type.
    public func optional<Wrapped: PropertyValue>(_ name: String) -> Wrapped?? {
        guard let value = self[name], !value.isNull else { return .some(nil) }
        return Wrapped(edm: value).map { .some($0) }
    }
}
