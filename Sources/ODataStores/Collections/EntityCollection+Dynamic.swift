import ODataModel
import ODataQuery

/// The methods that take key paths of navigation properties, for entities whose type only the service knows: names, or
/// paths of them (`Items/Product`).
extension EntityCollection<DynamicEntity> {
    /// With the entities of a navigation property, or of one behind it: `expand("Items/Product")` is
    /// `$expand=Items($expand=Product)`. A navigation property in a complex property has its path, `Address/Country`:
    /// that `Address` is not a navigation property is known when the request is sent.
    public func expand(_ navigation: String) -> EntityCollection { expand(navigation) { $0 } }

    /// With some of the entities of a navigation property:
    /// `expand("Items") { $0.where { $0["Quantity"] > 5 }.top(3) }`.
    public func expand(
        _ navigation: String,
        _ options: (ExpandedCollection<DynamicElement>) -> ExpandedCollection<DynamicElement>
    ) -> EntityCollection {
        let path = navigation.split(separator: "/").map(String.init)
        return changed { query in
            query.expand(path) { $0 = options(ExpandedCollection(query: $0)).query }
        }
    }

    /// The entities of a navigation property of one entity, as a collection of their own.
    ///
    /// - Throws: ``ODataError`` `badRequest` for an entity without a key.
    public func children(
        of parent: DynamicEntity, _ navigation: String
    ) throws -> EntityCollection<DynamicEntity> {
        try children(of: parent, named: navigation)
    }

    /// The entity of a navigation property to one, by a request of its own: `Products(1)/Category`; nil where there is
    /// none.
    public func child(of parent: DynamicEntity, _ navigation: String) async throws -> DynamicEntity? {
        let children: EntityCollection<DynamicEntity> = try children(of: parent, named: navigation)
        return try await children.oneIfAny()
    }

    /// The entities of a navigation property of several entities, for each of them in turn, by one request as those of
    /// structures.
    public func children(of parents: [DynamicEntity], _ navigation: String) async throws -> [[DynamicEntity]] {
        try await children(of: parents, navigation) { $0 }
    }

    /// The same with some of the entities, or with more of each: `children(of: orders, "Items") { $0.top(3) }`.
    public func children(
        of parents: [DynamicEntity], _ navigation: String,
        _ options: (ExpandedCollection<DynamicElement>) -> ExpandedCollection<DynamicElement>
    ) async throws -> [[DynamicEntity]] {
        let options = options(ExpandedCollection(query: BuiltQuery(path: ""))).query
        return try await children(of: parents, named: navigation, options) { parent in
            guard case .many(let entities, _) = parent.entity.expanded[navigation] else { return [] }
            return entities.map(DynamicEntity.init)
        }
    }

    /// Relates two entities, or takes the navigation property away for nil.
    public func link(_ element: DynamicEntity, _ navigation: String, to other: DynamicEntity?) async throws {
        let change = try other.map { ChangeRequest.Operation.addReference(try reference(to: $0)) }
        try await changeLink(element, navigation, change ?? .removeReference(nil))
    }

    /// Adds to a navigation property.
    public func add(_ other: DynamicEntity, to navigation: String, of element: DynamicEntity) async throws {
        try await changeLink(element, navigation, .addReference(try reference(to: other)))
    }

    /// Takes out of a navigation property.
    public func remove(_ other: DynamicEntity, from navigation: String, of element: DynamicEntity) async throws {
        try await changeLink(element, navigation, .removeReference(try reference(to: other)))
    }
}
