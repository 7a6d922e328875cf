import ODataModel

/// The names of everything in a generated structure.
struct StructureMembers {
    struct NavigationMember {
        let navigation: EdmNavigationProperty
        let name: String
        let type: String
    }

    struct Stream {
        let property: EdmProperty
        let name: String
    }

    let type: EdmStructuredType
    private(set) var properties: [Member] = []
    private(set) var streams: [Stream] = []
    private(set) var navigation: [NavigationMember] = []
    /// What an entity is found by; nil where the key has a part that is not known.
    private(set) var keyParts: [Member]?

    /// - Parameter isPartial: Whether entities are read of which a part of the properties is there.
    init(of type: EdmStructuredType, names: TypeNames, selection: TypeSelection, isPartial: Bool) {
        self.type = type
        let isEntity = type.kind == .entity
        var scope = NameScope(
            reserved: isEntity ? ReservedNames.entityMembers : ReservedNames.complexMembers, suffix: "Property")
        let wanted = type.properties.map { scope.name(SwiftName.member(of: $0.name)) }
        let navigations = type.navigationProperties.map { scope.name(SwiftName.member(of: $0.name)) }
        for (property, name) in zip(type.properties, wanted) {
            if property.isStream {
                streams.append(Stream(property: property, name: SwiftName.escaped(name)))
            } else {
                properties.append(Self.member(property, name, of: type, names, isPartial: isPartial, &scope))
            }
        }
        for (navigation, name) in zip(type.navigationProperties, navigations)
        where selection.typeDeclarations.contains(navigation.target) && names.model.target(of: navigation) != nil {
            self.navigation.append(
                NavigationMember(navigation: navigation, name: SwiftName.escaped(name), type: names[navigation.target]))
        }
        keyParts = Self.parts(of: type, key, names)
    }

    /// The members of the key; nil where it has none, or parts that are in complex values.
    private var key: [Member]? {
        guard !type.hasNestedKey else { return nil }
        let members = type.key.compactMap { name in properties.first { $0.property.name == name } }
        return members.count == type.key.count && !members.isEmpty ? members : nil
    }

    /// What an entity is found by: the members of the key, and for parts that are in complex values members with their
    /// aliases for names. Nil where a part is not known.
    private static func parts(of type: EdmStructuredType, _ key: [Member]?, _ names: TypeNames) -> [Member]? {
        guard type.hasNestedKey else { return key }
        let properties = type.keyProperties
        guard properties.count == type.key.count else { return nil }
        var scope = NameScope(reserved: ReservedNames.complexMembers, suffix: "Property")
        return properties.map { property in
            Member(
                property: property, name: SwiftName.escaped(scope.name(SwiftName.member(of: property.name))),
                type: names.swiftType(property), isOptional: false, isMade: false, storage: .plain)
        }
    }

    private static func member(
        _ property: EdmProperty, _ name: String, of type: EdmStructuredType, _ names: TypeNames, isPartial: Bool,
        _ scope: inout NameScope
    ) -> Member {
        let isKey = type.kind == .entity && type.keyName(of: property.name) != nil
        let isBoxed = isRecursive(property, in: type, names.model)
        let isMade = isKey || type.kind == .entity && property.isMade
        let canBeNull = property.isNullable && !property.type.isCollection && !isKey
        let mayBeAbsent = isPartial && !isKey && type.kind == .entity
        var storage = Member.Storage.plain
        if isBoxed {
            storage = .boxed(name: Self.storage(of: name, &scope))
        } else if isMade, !canBeNull, !mayBeAbsent, let placeholder = names.placeholder(property) {
            storage = .made(name: Self.storage(of: name, &scope), placeholder: placeholder)
        }
        let isPlainMade = if case .plain = storage { isMade || mayBeAbsent } else { false }
        return Member(
            property: property, name: SwiftName.escaped(name), type: names.swiftType(property),
            isOptional: canBeNull || isBoxed || isPlainMade, isMade: (isMade || mayBeAbsent) && !canBeNull,
            storage: storage)
    }

    /// `newValue` is what a setter is given.
    private static func storage(of name: String, _ scope: inout NameScope) -> String {
        let wanted = name + "Value"
        return scope.name(ReservedNames.locals.contains(wanted) ? name + "StoredValue" : wanted)
    }

    /// Whether a value of a complex type would contain itself by this property.
    private static func isRecursive(_ property: EdmProperty, in type: EdmStructuredType, _ model: EdmModel) -> Bool {
        guard type.kind == .complex, case .complex(let start) = property.type else { return false }
        var seen: Set<EdmQualifiedName> = [start]
        var open = [start]
        while let name = open.popLast() {
            if name == type.name { return true }
            for property in model.structuredType(named: name)?.properties ?? [] {
                if case .complex(let next) = property.type, seen.insert(next).inserted { open.append(next) }
            }
        }
        return false
    }
}
