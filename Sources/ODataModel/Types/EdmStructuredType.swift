import Synchronization

/// An entity type or a complex type as a schema declares it: without what it inherits.
///
/// [OData-CSDLXML, sections 6 and 9]
public struct EdmStructuredTypeDeclaration: Hashable, Sendable, EdmAnnotated {
    /// Whether instances have keys.
    public enum Kind: Hashable, Sendable {
        /// Has a key and can be referred to. [OData-CSDLXML, section 6: Entity Type]
        case entity
        /// Is a value without a key, part of an entity. [OData-CSDLXML, section 9: Complex Type]
        case complex
    }

    /// Whether it is an entity type or a complex type.
    public var kind: Kind
    /// The full name: `Shop.Product`.
    public var name: EdmQualifiedName
    /// The full name of the type that it derives from; nil for none.
    public var baseType: EdmQualifiedName?
    /// Whether there are values of derived types only.
    public var isAbstract: Bool
    /// Whether values may have properties that are not declared; types that derive from it may too.
    /// [OData-CSDLXML, sections 6.3 and 9.3]
    public var isOpen: Bool
    /// Whether entities of this type are media entities.
    public var hasStream: Bool
    /// The names of the key properties, or the paths of those that are in complex ones; empty if inherited.
    public var key: [String]
    /// Names for key properties that are in complex ones: path → alias. [OData-CSDLXML, section 6.6]
    public var keyAliases: [String: String] = [:]
    /// Without inherited ones; stream properties are among them.
    public var properties: [EdmProperty]
    /// Without inherited ones.
    public var navigationProperties: [EdmNavigationProperty]
    public var annotations: [EdmAnnotation]

    /// A declaration, by default of an entity type. ``keyAliases`` are set afterwards.
    public init(
        kind: Kind = .entity, name: EdmQualifiedName, baseType: EdmQualifiedName? = nil, isAbstract: Bool = false,
        isOpen: Bool = false, hasStream: Bool = false, key: [String] = [], properties: [EdmProperty],
        navigationProperties: [EdmNavigationProperty] = [], annotations: [EdmAnnotation] = []
    ) {
        self.kind = kind
        self.name = name
        self.baseType = baseType
        self.isAbstract = isAbstract
        self.isOpen = isOpen
        self.hasStream = hasStream
        self.key = key
        self.properties = properties
        self.navigationProperties = navigationProperties
        self.annotations = annotations
    }
}

/// An entity type or a complex type of a compiled ``EdmModel``, with everything it inherits.
///
/// Two values are equal if their declarations are.
public final class EdmStructuredType: Sendable, Hashable, EdmAnnotated {
    /// What the schema says of the type itself, without what it inherits.
    public let declaration: EdmStructuredTypeDeclaration
    /// The type as that of a property or expression.
    public let reference: EdmTypeReference
    /// All properties, inherited ones first.
    public var properties: [EdmProperty] { ownProperties.all }
    /// All navigation properties, inherited ones first.
    public var navigationProperties: [EdmNavigationProperty] { ownNavigations.all }
    /// What key predicates call the parts of the key, in the order of the declaration: the names of the key properties,
    /// and the aliases of those that are in complex ones. [OData-CSDLXML, section 6.6]
    public let key: [String]
    /// Where the values of the parts of the key are, in the order of ``key``: `["ID"]`, and `["Address", "Code"]` for one
    /// in a complex property.
    public let keyPaths: [[String]]
    /// Whether entities of this type are media entities, by its own declaration or that of a base type.
    public let hasStream: Bool
    /// Whether values may have properties that are not declared, by its own declaration or that of a base type.
    public let isOpen: Bool
    /// The names of this type and of all its base types, nearest first.
    public let lineage: [EdmQualifiedName]
    /// Whether a part of the key is in a complex property.
    package let hasNestedKey: Bool
    /// The properties that lead to parts of the key that are in complex ones, by their paths.
    private let nestedKey: [[String]: [EdmProperty]]
    private let base: EdmStructuredType?
    /// The names of navigation properties whose target is not known.
    private let unresolved: Set<String>
    // Found out when they are first asked for: a document may declare far more types than an app uses.
    private let madeProperties = AtomicLazyReference<InheritedMembers<EdmProperty>>()
    private let madeNavigations = AtomicLazyReference<InheritedMembers<EdmNavigationProperty>>()

    /// A type with all that it inherits.
    ///
    /// - Parameters:
    ///   - declaration: What the schema says of the type itself.
    ///   - base: The type that it derives from.
    ///   - unresolved: Names of navigation properties to leave out, as their target is not known.
    ///
    /// A property that is declared twice counts once; one that a base type declares too replaces that.
    public convenience init(
        declaration: EdmStructuredTypeDeclaration, base: EdmStructuredType? = nil, unresolved: Set<String> = []
    ) {
        self.init(declaration: declaration, base: base, unresolved: unresolved, keyOf: base)
    }

    /// - Parameters:
    ///   - nestedKey: The properties that lead to parts of the declared key that are in complex ones, by their paths.
    ///   - keyed: The type whose key it has if it declares none; nil for the base type.
    package init(
        declaration: EdmStructuredTypeDeclaration, base: EdmStructuredType? = nil, unresolved: Set<String> = [],
        nestedKey: [[String]: [EdmProperty]] = [:], keyOf keyed: EdmStructuredType? = nil
    ) {
        self.declaration = declaration
        reference = declaration.kind == .entity ? .entity(declaration.name) : .complex(declaration.name)
        (self.base, self.unresolved) = (base, unresolved)
        if declaration.key.isEmpty {
            let keyed = keyed ?? base
            (key, keyPaths) = (keyed?.key ?? [], keyed?.keyPaths ?? [])
            (hasNestedKey, self.nestedKey) = (keyed?.hasNestedKey ?? false, keyed?.nestedKey ?? [:])
        } else {
            (key, keyPaths) = (declaration.keyNames, declaration.key.map { $0.split(separator: "/").map(String.init) })
            (hasNestedKey, self.nestedKey) = (keyPaths.contains { $0.count != 1 }, nestedKey)
        }
        hasStream = declaration.hasStream || base?.hasStream ?? false
        isOpen = declaration.isOpen || base?.isOpen ?? false
        lineage = [declaration.name] + (base?.lineage ?? [])
    }

    private var ownProperties: InheritedMembers<EdmProperty> {
        madeProperties.load()
            ?? madeProperties.storeIfNil(
                InheritedMembers(base?.properties ?? [], declaration.properties, name: \.name))
    }

    private var ownNavigations: InheritedMembers<EdmNavigationProperty> {
        if let made = madeNavigations.load() { return made }
        let declared = declaration.navigationProperties
        return madeNavigations.storeIfNil(
            InheritedMembers(
                base?.navigationProperties ?? [],
                unresolved.isEmpty ? declared : declared.filter { !unresolved.contains($0.name) }, name: \.name))
    }

    /// The full name: `Shop.Product`.
    public var name: EdmQualifiedName { declaration.name }
    /// Whether it is an entity type or a complex type.
    public var kind: EdmStructuredTypeDeclaration.Kind { declaration.kind }
    public var annotations: [EdmAnnotation] { declaration.annotations }

    /// The position of the property in ``properties``.
    public func index(of property: String) -> Int? { ownProperties.index[property] }

    /// The property of this name, also one that a base type declares; nil if there is none.
    public func property(named name: String) -> EdmProperty? {
        let properties = ownProperties
        return properties.index[name].map { properties.all[$0] }
    }

    /// The navigation property of this name, also one that a base type declares; nil if there is none.
    public func navigationProperty(named name: String) -> EdmNavigationProperty? {
        let navigations = ownNavigations
        return navigations.index[name].map { navigations.all[$0] }
    }

    /// The key properties, in the order of the key. One that is in a complex property has its alias for a name; one
    /// that there is not is left out.
    public var keyProperties: [EdmProperty] {
        zip(key, keyPaths).compactMap { name, path in
            guard path.count > 1 else { return property(named: name) }
            guard var property = nestedKey[path]?.last else { return nil }
            property.name = name
            return property
        }
    }

    /// The properties that lead to each part of the key, in the order of the key: one, or those of a path.
    package var keySteps: [[EdmProperty]] {
        keyPaths.compactMap { path in
            path.count > 1 ? nestedKey[path] : path.first.flatMap(property(named:)).map { [$0] }
        }
    }

    /// What key predicates call the part of the key at `path` (`Address/Code`); nil if the key has none there.
    package func keyName(of path: String) -> String? {
        guard hasNestedKey else { return key.contains(path) ? path : nil }
        return keyPaths.firstIndex { $0.joined(separator: "/") == path }.map { key[$0] }
    }

    /// The properties that the values of the key are in, each once.
    package var keyHolders: [EdmProperty] {
        guard hasNestedKey else { return keyProperties }
        var names: Set<String> = []
        return keyPaths.compactMap { path in
            path.first.flatMap { names.insert($0).inserted ? property(named: $0) : nil }
        }
    }

    /// Whether this type is `other` or derives from it.
    public func isKind(of other: EdmStructuredType) -> Bool { lineage.contains(other.name) }

    public static func == (left: EdmStructuredType, right: EdmStructuredType) -> Bool {
        left === right || (left.declaration == right.declaration && left.properties == right.properties)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension EdmStructuredTypeDeclaration {
    /// What key predicates call the parts of the declared key. Only a path has an alias.
    var keyNames: [String] {
        guard !keyAliases.isEmpty else { return key }
        return key.map { path in path.contains("/") ? keyAliases[path] ?? path : path }
    }
}

/// The members of a type, inherited ones first, and their positions.
private final class InheritedMembers<Member: Sendable>: Sendable {
    let all: [Member]
    let index: [String: Int]

    /// An own member takes the place of an inherited one; a second own one of the same name is left out.
    init(_ inherited: [Member], _ own: [Member], name: (Member) -> String) {
        if inherited.isEmpty, let index = Self.index(own, name) {
            (all, self.index) = (own, index)
            return
        }
        var all = inherited
        var index = [String: Int](minimumCapacity: inherited.count + own.count)
        all.reserveCapacity(inherited.count + own.count)
        for (position, member) in inherited.enumerated() { index[name(member)] = position }
        for member in own {
            if let position = index.updateValue(all.count, forKey: name(member)) {
                index[name(member)] = position
                if position < inherited.count { all[position] = member }
            } else {
                all.append(member)
            }
        }
        (self.all, self.index) = (all, index)
    }

    /// Nil if two have one name.
    private static func index(_ members: [Member], _ name: (Member) -> String) -> [String: Int]? {
        var index = [String: Int](minimumCapacity: members.count)
        for position in members.indices {
            guard index.updateValue(position, forKey: name(members[position])) == nil else { return nil }
        }
        return index
    }
}
