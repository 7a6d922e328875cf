import ODataModel
import ODataQuery

/// One value computed of many entities by the service or the store.
///
/// [OData-Aggregation, section 3.2]
struct Aggregate: Sendable {
    /// `Price with sum`
    let text: String

    init(_ text: String, _ method: String) { self.text = "\(text) with \(method)" }
    init(_ text: String) { self.text = text }

    static let count = Aggregate("$count")
}

extension EntityCollection {
    /// No property of the entities should have this name.
    static var resultName: String { "AggregateResult" }

    /// The sum of what is not null; nil where there is nothing.
    ///
    /// - Throws: ``ODataError``; `invalidResponse` for a sum that the type of the property has no room for.
    public func sum<Wrapped: NumericPropertyValue>(
        _ field: KeyPath<Element.Fields, QueryOperand<Wrapped>>
    ) async throws -> Wrapped? {
        try Self.fitting(try await aggregate(Aggregate(text(field), "sum")))
    }

    /// The sum of whole numbers, which may be greater than the type of the property.
    public func sum<Wrapped: NumericPropertyValue & IntegerPropertyValue>(
        _ field: KeyPath<Element.Fields, QueryOperand<Wrapped>>
    ) async throws -> Int64? {
        try Self.fitting(try await aggregate(Aggregate(text(field), "sum")))
    }

    /// The average of what is not null; nil where there is nothing.
    public func average<Wrapped: NumericPropertyValue>(
        _ field: KeyPath<Element.Fields, QueryOperand<Wrapped>>
    ) async throws -> Double? {
        try await aggregate(Aggregate(text(field), "average")).flatMap(Self.number)
    }

    /// The least value; nil where there is nothing.
    public func min<Wrapped>(_ field: KeyPath<Element.Fields, QueryOperand<Wrapped>>) async throws -> Wrapped? {
        try Self.fitting(try await aggregate(Aggregate(text(field), "min")))
    }

    /// The greatest value; nil where there is nothing.
    public func max<Wrapped>(_ field: KeyPath<Element.Fields, QueryOperand<Wrapped>>) async throws -> Wrapped? {
        try Self.fitting(try await aggregate(Aggregate(text(field), "max")))
    }

    /// How many different values there are.
    public func countDistinct<Wrapped>(_ field: KeyPath<Element.Fields, QueryOperand<Wrapped>>) async throws -> Int {
        try await aggregate(Aggregate(text(field), "countdistinct")).flatMap(Self.number).map(Int.init) ?? 0
    }

    /// The entities in groups of equal values, of which sums and the like can be asked:
    /// `orders.grouped(by: \.country).sum(\.amount)`.
    public func grouped<Key>(
        by field: KeyPath<Element.Fields, QueryOperand<Key>>
    ) -> GroupedCollection<Element, Key> {
        GroupedCollection(collection: self, field: text(field))
    }

    func text<Wrapped>(_ field: KeyPath<Element.Fields, QueryOperand<Wrapped>>) -> String {
        Element.Fields(path: .root)[keyPath: field].text
    }

    static func fitting<Wrapped: PropertyValue>(_ value: EdmValue?) throws -> Wrapped? {
        guard let value, !value.isNull else { return nil }
        guard let result = Wrapped(edm: value) else {
            throw ODataError(.invalidResponse, "What the store computed, \(value.lexical), is not a \(Wrapped.self).")
        }
        return result
    }

    static func number(_ value: EdmValue) -> Double? {
        switch value {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.doubleValue
        default: nil
        }
    }

    func aggregate(_ aggregate: Aggregate) async throws -> EdmValue? {
        let rows = try await store.entities(try await computed(aggregate).bound())
        return rows.first?[Self.resultName].flatMap { $0.isNull ? nil : $0 }
    }

    /// `$apply=filter(Price gt 20)/aggregate(…)`
    func applied(_ step: String) async throws -> [EdmEntity] {
        try await store.entities(try await transformed(step).bound())
    }

    /// The value as the only row of a collection.
    func computed(_ aggregate: Aggregate) -> EntityCollection<DynamicEntity> {
        transformed("aggregate(\(aggregate.text) as \(Self.resultName))")
    }

    private func transformed(_ step: String) -> EntityCollection<DynamicEntity> {
        var asked = BuiltQuery(path: query.path)
        asked.apply = (query.transformations + [step]).joined(separator: "/")
        asked.others = query.context
        return EntityCollection<DynamicEntity>(collections, asked)
    }
}

/// A collection in groups of equal values of one property.
///
/// [OData-Aggregation, section 3.2.3: Transformation groupby]
public struct GroupedCollection<Element: CollectionElement, Key: PropertyValue>: Sendable {
    let collection: EntityCollection<Element>
    let field: String

    /// A group: the value that its entities have in common, nil for null, and what was computed of them.
    public struct Group<Result: Sendable>: Sendable {
        /// The value that the entities have in common; nil for null.
        public let key: Key?
        /// What was computed of them.
        public let value: Result
    }

    /// The number of entities of each group: `$apply=groupby((City),aggregate($count as AggregateResult))`.
    public func count() async throws -> [Group<Int>] {
        try await groups(.count) { $0.flatMap(EntityCollection<Element>.number).map(Int.init) ?? 0 }
    }

    /// The sum of what is not null in each group.
    public func sum<Wrapped: NumericPropertyValue>(
        _ field: KeyPath<Element.Fields, QueryOperand<Wrapped>>
    ) async throws -> [Group<Wrapped?>] {
        try await groups(Aggregate(collection.text(field), "sum")) { try EntityCollection<Element>.fitting($0) }
    }

    /// The sum of whole numbers in each group, which may be greater than the type of the property.
    public func sum<Wrapped: NumericPropertyValue & IntegerPropertyValue>(
        _ field: KeyPath<Element.Fields, QueryOperand<Wrapped>>
    ) async throws -> [Group<Int64?>] {
        try await groups(Aggregate(collection.text(field), "sum")) { try EntityCollection<Element>.fitting($0) }
    }

    /// The average of what is not null in each group.
    public func average<Wrapped: NumericPropertyValue>(
        _ field: KeyPath<Element.Fields, QueryOperand<Wrapped>>
    ) async throws -> [Group<Double?>] {
        try await groups(Aggregate(collection.text(field), "average")) { value in
            value.flatMap(EntityCollection<Element>.number)
        }
    }

    /// The least value of each group.
    public func min<Wrapped>(_ field: KeyPath<Element.Fields, QueryOperand<Wrapped>>) async throws -> [Group<Wrapped?>]
    {
        try await groups(Aggregate(collection.text(field), "min")) { try EntityCollection<Element>.fitting($0) }
    }

    /// The greatest value of each group.
    public func max<Wrapped>(_ field: KeyPath<Element.Fields, QueryOperand<Wrapped>>) async throws -> [Group<Wrapped?>]
    {
        try await groups(Aggregate(collection.text(field), "max")) { try EntityCollection<Element>.fitting($0) }
    }

    private func groups<Result: Sendable>(
        _ aggregate: Aggregate, _ result: (EdmValue?) throws -> Result
    ) async throws -> [Group<Result>] {
        let name = EntityCollection<Element>.resultName
        return try await collection.applied("groupby((\(field)),aggregate(\(aggregate.text) as \(name)))").map { row in
            Group(key: try EntityCollection<Element>.fitting(value(of: row)), value: try result(row[name]))
        }
    }

    /// The value of a property, or of one of an entity that a path leads to.
    private func value(of row: EdmEntity) -> EdmValue? {
        let names = field.split(separator: "/").map(String.init)
        var value: EdmValue? = .complex(row.properties)
        for name in names {
            guard case .complex(let members) = value else { return nil }
            value = members[name]
        }
        return value
    }
}
