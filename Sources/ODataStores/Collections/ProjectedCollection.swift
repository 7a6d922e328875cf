import ODataModel
import ODataQuery

/// Some properties of the entities of a collection, as tuples: what is not asked for is not sent.
///
/// ```swift
/// let names = products.where { $0.price > 20 }.select(\.id, \.name, \.category.name)
/// print(names.url)     // Products?$filter=Price gt 20&$select=ID,Name&$expand=Category($select=Name), encoded
/// for (id, name, category) in try await names.findAll() { … }
/// ```
///
/// A value is nil where it is null, and where a navigation property on the way leads to nothing.
///
/// [OData-URL, section 5.1.4: System Query Option $select]
public struct ProjectedCollection<each Column: PropertyValue>: Sendable {
    /// One of the entities.
    public typealias Row = (repeat (each Column)?)

    let collection: EntityCollection<DynamicEntity>
    /// `Category/Name`
    let names: [String]

    /// What the store will be asked, relative to the service root, percent-encoded.
    public var url: String { collection.url }

    /// The properties of all entities, in memory.
    ///
    /// - Throws: ``ODataError``; `invalidResponse` for values of another type than the property's.
    public func findAll() async throws -> [Row] { try await collection.findAll().map { try row($0.entity) } }

    /// The properties of the first entity; nil where there is none.
    public func first() async throws -> Row? { try await collection.first().map { try row($0.entity) } }

    /// The same page by page, as the store gives them.
    public func pages(size: Int? = nil) -> AsyncThrowingMapSequence<CollectionPages<DynamicEntity>, [Row]> {
        collection.pages(size: size).map { page in try page.map { try row($0.entity) } }
    }

    /// Each combination of values once, in no order: `$apply=groupby((Color,Category/Name))`. For stores that know
    /// `$apply`, as our own do.
    ///
    /// [OData-Aggregation, section 3.2.3: Transformation groupby]
    public func distinct() async throws -> [Row] {
        try await collection.applied("groupby((\(names.joined(separator: ","))))").map(row)
    }

    private func row(_ entity: EdmEntity) throws -> Row {
        var names = names[...]
        func next<Value: PropertyValue>(_: Value.Type) throws -> Value? {
            let steps = (names.popFirst() ?? "").split(separator: "/").map(String.init)
            return try EntityCollection<DynamicEntity>.fitting(entity.value(at: steps[...]))
        }
        return (repeat try next((each Column).self))
    }
}

extension EdmEntity {
    /// The value of a property, also of one in a complex value or behind a navigation property to one.
    fileprivate func value(at path: ArraySlice<String>) -> EdmValue? {
        guard let name = path.first else { return nil }
        if path.count > 1, case .one(let related) = expanded[name] { return related?.value(at: path.dropFirst()) }
        return path.reduce(.complex(properties)) { value, name in
            guard case .complex(let members) = value else { return nil }
            return members[name]
        }
    }
}

extension EntityCollection {
    /// Some properties of the entities, also of complex values and of entities behind navigation properties to one.
    /// What the collection expands beside them is not asked for.
    public func select<each Column: PropertyValue>(
        _ fields: repeat KeyPath<Element.Fields, QueryOperand<each Column>>
    ) -> ProjectedCollection<repeat each Column> {
        let root = Element.Fields(path: .root)
        var names: [String] = []
        repeat names.append(root[keyPath: each fields].text)
        var query = query
        (query.select, query.expansions, query.expandTexts) = ([], [], [])
        let typed = Element.self as? any TypedEntity.Type
        for name in names {
            query.select(name.split(separator: "/")[...]) { typed?.navigationNames.contains($0) != false }
        }
        // Without a property of their own all would come.
        if query.select.isEmpty { query.select = typed?.keyPaths ?? [] }
        let collection = EntityCollection<DynamicEntity>(collections, query, isSingleton: isSingleton)
        return ProjectedCollection(collection: collection, names: names)
    }
}

extension EntityCollection<DynamicEntity> {
    /// With these properties only, and those that were selected before: `select("ID", "Name", "Category/Name")`. What is
    /// not asked for is not there, and is not changed by updates.
    public func select(_ names: String...) -> EntityCollection {
        changed { query in
            for name in names { query.select(name.split(separator: "/")[...]) { _ in true } }
        }
    }
}

extension BuiltQuery {
    /// - Parameters:
    ///   - path: `Name`, `Category/Name`
    ///   - isNavigation: Whether the first step of several is a navigation property, and not a complex property.
    fileprivate mutating func select(_ path: ArraySlice<Substring>, isNavigation: (String) -> Bool) {
        guard let first = path.first else { return }
        guard path.count > 1, isNavigation(String(first)) else {
            let name = path.joined(separator: "/")
            if !select.contains(name) { select.append(name) }
            return
        }
        expand([String(first)]) { $0.select(path.dropFirst()) { _ in true } }
    }
}
