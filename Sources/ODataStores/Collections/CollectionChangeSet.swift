import ODataModel
import ODataQuery

/// Changes of entities of several collections that are carried out all or not at all: see ``EntityCollections/changeSet(_:)``.
public struct CollectionChangeSet {
    private(set) var changes: [@Sendable () async throws -> ChangeRequest?] = []

    /// As `create` of the collection.
    public mutating func create<Element>(_ element: Element, in collection: EntityCollection<Element>) {
        changes.append { try await collection.creation(of: element) }
    }

    /// As `update` of the collection; nothing where nothing has changed.
    public mutating func update<Element>(_ element: Element, in collection: EntityCollection<Element>) {
        changes.append {
            var request = try await collection.update(of: element)
            request?.returnPreference = .representation
            return request
        }
    }

    /// As `delete` of the collection.
    public mutating func delete<Element>(_ element: Element, in collection: EntityCollection<Element>) {
        changes.append { try await collection.request(element, .delete) }
    }
}

extension EntityCollections {
    /// Carries out all changes or none: `/$batch` with a change set, or one transaction of a file.
    ///
    /// ```swift
    /// try await collections.changeSet { set in
    ///     set.create(item, in: items)
    ///     set.update(product, in: products)
    ///     set.delete(old, in: orders)
    /// }
    /// ```
    ///
    /// Entities that are made together and refer to each other are one creation: related entities go with it.
    ///
    /// - Returns: The store's result of each change, in their order; nil for an update without changes.
    /// - Throws: ``ODataError`` of the first that failed; its ``ODataError/requestIndex`` counts those that were sent.
    @discardableResult
    public func changeSet(
        _ gather: (inout CollectionChangeSet) throws -> Void
    ) async throws -> [ChangeResult?] {
        var set = CollectionChangeSet()
        try gather(&set)
        var requests: [ChangeRequest?] = []
        for change in set.changes { requests.append(try await change()) }
        let sent = requests.compactMap(\.self)
        guard !sent.isEmpty else { return requests.map { _ in nil } }
        defer { changes.announce() }
        var results = try await store.changeSet(sent)[...]
        return requests.map { $0 == nil ? nil : results.popFirst() }
    }

    /// Lets all ``EntityCollection/updates`` read again that hear only of changes made here: for what is known to have
    /// changed elsewhere.
    public func refresh() { changes.announce() }
}
