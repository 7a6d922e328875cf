/// A value of the Entity Data Model.
///
/// [OData-CSDLXML, section 3.3; OData-JSON, section 7]
public enum Value: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// `Edm.Byte`, `Edm.SByte`, `Edm.Int16`, `Edm.Int32`, `Edm.Int64`
    case integer(Int64)
    /// `Edm.Double`, `Edm.Single`
    case double(Double)
    case decimal(EdmDecimal)
    case string(String)
    case binary([UInt8])
    case guid(EdmGuid)
    case date(EdmDate)
    case dateTimeOffset(EdmDateTimeOffset)
    case timeOfDay(EdmTimeOfDay)
    case duration(EdmDuration)
    /// A member name, a comma-separated list of them for flags, or a number in text.
    case enumeration(QualifiedName, String)
    /// A geography or geometry value as GeoJSON text.
    case geo(String)
    case complex(ComplexValue)
    case collection([Value])

    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// Named values in the order they were given: a complex value, or the properties of an entity.
public struct ComplexValue: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// A property with its value.
    public struct Member: Hashable, Sendable {
        public var name: String
        public var value: Value

        public init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// A type that derives from the declared one; nil for the declared one itself, and where none is declared.
    public var type: QualifiedName?
    public private(set) var members: [Member]

    public init(_ members: [Member] = []) {
        self.members = members
    }

    public init(_ members: [Member], type: QualifiedName?) {
        self.members = members
        self.type = type
    }

    public init(dictionaryLiteral elements: (String, Value)...) {
        members = elements.map { Member(name: $0.0, value: $0.1) }
    }

    public var isEmpty: Bool { members.isEmpty }
    public var names: [String] { members.map(\.name) }

    /// The value of the named member; nil where it is absent, which differs from ``Value/null``.
    public subscript(name: String) -> Value? {
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
