import ODataModel
import ODataQuery

/// Entities of a set, or of a navigation property of one entity, and what is asked of them.
///
/// A value: each method gives another collection, and nothing is read before one of the asynchronous methods is called.
///
/// ```swift
/// let dear = products.where { $0.price > 20 }.orderBy(\.name).expand(\.category)
/// print(dear.url)                    // Products?$filter=Price%20gt%2020&$expand=Category&$orderby=Name
/// for product in try await dear.findAll() { … }
/// ```
///
/// All asynchronous methods throw ``ODataError``.
public struct EntityCollection<Element: CollectionElement>: Sendable {
    let collections: EntityCollections
    var query: BuiltQuery
    /// Whether the path leads to one entity, which has no key in its path.
    let isSingleton: Bool
    /// See ``annotations(_:)``.
    var annotations: String?

    init(_ collections: EntityCollections, _ query: BuiltQuery, isSingleton: Bool = false) {
        (self.collections, self.query, self.isSingleton) = (collections, query, isSingleton)
    }

    /// The store that executes the requests.
    public var store: any ODataStore { collections.store }

    /// What the store will be asked, relative to the service root, percent-encoded.
    public var url: String { query.url }

    func changed(_ change: (inout BuiltQuery) -> Void) -> EntityCollection {
        var copy = self
        change(&copy.query)
        return copy
    }

    /// A query that the store can be asked, also for what is not done here: live, as a defining query.
    ///
    /// - Throws: ``ODataError`` `badRequest` with the nearest known name, where the store's model has not what is named,
    ///   and for conditions that OData cannot say.
    public func bound() async throws -> BoundQuery { try await bound(query) }

    func bound(_ query: BuiltQuery) async throws -> BoundQuery {
        try requireWords()
        var query = query
        if !query.expansions.isEmpty {
            let model = try await store.model()
            guard let type = try await path(query.path).entityType(in: model) else { return try await bound(query.url) }
            query.joinComplexSteps(of: type, model: model)
        }
        return try await bound(query.url)
    }

    func bound(_ url: String) async throws -> BoundQuery {
        try requireWords()
        let model = try await store.model()
        do { return try QueryParser(model: model).query(url) } catch {
            throw ODataError(.badRequest, "\(error)", cause: error)
        }
    }

    /// - Throws: ``ODataError`` `badRequest` for what OData cannot say, before anything is asked.
    private func requireWords() throws {
        if let problem = query.problem { throw ODataError(.badRequest, problem) }
    }

    func path(_ text: String) async throws -> ResourcePath {
        let model = try await store.model()
        do { return try QueryParser(model: model).path(text) } catch {
            throw ODataError(.badRequest, "\(error)", cause: error)
        }
    }
}

/// What the standard calls query options. [OData-URL, section 5.1]
extension EntityCollection {
    /// Entities for which the condition holds, too: `$filter`.
    public func `where`(_ condition: (Element.Fields) -> QueryCondition) -> EntityCollection {
        changed { $0.restrict(condition(Element.Fields(path: .root))) }
    }

    /// Entities with this value, too; nil for null.
    public func `where`<Wrapped>(
        _ field: KeyPath<Element.Fields, QueryOperand<Wrapped>>, equals value: Wrapped?
    ) -> EntityCollection {
        self.where { $0[keyPath: field] == value }
    }

    /// In this order, after the orders that were given before: `$orderby`.
    public func orderBy<Wrapped>(
        _ field: KeyPath<Element.Fields, QueryOperand<Wrapped>>, descending: Bool = false
    ) -> EntityCollection {
        orderBy(descending: descending) { $0[keyPath: field] }
    }

    /// In the order of an expression, after the orders that were given before.
    public func orderBy<Wrapped>(
        descending: Bool = false, _ expression: (Element.Fields) -> QueryOperand<Wrapped>
    ) -> EntityCollection {
        let operand = expression(Element.Fields(path: .root))
        return changed { $0.order(by: operand, descending: descending) }
    }

    /// At most so many: `$top`.
    public func top(_ count: Int) -> EntityCollection { changed { $0.limit(count) } }

    /// Without the first ones: `$skip`.
    public func skip(_ count: Int) -> EntityCollection { changed { $0.skip = Swift.max(count, 0) } }

    /// Entities in which the expression is found: `chair AND NOT "blue paint"`.
    ///
    /// [OData-URL, section 5.1.8]
    public func search(_ expression: String) -> EntityCollection {
        changed { $0.find(expression) }
    }

    /// With the entities of a navigation property, or of one behind it: `expand(\.items.product)` is
    /// `$expand=Items($expand=Product)`.
    public func expand<Related: NavigationField>(_ navigation: KeyPath<Element.Fields, Related>) -> EntityCollection {
        expand(navigation) { $0 }
    }

    /// With some of the entities of a navigation property: `expand(\.items) { $0.where { $0.quantity > 5 }.top(3) }`.
    public func expand<Related: NavigationField>(
        _ navigation: KeyPath<Element.Fields, Related>,
        _ options: (ExpandedCollection<Related.Element>) -> ExpandedCollection<Related.Element>
    ) -> EntityCollection {
        let path = Element.Fields(path: .root)[keyPath: navigation].navigationPath
        return changed { query in
            query.expand(path) { $0 = options(ExpandedCollection(query: $0)).query }
        }
    }

    /// Of the entities that have this derived type, with its properties: `Animals/Zoo.Dog`.
    public func of<Derived: TypedEntity>(_: Derived.Type) -> EntityCollection<Derived> {
        var query = query
        query.path += "/" + percentEncoded("\(Derived.typeName)")
        var derived = EntityCollection<Derived>(collections, query, isSingleton: isSingleton)
        derived.annotations = annotations
        return derived
    }

    /// With instance annotations, as `Prefer: include-annotations` names them: of an offline store what marks a row that
    /// waits for the upload or was refused.
    ///
    /// ```swift
    /// for await result in orders.annotations("OfflineStore.*").updates {
    ///     for order in try result.get() where order.origin?.annotations["OfflineStore.hasPendingChanges"] == true { … }
    /// }
    /// ```
    ///
    /// Stores that make none pass it over. [OData-Protocol, section 8.2.8.4]
    public func annotations(_ names: String) -> EntityCollection {
        var copy = self
        copy.annotations = names
        return copy
    }

    /// With query options as they stand in a URL, raw or percent-encoded: `$filter=Price gt 20&$orderby=Name`. A filter
    /// is one more condition, an order comes after the one there is, of two `$top` the less counts, and what is expanded
    /// already gets the options that `$expand` has for it.
    ///
    /// - Throws: ``ODataError`` `badRequest` for text that is not a list of options, with what was expected and where.
    public func options(_ text: String) throws -> EntityCollection {
        var copy = self
        do { try copy.query.add(options: text) } catch { throw ODataError(.badRequest, "\(error)", cause: error) }
        return copy
    }
}
