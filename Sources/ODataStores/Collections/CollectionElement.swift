import ODataModel
import ODataQuery

/// What an ``EntityCollection`` consists of: a generated structure (``TypedEntity``), or ``DynamicEntity``.
public protocol CollectionElement: QueryElement, Hashable {
    /// What `EntityCollection.find` takes.
    associatedtype Key: Hashable, Sendable

    /// The key with the names of its properties.
    static func entityKey(_ key: Key) -> EntityKey

    /// The entities among the rows of a block.
    ///
    /// - Throws: ``ODataError`` `invalidResponse` for values that the type cannot hold.
    static func elements(in block: RowBlock, shape: RowShape) throws(ODataError) -> [Self]

    /// The key; nil where a part of it has no value yet.
    var entityKey: EntityKey? { get }

    /// `@odata.id`, where the store gave one.
    var entityID: String? { get }

    /// The version that was read: what changes are conditional on.
    var entityTag: String? { get }

    /// The value of the named property; nil where there is none, which differs from ``Value/null``.
    subscript(name: String) -> Value? { get }

    /// All that a creation sends.
    var creation: EntityPayload { get }

    /// What is another value than the one that was read.
    var changes: ComplexValue { get }
}

extension CollectionElement {
    static func elements(of entities: [Entity], model: Model) throws(ODataError) -> [Self] {
        guard !entities.isEmpty else { return [] }
        let rows = EntityRows(entities, model: model)
        return try elements(in: rows.block, shape: rows.shape)
    }
}

extension Entity {
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
    public var entity: Entity
    /// As it was read; nil for one that was made here.
    public private(set) var original: Entity?

    /// One that was read.
    public init(_ entity: Entity) { (self.entity, original) = (entity, entity) }

    /// One that is to be created.
    public init(_ properties: ComplexValue) {
        let type = StructuredType(declaration: .init(name: QualifiedName(""), properties: []))
        entity = Entity(type: type, properties: properties)
    }

    /// The value of the named property. ``Value/null`` is sent as null; nil takes the property out, so that nothing of it
    /// is sent.
    public subscript(name: String) -> Value? {
        get { entity.properties[name] }
        set { entity.properties[name] = newValue }
    }

    /// What ``Entity`` has: its type, its streams, what was expanded.
    public subscript<Member>(dynamicMember member: KeyPath<Entity, Member>) -> Member { entity[keyPath: member] }

    public var entityID: String? { entity.canonicalID }
    public var entityTag: String? { entity.etag }
    public var entityKey: EntityKey? { original?.key ?? entity.key }
    /// The properties: related entities are linked by their collection's `link` and `add`.
    public var creation: EntityPayload { EntityPayload(entity.properties) }

    public var changes: ComplexValue {
        ComplexValue(entity.properties.members.filter { $0.value != original?.properties[$0.name] })
    }

    /// Takes all changes back.
    public mutating func revert() {
        if let original { entity = original }
    }

    public static func entityKey(_ key: EntityKey) -> EntityKey { key }

    public static func elements(in block: RowBlock, shape: RowShape) throws(ODataError) -> [DynamicEntity] {
        EntityAssembler(shape: shape).entities(in: block).map(DynamicEntity.init)
    }
}
