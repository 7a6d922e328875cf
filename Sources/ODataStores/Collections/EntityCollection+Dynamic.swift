import ODataModel
import ODataQuery

/// The methods that take key paths of navigation properties, for entities whose type only the service knows: names, or
/// paths of them (`Items/Product`).
extension EntityCollection<DynamicEntity> {
    /// With the entities of a navigation property, or of one behind it: `expand("Items/Product")` is
    /// `$expand=Items($expand=Product)`. A navigation property in a complex property has its path, `Address/Country`:
    /// that `Address` is not a navigation property is known when the request is sent.
    public func expand(_ relation: String) -> EntityCollection { expand(relation) { $0 } }

    /// With some of the entities of a navigation property:
    /// `expand("Items") { $0.where { $0["Quantity"] > 5 }.top(3) }`.
    public func expand(
        _ relation: String,
        _ options: (ExpandedCollection<DynamicElement>) -> ExpandedCollection<DynamicElement>
    ) -> EntityCollection {
        let relations = relation.split(separator: "/").map(String.init)
        return changed { query in
            query.expand(relations) { $0 = options(ExpandedCollection(query: $0)).query }
        }
    }

    /// The entities of a navigation property of one entity, as a collection of their own.
    ///
    /// - Throws: ``ODataError`` `badRequest` for an entity without a key.
    public func children(
        of parent: DynamicEntity, _ relation: String
    ) throws -> EntityCollection<DynamicEntity> {
        try children(of: parent, named: relation)
    }

    /// The entity of a navigation property to one, by a request of its own: `Products(1)/Category`; nil where there is
    /// none.
    public func child(of parent: DynamicEntity, _ relation: String) async throws -> DynamicEntity? {
        let children: EntityCollection<DynamicEntity> = try children(of: parent, named: relation)
        return try await children.oneIfAny()
    }

    /// The entities of a navigation property of several entities, for each of them in turn, by one request as those of
    /// structures.
    public func children(of parents: [DynamicEntity], _ relation: String) async throws -> [[DynamicEntity]] {
        try await children(of: parents, relation) { $0 }
    }

    /// The same with some of the entities, or with more of each: `children(of: orders, "Items") { $0.top(3) }`.
    public func children(
        of parents: [DynamicEntity], _ relation: String,
        _ options: (ExpandedCollection<DynamicElement>) -> ExpandedCollection<DynamicElement>
    ) async throws -> [[DynamicEntity]] {
        let options = options(ExpandedCollection(query: BuiltQuery(path: ""))).query
        return try await children(of: parents, named: relation, options) { parent in
            guard case .many(let entities, _) = parent.entity.expanded[relation] else { return [] }
            return entities.map(DynamicEntity.init)
        }
    }

    /// Relates two entities, or takes the navigation property away for nil.
    public func link(_ element: DynamicEntity, _ relation: String, to other: DynamicEntity?) async throws {
        let change = try other.map { ChangeRequest.Operation.addReference(try reference(to: $0)) }
        try await changeLink(element, relation, change ?? .removeReference(nil))
    }

    /// Adds to a navigation property.
    public func add(_ other: DynamicEntity, to relation: String, of element: DynamicEntity) async throws {
        try await changeLink(element, relation, .addReference(try reference(to: other)))
    }

    /// Takes out of a navigation property.
    public func remove(_ other: DynamicEntity, from relation: String, of element: DynamicEntity) async throws {
        try await changeLink(element, relation, .removeReference(try reference(to: other)))
    }
}
