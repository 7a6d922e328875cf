import ODataModel
import ODataQuery

/// The methods that take key paths of properties, for entities whose type only the service knows: names, or paths
/// (`Address/City`, `Category/Name`).
extension EntityCollection<DynamicEntity> {
    /// In this order, after the orders that were given before: `$orderby`.
    public func orderBy(_ name: String, descending: Bool = false) -> EntityCollection {
        orderBy(\.[name], descending: descending)
    }

    /// The entities with this value; ``EdmValue/null`` for none: `find(by: "City", "Bern")`.
    public func find(by name: String, _ value: some PropertyValue) async throws -> [DynamicEntity] {
        try await self.where { $0[name] == value }.findAll()
    }

    /// The sum of what is not null; nil where there is nothing.
    public func sum(_ name: String) async throws -> EdmValue? { try await sum(\.[name]) }

    /// The average of what is not null; nil where there is nothing.
    public func average(_ name: String) async throws -> Double? { try await average(\.[name]) }

    /// The least value; nil where there is nothing.
    public func min(_ name: String) async throws -> EdmValue? { try await min(\.[name]) }

    /// The greatest value; nil where there is nothing.
    public func max(_ name: String) async throws -> EdmValue? { try await max(\.[name]) }

    /// How many different values there are.
    public func countDistinct(_ name: String) async throws -> Int { try await countDistinct(\.[name]) }

    /// The entities in groups of equal values: `orders.grouped(by: "Country").sum("Amount")`.
    public func grouped(by name: String) -> GroupedCollection<DynamicEntity, EdmValue> { grouped(by: \.[name]) }

    /// The entities with equal values in another collection, for each entity here in turn.
    public func joined(
        with other: EntityCollection<DynamicEntity>, on name: String, equals otherName: String
    ) async throws -> [(element: DynamicEntity, others: [DynamicEntity])] {
        try await joined(with: other, on: \.[name], equals: \.[otherName])
    }
}

extension GroupedCollection<DynamicEntity, EdmValue> {
    /// The sum of what is not null in each group.
    public func sum(_ name: String) async throws -> [Group<EdmValue?>] { try await sum(\.[name]) }

    /// The average of what is not null in each group.
    public func average(_ name: String) async throws -> [Group<Double?>] { try await average(\.[name]) }

    /// The least value of each group.
    public func min(_ name: String) async throws -> [Group<EdmValue?>] { try await min(\.[name]) }

    /// The greatest value of each group.
    public func max(_ name: String) async throws -> [Group<EdmValue?>] { try await max(\.[name]) }
}
