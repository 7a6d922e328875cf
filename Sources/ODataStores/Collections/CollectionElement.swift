import ODataModel
import ODataQuery

/// What an ``EntityCollection`` consists of: a generated structure (``TypedEntity``), or ``DynamicEntity``.
public protocol CollectionElement: QueryElement, Hashable, Identifiable where ID == EntityID {
    /// What `EntityCollection.find` takes.
    associatedtype Key: Hashable, Sendable

    /// The key with the names of its properties.
    static func entityKey(_ key: Key) -> EntityKey

    /// Appends the entities among the rows of a block.
    ///
    /// - Throws: ``ODataError`` `invalidResponse` for values that the type cannot hold.
    static func append(_ block: RowBlock, shape: RowShape, to elements: inout [Self]) throws(ODataError)

    /// The key; nil where a part of it has no value yet.
    var entityKey: EntityKey? { get }

    /// `@odata.id`, where the store gave one.
    var entityID: String? { get }

    /// What ``entityID`` was first on this device, where a store knows that it was another one or is not final.
    var firstID: String? { get }

    /// The version that was read: what changes are conditional on.
    var entityTag: String? { get }

    /// The value of the named property; nil where there is none, which differs from ``EdmValue/null``.
    subscript(name: String) -> EdmValue? { get }

    /// All that a creation sends.
    var creation: EntityPayload { get }

    /// What is another value than the one that was read; of one that was made here all that is not null, but the key.
    var changes: EdmComplexValue { get }

    /// The store's information about the element beside its values; nil for one that the app created.
    static func source(of element: Self) -> ElementSource?

    /// Where its navigation properties lead, and where they led.
    static func navigationStates(of element: Self) -> [NavigationPropertyState]
}

/// A store's information about an element beside its values.
public struct ElementSource: Sendable {
    /// The set that the entity belongs to; nil where the model does not specify it, and for contained entities.
    public let entitySet: EdmEntitySet?

    /// Of an element that was read from this set.
    public init(entitySet: EdmEntitySet?) { self.entitySet = entitySet }
}

extension CollectionElement {
    static func elements(in block: RowBlock, shape: RowShape) throws(ODataError) -> [Self] {
        var elements: [Self] = []
        try append(block, shape: shape, to: &elements)
        return elements
    }

    static func elements(of entities: [EdmEntity], model: EdmModel) throws(ODataError) -> [Self] {
        guard !entities.isEmpty else { return [] }
        let rows = EntityRows(entities, model: model)
        return try elements(in: rows.block, shape: rows.shape)
    }
}

extension EdmEntity {
    /// The id that the store gave, or where it gave none, as services do that leave out what follows from the metadata,
    /// the canonical path.
    ///
    /// [OData-JSON, section 4.6.8; OData-URL, section 4.3.1]
    var canonicalID: String? {
        if let id { return id }
        guard let entitySet, let key else { return nil }
        return ResourcePath(entitySet, key: key).url
    }
}

/// An entity whose type only the service knows.
///
/// ```swift
/// var customer = try await collections["Customers"].find(EntityKey("ID", .integer(1)))
/// customer?["CompanyName"] = .string("Alfreds")
/// ```
@dynamicMemberLookup
public struct DynamicEntity: CollectionElement {
    public typealias Fields = DynamicFields
    public typealias Key = EntityKey

    /// As it is now, with what was expanded.
    public var entity: EdmEntity
    /// As it was read; nil for one that was made here.
    public private(set) var original: EdmEntity?

    /// One that was read.
    public init(_ entity: EdmEntity) { (self.entity, original) = (entity, entity) }

    /// One that is to be created.
    public init(_ properties: EdmComplexValue) {
        let type = EdmStructuredType(declaration: .init(name: EdmQualifiedName(""), properties: []))
        entity = EdmEntity(type: type, properties: properties)
    }

    private init(_ entity: EdmEntity, original: EdmEntity?) { (self.entity, self.original) = (entity, original) }

    /// The value of the named property. ``EdmValue/null`` is sent as null; nil takes the property out, so that nothing of it
    /// is sent.
    public subscript(name: String) -> EdmValue? {
        get { entity.properties[name] }
        set { entity.properties[name] = newValue }
    }

    /// What ``EdmEntity`` has: its type, its streams, what was expanded.
    public subscript<Member>(dynamicMember member: KeyPath<EdmEntity, Member>) -> Member { entity[keyPath: member] }

    public var entityID: String? { entity.canonicalID }
    public var firstID: String? { entity.firstID }
    public var entityTag: String? { entity.etag }
    public var entityKey: EntityKey? { original?.key ?? entity.key }
    /// The properties; entities in ``EdmEntity/expanded`` that were read are bound, those that were made here created with
    /// this one.
    public var creation: EntityPayload {
        var payload = EntityPayload(entity.properties)
        for state in Self.navigationStates(of: self) { payload.relate(state.name, state.current) }
        return payload
    }

    public var changes: EdmComplexValue {
        guard let original else { return EdmComplexValue(entity.properties.members.filter { !$0.value.isNull }) }
        return entity.properties.changes(from: original.properties)
    }

    /// Takes all changes back.
    public mutating func revert() {
        if let original { entity = original }
    }

    public static func entityKey(_ key: EntityKey) -> EntityKey { key }

    public static func source(of element: DynamicEntity) -> ElementSource? {
        element.original.map { ElementSource(entitySet: $0.entitySet) }
    }

    public static func navigationStates(of element: DynamicEntity) -> [NavigationPropertyState] {
        let (old, new) = (element.original?.expanded ?? [:], element.entity.expanded)
        return Set(old.keys).union(new.keys).sorted().map { name in
            NavigationPropertyState(
                name: name, original: old[name].flatMap { related($0, as: nil) },
                current: new[name].flatMap { related($0, as: old[name]) }, wasExpanded: old[name] != nil,
                isExpanded: new[name] != nil)
        }
    }

    /// - Parameter original: What was read of the same navigation property.
    private static func related(_ expanded: EdmEntity.Expanded, as original: EdmEntity.Expanded?) -> RelatedEntities? {
        let known = Dictionary((original?.entities ?? []).map { ($0.canonicalID, $0) }) { first, _ in first }
        let entities = expanded.entities.map { entity in
            let id = entity.canonicalID
            return DynamicEntity(entity, original: known[id] ?? (id == nil ? nil : entity))
        }
        return if case .many = expanded { .many(entities) } else { entities.first.map { .one($0) } }
    }

    public static func append(
        _ block: RowBlock, shape: RowShape, to elements: inout [DynamicEntity]
    ) throws(ODataError) {
        elements += EntityAssembler(shape: shape).entities(in: block).map(DynamicEntity.init)
    }
}

extension EdmEntity.Expanded {
    /// One or many, in an array.
    fileprivate var entities: [EdmEntity] {
        switch self {
        case .one(let entity): entity.map { [$0] } ?? []
        case .many(let entities, _): entities
        }
    }
}
