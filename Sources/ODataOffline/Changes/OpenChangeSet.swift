import ODataQuery
import ODataStores
import Synchronization

/// A change set that the app has opened: changes are collected, and made all at once or not at all when it is closed.
///
///     let changes = store.beginChangeSet()
///     let order = try changes.change(ChangeRequest(orders, .create(payload)))
///     try changes.change(ChangeRequest(items, .create(EntityPayload(…, bindings: [.init(navigation: "Order", references: [order])]))))
///     let results = try await changes.commit()
///
/// Nothing is seen or kept before ``commit()``, which is one durable transaction. The service gets the requests as one
/// change set: it executes all of them or none.
///
/// [OData-Protocol, section 11.7.4]
public final class OpenChangeSet: Sendable {
    private let store: OfflineStore
    private let options: RequestOptions
    /// Nil: closed.
    private let requests = Mutex<[ChangeRequest]?>([])

    init(store: OfflineStore, options: RequestOptions) {
        self.store = store
        self.options = options
    }

    /// Adds a change.
    ///
    /// - Returns: A reference to what a creation will make, for bindings of later changes of the set.
    /// - Throws: ``ODataError`` `conflict` if the change set was closed.
    @discardableResult
    public func change(_ request: ChangeRequest) throws -> EntityReference {
        try requests.withLock { requests in
            guard var list = requests else { throw Self.closed }
            var request = request
            let id = request.contentID ?? "c\(list.count + 1)"
            request.contentID = id
            list.append(request)
            requests = list
            return .url("$\(id)")
        }
    }

    /// Makes all changes or none, and closes the change set.
    ///
    /// - Returns: The results in the order of the changes.
    /// - Throws: ``ODataError``: its `requestIndex` tells the change that cannot be made, from 0.
    @discardableResult
    public func commit() async throws -> [ChangeResult] {
        guard let list = requests.withLock({ $0.take() }) else { throw Self.closed }
        return try await store.changeSet(list, options: options)
    }

    /// Closes the change set; nothing of it happens.
    public func cancel() { requests.withLock { $0 = nil } }

    private static var closed: ODataError { ODataError(.conflict, "The change set was closed before.") }
}

extension OfflineStore {
    /// Opens a change set.
    ///
    /// - Parameter options: What the app says of all its requests.
    public func beginChangeSet(options: RequestOptions = RequestOptions()) -> OpenChangeSet {
        OpenChangeSet(store: self, options: options)
    }
}
