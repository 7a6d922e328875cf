/// A Swift type for an enumeration type without flags: a structure with a static member for each of the type's, so
/// that members which the service adds later are read like the others.
///
/// ```swift
/// struct Color: EnumerationValue {
///     static let typeName = EdmQualifiedName("Shop.Color")
///     static let members: [EdmEnumType.Member] = [.init(name: "Red", value: 0)]
///     static let red = Color(rawValue: "Red")
///     let rawValue: String
///     init(rawValue: String) { self.rawValue = rawValue }
/// }
/// ```
///
/// [OData-CSDLXML, section 10]
public protocol EnumerationValue: PropertyValue, RawRepresentable where RawValue == String {
    /// The full name of the enumeration type: `edm` gives it to the values that are made.
    static var typeName: EdmQualifiedName { get }

    /// The members with their numbers, so that `"Color":"1"` and `"Color":"Blue"` are one value; none by default.
    static var members: [EdmEnumType.Member] { get }

    /// - Parameter rawValue: The member's name.
    init(rawValue: String)
}

extension EnumerationValue {
    public static var members: [EdmEnumType.Member] { [] }

    /// The number: of a member that the type knows, or what was read in place of a name.
    public var number: Int64? {
        Self.members.first { $0.name == rawValue }?.value ?? Int64(rawValue)
    }

    public init?(edm value: EdmValue) {
        guard case .enumeration(_, let text) = value else { return nil }
        let number = Int64(text)
        self.init(rawValue: number.flatMap { number in Self.members.first { $0.value == number }?.name } ?? text)
    }

    public var edm: EdmValue { .enumeration(Self.typeName, rawValue) }
}
