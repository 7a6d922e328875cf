import ODataModel

/// Resource paths.
///
/// [OData-URL, section 4]
extension Binder {
    func path(
        _ segments: [SegmentSyntax], contentIDs: [String: EntitySet]
    ) throws(QueryError) -> ResourcePath {
        guard let first = segments.first else {
            throw error(.syntax, "The path is empty.", at: 0, expected: "an entity set")
        }
        var walk = try PathWalk(binder: self, root: root(first, contentIDs: contentIDs))
        if let key = first.key { try walk.key(key, at: first.keyOffset) }
        for segment in segments.dropFirst() { try walk.segment(segment) }
        return walk.path
    }

    private func root(
        _ segment: SegmentSyntax, contentIDs: [String: EntitySet]
    ) throws(QueryError) -> ResourcePath.Root {
        let name = segment.name
        if let set = model.entitySet(named: name.text) { return .entitySet(set) }
        guard name.text.hasPrefix("$") else {
            if name.isQualified || segment.isCall { throw notImplemented("The resource \(name.text)", at: name.offset) }
            throw unknown("entity set \(name.text)", name, among: model.entitySets.map(\.name))
        }
        let id = String(name.text.dropFirst())
        if let set = contentIDs[id] { return .contentID(id, set) }
        if id.utf8.first.map({ isDigit($0) }) ?? false {
            throw unknown("request with the content id \(id)", name, among: [])
        }
        throw notImplemented("The resource \(name.text)", at: name.offset)
    }

    // MARK: Keys

    /// The key of an entity of `type`.
    func key(
        _ syntax: SegmentSyntax.Key, of type: StructuredType, at offset: Int
    ) throws(QueryError) -> EntityKey {
        let properties = type.keyProperties
        guard !properties.isEmpty else { throw error(.typeMismatch, "\(type.name) has no key.", at: offset) }
        let names = properties.map { $0.name + "=…" }.joined(separator: ",")
        switch syntax {
        case .empty: throw error(.syntax, "The key is empty.", at: offset, expected: "(\(names))")
        case .single(let literal):
            guard properties.count == 1, let property = properties.first else {
                throw error(
                    .typeMismatch, "The key of \(type.name) has \(properties.count) parts.", at: literal.offset,
                    expected: "(\(names))")
            }
            return EntityKey(property.name, try keyValue(literal, of: property))
        case .named(let pairs):
            var components: [ComplexValue.Member] = []
            for property in properties {
                guard let pair = pairs.first(where: { $0.name.text == property.name }) else { continue }
                components.append(.init(name: property.name, value: try keyValue(pair.value, of: property)))
            }
            try checkNames(pairs.map(\.name), of: type)
            guard components.count == properties.count else {
                throw error(
                    .typeMismatch, "The key of \(type.name) is not complete.", at: offset, expected: "(\(names))")
            }
            return EntityKey(components)
        }
    }

    private func checkNames(_ names: [NameSyntax], of type: StructuredType) throws(QueryError) {
        for (index, name) in names.enumerated() {
            guard type.key.contains(name.text) else {
                throw unknown("key property \(name.text) in \(type.name)", name, among: type.key)
            }
            if names[..<index].contains(where: { $0.text == name.text }) {
                throw error(.syntax, "The key property \(name.text) is given twice.", at: name.offset)
            }
        }
    }

    private func keyValue(_ literal: LiteralSyntax, of property: Property) throws(QueryError) -> Value {
        let value = try checkedEnumeration(literal.value, at: literal.offset)
        guard !value.isNull, let converted = coerced(value, to: property.type) else {
            throw error(
                .typeMismatch, "The key property \(property.name) has another type.", at: literal.offset,
                expected: "a value of \(property.type)")
        }
        return converted
    }
}

extension SegmentSyntax {
    /// Whether this is the call of a function: `Top()`
    fileprivate var isCall: Bool {
        if case .empty = key { true } else { false }
    }
}

/// Follows a resource path segment by segment.
private struct PathWalk {
    let binder: Binder
    private(set) var path: ResourcePath
    private var type: StructuredType?
    private var set: EntitySet?
    private var property: Property?
    private var isCollection: Bool
    private var isEnded = false

    init(binder: Binder, root: ResourcePath.Root) {
        self.binder = binder
        path = ResourcePath(root: root)
        type = path.rootSet.type
        set = path.rootSet
        isCollection = path.target == .collection
    }

    mutating func key(_ key: SegmentSyntax.Key, at offset: Int) throws(QueryError) {
        guard isCollection, let type, type.kind == .entity, property == nil else {
            throw binder.error(.typeMismatch, "Only a collection of entities takes a key.", at: offset)
        }
        path.segments.append(.key(try binder.key(key, of: type, at: offset)))
        isCollection = false
    }

    mutating func segment(_ segment: SegmentSyntax) throws(QueryError) {
        let name = segment.name
        guard !isEnded else {
            throw binder.error(.syntax, "Nothing can follow here.", at: name.offset, expected: "the end of the path")
        }
        if name.text.hasPrefix("$") { return try system(name) }
        guard let type else {
            throw binder.error(
                .typeMismatch, "A value of \(property?.type.description ?? "this type") has no properties.",
                at: name.offset)
        }
        guard !isCollection else { throw memberOfCollection(segment) }
        if let navigation = type.navigationProperty(named: name.text) {
            try follow(navigation, at: name.offset)
        } else if let property = type.property(named: name.text) {
            follow(property)
        } else {
            if segment.isCall { throw binder.notImplemented("The function \(name.text)", at: name.offset) }
            throw binder.unknownMember(name, of: type)
        }
        if let key = segment.key { try self.key(key, at: segment.keyOffset) }
    }

    private func memberOfCollection(_ segment: SegmentSyntax) -> QueryError {
        let name = segment.name
        if segment.isCall || name.isQualified {
            return binder.notImplemented("The type or function segment \(name.text)", at: name.offset)
        }
        return binder.error(
            .typeMismatch, "A collection has no properties; name one entity by its key.", at: name.offset,
            expected: "a key before it, as in (1), or $count")
    }

    private mutating func follow(_ navigation: NavigationProperty, at offset: Int) throws(QueryError) {
        guard let target = binder.model.target(of: navigation) else {
            throw binder.error(.unknownName, "The type \(navigation.target) is not in the model.", at: offset)
        }
        set = binder.model.targetSet(of: navigation, from: set)
        type = target
        property = nil
        isCollection = navigation.isCollection
        path.segments.append(.navigation(navigation, set))
    }

    private mutating func follow(_ property: Property) {
        path.segments.append(.property(property))
        self.property = property
        isCollection = property.type.isCollection
        type = binder.structuredType(property.type)
    }

    private mutating func system(_ name: NameSyntax) throws(QueryError) {
        let isFit: Bool
        let segment: ResourcePath.Segment
        switch name.text {
        case "$count": (segment, isFit) = (.count, isCollection)
        case "$ref": (segment, isFit) = (.ref, property == nil)
        case "$value": (segment, isFit) = (.value, hasValue)
        default: throw binder.notImplemented("The path segment \(name.text)", at: name.offset)
        }
        guard isFit else {
            throw binder.error(.typeMismatch, "\(name.text) does not apply to what comes before it.", at: name.offset)
        }
        path.segments.append(segment)
        isEnded = true
    }

    private var hasValue: Bool {
        guard !isCollection else { return false }
        guard let property else { return type?.hasStream ?? false }
        switch property.type {
        case .primitive(let type): return type != .stream
        case .enumeration: return true
        default: return false
        }
    }
}
