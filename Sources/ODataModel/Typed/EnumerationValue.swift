/// A Swift type for an enumeration type without flags: a structure with a static member for each of the type's, so
/// that members which the service adds later are read like the others.
///
/// ```swift
/// struct Color: EnumerationValue {
///     static let typeName = QualifiedName("Shop.Color")
///     static let red = Color(rawValue: "Red")
///     let rawValue: String
///     init(rawValue: String) { self.rawValue = rawValue }
/// }
/// ```
///
/// [OData-CSDLXML, section 10]
public protocol EnumerationValue: PropertyValue, RawRepresentable where RawValue == String {
    /// The full name of the enumeration type: `edm` gives it to the values that are made.
    static var typeName: QualifiedName { get }

    /// - Parameter rawValue: The member's name.
    init(rawValue: String)
}

extension EnumerationValue {
    public init?(edm value: Value) {
        guard case .enumeration(_, let text) = value else { return nil }
        self.init(rawValue: text)
    }

    public var edm: Value { .enumeration(Self.typeName, rawValue) }
}

/// A Swift type for an enumeration type with flags.
///
/// Numbers that no member has are kept; a name that the type does not know is no value of it.
///
/// [OData-CSDLXML, section 10.2.2]
public protocol FlagsValue: PropertyValue, OptionSet where RawValue == Int64 {
    /// The type with its members.
    static var type: EnumType { get }
}

extension FlagsValue {
    public init?(edm value: Value) {
        guard let number = Self.type.number(of: value) else { return nil }
        self.init(rawValue: number)
    }

    public var edm: Value { .enumeration(Self.type.name, Self.type.text(of: rawValue)) }
}

/// A Swift type for a complex type.
///
/// [OData-CSDLXML, section 9]
public protocol ComplexPropertyValue: PropertyValue {
    /// The full name of the complex type in the metadata.
    static var typeName: QualifiedName { get }

    /// Nil where a member that this type needs is missing, null or of another type.
    init?(complex: ComplexValue)

    /// The members.
    var complex: ComplexValue { get }
}

extension ComplexPropertyValue {
    public init?(edm value: Value) {
        guard case .complex(let value) = value else { return nil }
        self.init(complex: value)
    }

    public var edm: Value { .complex(complex) }
}

extension ComplexValue {
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
