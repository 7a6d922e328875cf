import ODataModel
import ODataQuery

/// Where a navigation property of an element leads, and where it led when the element was read.
public struct NavigationPropertyState {
    /// The name of the navigation property; in a complex property the path to it.
    public let name: String
    /// What was read; nil for none.
    public let original: RelatedEntities?
    /// What is here now; nil for none.
    public let current: RelatedEntities?
    /// Whether the navigation property was asked for when the element was read.
    public let wasExpanded: Bool
    /// The same, or whether it has been set since, be it to nothing.
    public let isExpanded: Bool

    /// A navigation property of one element.
    public init(
        name: String, original: RelatedEntities?, current: RelatedEntities?, wasExpanded: Bool, isExpanded: Bool
    ) {
        (self.name, self.original, self.current) = (name, original, current)
        (self.wasExpanded, self.isExpanded) = (wasExpanded, isExpanded)
    }

    /// Whether it leads to other entities, or to some that have changes of their own.
    var isChanged: Bool {
        switch current {
        case .many(let members) where members.contains(where: \.hasChanges): true
        case .one(let entity) where entity.hasChanges: true
        default: !isSame
        }
    }

    /// Whether the related entities are those that were read, in whatever order.
    private var isSame: Bool {
        switch (original, current) {
        case (nil, nil): wasExpanded == isExpanded
        case (.one(let old)?, .one(let new)?): RelatedName(old) == RelatedName(new) && RelatedName(new) != nil
        case (.many(let old)?, .many(let new)?):
            old.count == new.count && !new.contains { RelatedName($0) == nil }
                && Set(old.map(RelatedName.init)) == Set(new.map(RelatedName.init))
        default: false
        }
    }

    /// What an update of the element says of it: `"Category@odata.bind":"Categories(1)"`, or null where the navigation
    /// property is taken away; nil for nothing.
    ///
    /// [OData-JSON, section 8.5: Bind Operation]
    ///
    /// - Throws: ``ODataError`` `badRequest` for what takes other requests.
    func binding() throws(ODataError) -> EntityPayload.Binding? {
        guard isChanged else { return nil }
        switch current {
        case .many(let members):
            let isNew = members.contains { RelatedName($0) == nil }
            throw isNew
                ? refusal("has a new entity", "create it in the collection that children(of:) gives")
                : isSame ? ofTheirOwn : refusal("has other members", "call add and remove of the collection")
        case .one(let entity):
            guard let id = entity.entityID else {
                throw refusal("leads to a new entity", "create it first, and set what create gives")
            }
            guard !entity.hasChanges else { throw ofTheirOwn }
            return .init(navigation: name, references: [.url(id)])
        case nil:
            if case .many = original {
                throw refusal("was a list and is nil", "call remove of the collection for each member")
            }
            return .init(navigation: name, references: [])
        }
    }

    private var ofTheirOwn: ODataError {
        refusal("has changes of its own", "update the related entities in their own collection")
    }

    private func refusal(_ what: String, _ advice: String) -> ODataError {
        ODataError(
            .badRequest,
            "\(name) \(what), which an update of the entity before it does not send: \(advice). Nothing was sent.")
    }
}

/// What distinguishes related entities.
private enum RelatedName: Hashable {
    case id(String)
    case key(EntityKey)

    /// Nil for an entity that was made here.
    init?(_ entity: any CollectionElement) {
        if let id = entity.entityID {
            self = .id(id)
        } else if entity.wasRead, let key = entity.entityKey {
            self = .key(key)
        } else {
            return nil
        }
    }
}

extension EntityPayload {
    /// Related entities of a creation: those that a store knows are bound, others created with the entity.
    mutating func relate(_ name: String, _ related: RelatedEntities?) {
        let related = related?.entities ?? []
        let known = related.compactMap(\.entityID).map(EntityReference.url)
        let new = related.filter { $0.entityID == nil }.map(\.creation)
        if !known.isEmpty { bindings.append(.init(navigation: name, references: known)) }
        if !new.isEmpty { nested.append(.init(navigation: name, entities: new)) }
    }
}

extension RelatedEntities {
    /// One or many, in an array.
    var entities: [any CollectionElement] {
        switch self {
        case .one(let entity): [entity]
        case .many(let entities): entities
        }
    }
}

extension CollectionElement {
    /// Whether there is something to send: a property has another value than the one that was read, a navigation
    /// property leads to another entity, or a related entity has changes.
    public var hasChanges: Bool { !changes.isEmpty || Self.navigationStates(of: self).contains(where: \.isChanged) }

    fileprivate var wasRead: Bool { Self.source(of: self) != nil }

    /// All that an update sends.
    ///
    /// - Throws: ``ODataError`` `badRequest` naming a navigation property whose change takes other requests.
    func modification() throws(ODataError) -> EntityPayload {
        var payload = EntityPayload(changes)
        for state in Self.navigationStates(of: self) {
            if let binding = try state.binding() { payload.bindings.append(binding) }
        }
        return payload
    }

    /// The navigation properties that are here, each with those before it: `["Items", "Product"]`.
    var expandedNavigation: [[String]] { Self.expandedNavigation(of: [self]) }

    private static func expandedNavigation(of elements: [any CollectionElement]) -> [[String]] {
        var found: [[String]] = []
        var related: [String: [any CollectionElement]] = [:]
        for state in elements.flatMap({ $0.navigationStates }) where state.isExpanded {
            if !found.contains([state.name]) { found.append([state.name]) }
            related[state.name, default: []] += state.current?.entities ?? []
        }
        return found.flatMap { path in
            [path] + expandedNavigation(of: related[path[0]] ?? []).map { path + $0 }
        }
    }

    fileprivate var navigationStates: [NavigationPropertyState] { Self.navigationStates(of: self) }
}
