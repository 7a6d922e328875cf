/// A value of the Entity Data Model.
///
/// [OData-CSDLXML, section 3.3; OData-JSON, section 7]
public enum EdmValue: Hashable, Sendable {
    /// Null of any type, which differs from a value that is absent.
    case null
    /// `Edm.Boolean`
    case boolean(Bool)
    /// `Edm.Byte`, `Edm.SByte`, `Edm.Int16`, `Edm.Int32`, `Edm.Int64`
    case integer(Int64)
    /// `Edm.Double`, `Edm.Single`
    case double(Double)
    /// `Edm.Decimal`, with all its digits.
    case decimal(EdmDecimal)
    /// `Edm.String`
    case string(String)
    /// `Edm.Binary`, decoded.
    case binary([UInt8])
    /// `Edm.Guid`
    case guid(EdmGuid)
    /// `Edm.Date`
    case date(EdmDate)
    /// `Edm.DateTimeOffset`
    case dateTimeOffset(EdmDateTimeOffset)
    /// `Edm.TimeOfDay`
    case timeOfDay(EdmTimeOfDay)
    /// `Edm.Duration`
    case duration(EdmDuration)
    /// A member name, a comma-separated list of them for flags, or a number in text.
    case enumeration(EdmQualifiedName, String)
    /// A geography or geometry value as GeoJSON text.
    case geo(String)
    /// A value with named members: `{"Street":"Obere Str. 57","City":"Berlin"}`.
    case complex(EdmComplexValue)
    /// `Collection(…)`: values in their order, of which some may be null.
    case collection([EdmValue])

    /// Whether this is ``null``. An empty collection, text or complex value is not.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// Named values in the order they were given: a complex value, or the properties of an entity.
public struct EdmComplexValue: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// A property with its value.
    public struct Member: Hashable, Sendable {
        /// The name of the property, as metadata and payloads write it.
        public var name: String
        /// The value, which may be ``EdmValue/null``.
        public var value: EdmValue

        /// A property with a value.
        public init(name: String, value: EdmValue) {
            self.name = name
            self.value = value
        }
    }

    /// A type that derives from the declared one; nil for the declared one itself, and where none is declared.
    public var type: EdmQualifiedName?
    /// In the order they were given. Those that are absent are not there; two of one name are found as the first.
    public private(set) var members: [Member]

    /// A complex value of the declared type. Without members it is not null.
    public init(_ members: [Member] = []) {
        self.members = members
    }

    /// A complex value of `type`, where that derives from the declared type; nil for the declared type itself.
    public init(_ members: [Member], type: EdmQualifiedName?) {
        self.members = members
        self.type = type
    }

    public init(dictionaryLiteral elements: (String, EdmValue)...) {
        members = elements.map { Member(name: $0.0, value: $0.1) }
    }

    /// Whether there are no members. That differs from null.
    public var isEmpty: Bool { members.isEmpty }
    /// The names of the members in their order.
    public var names: [String] { members.map(\.name) }

    /// The value of the named member; nil where it is absent, which differs from ``EdmValue/null``.
    public subscript(name: String) -> EdmValue? {
        get { members.first { $0.name == name }?.value }
        set {
            let position = members.firstIndex { $0.name == name }
            switch (position, newValue) {
            case (let position?, let value?): members[position].value = value
            case (let position?, nil): members.remove(at: position)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }
}
