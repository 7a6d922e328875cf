/// A Swift type for an enumeration type with flags.
///
/// Numbers that no member has are kept, and so are names that the type does not know: members which the service adds
/// later are read, and written back.
///
/// [OData-CSDLXML, section 10.2.2]
public protocol FlagsValue: PropertyValue, OptionSet where RawValue == Int64 {
    /// The type with its members.
    static var type: EdmEnumType { get }

    /// The members that the type does not know, by name: they have no part in `rawValue`.
    var unknownMembers: Set<String> { get set }
}

extension FlagsValue {
    /// `Read,Export`
    public init?(edm value: EdmValue) {
        if let number = Self.type.number(of: value) {
            self.init(rawValue: number)
            return
        }
        guard case .enumeration(_, let text) = value else { return nil }
        let names = text.split(separator: ",").map { $0.filter { $0 != " " } }
        let numbers = names.map { Self.type.number(of: $0) }
        self.init(rawValue: numbers.reduce(0) { $0 | ($1 ?? 0) })
        unknownMembers = Set(zip(names, numbers).filter { $1 == nil }.map(\.0))
    }

    public var edm: EdmValue {
        let known = rawValue == 0 && !unknownMembers.isEmpty ? [] : [Self.type.text(of: rawValue)]
        return .enumeration(Self.type.name, (known + unknownMembers.sorted()).joined(separator: ","))
    }

    private init(_ rawValue: Int64, _ unknownMembers: Set<String>) {
        self.init(rawValue: rawValue)
        self.unknownMembers = unknownMembers
    }
}

/// What `OptionSet` does with numbers, with names that the type does not know as well.
extension FlagsValue {
    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue == right.rawValue && left.unknownMembers == right.unknownMembers
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawValue)
        hasher.combine(unknownMembers)
    }

    /// All flags of both.
    public func union(_ other: Self) -> Self {
        Self(rawValue | other.rawValue, unknownMembers.union(other.unknownMembers))
    }

    /// The flags that both have.
    public func intersection(_ other: Self) -> Self {
        Self(rawValue & other.rawValue, unknownMembers.intersection(other.unknownMembers))
    }

    /// The flags that one of them has, and not the other.
    public func symmetricDifference(_ other: Self) -> Self {
        Self(rawValue ^ other.rawValue, unknownMembers.symmetricDifference(other.unknownMembers))
    }

    /// That of `OptionSet` makes a value of the number alone.
    @discardableResult
    public mutating func insert(_ member: Self) -> (inserted: Bool, memberAfterInsert: Self) {
        let isNew = !isSuperset(of: member)
        self = union(member)
        return (isNew, member)
    }

    /// Adds flags; gives those that were there before, nil for none.
    @discardableResult
    public mutating func update(with member: Self) -> Self? {
        let known = intersection(member)
        self = union(member)
        return known.isEmpty ? nil : known
    }

    /// Adds all flags of another value.
    public mutating func formUnion(_ other: Self) { self = union(other) }
    /// Keeps the flags that another value has, too.
    public mutating func formIntersection(_ other: Self) { self = intersection(other) }
    /// Keeps the flags that one of them has, and not the other.
    public mutating func formSymmetricDifference(_ other: Self) { self = symmetricDifference(other) }
}
