import ODataModel

/// Follows a resource path segment by segment.
struct PathWalk {
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
        type = path.rootSet?.type
        set = path.rootSet
        isCollection = path.target == .collection
    }

    mutating func key(_ key: ParenthesesSyntax) throws(QueryError) {
        let offset = key.offset
        guard isCollection, let type, type.kind == .entity, property == nil else {
            throw binder.error(.typeMismatch, "Only a collection of entities takes a key.", at: offset)
        }
        path.segments.append(.key(try binder.key(key, of: type)))
        isCollection = false
    }

    mutating func segment(_ segment: SegmentSyntax) throws(QueryError) {
        let name = segment.name
        guard !isEnded else {
            throw binder.error(.syntax, "Nothing can follow here.", at: name.offset, expected: "the end of the path")
        }
        if name.text.hasPrefix("$") { return try system(name) }
        if segment.kind == .text { throw binder.notImplemented("A key as a path segment", at: name.offset) }
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
        for key in segment.parentheses { try self.key(key) }
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
