import ODataModel
import ODataQuery
import Synchronization

/// The entity sets of a store as collections, of entities by name or of typed ones.
///
/// ```swift
/// let collections = EntityCollections(store)
/// let customers = collections["Customers"]                       // DynamicEntity
/// let products = collections.of(Product.self, in: "Products")    // generated
/// ```
///
/// Collections that come from one value see each other's changes: keep it as long as the store.
public final class EntityCollections: Sendable {
    /// The store that executes the requests.
    public let store: any ODataStore
    let changes = ChangeBroadcast()

    /// Nothing is asked before the collections are.
    public init(_ store: any ODataStore) { self.store = store }

    /// The entity set with this name. Names are checked when the store is asked.
    public subscript(name: String) -> EntityCollection<DynamicEntity> { of(DynamicEntity.self, in: name) }

    /// The entity set as a collection of structures.
    public func of<Element: CollectionElement>(_: Element.Type, in name: String) -> EntityCollection<Element> {
        EntityCollection(self, BuiltQuery(path: percentEncoded(name)))
    }

    /// A singleton: ``EntityCollection/one()`` reads its entity, which is changed and has children as others do.
    ///
    /// [OData-CSDLXML, section 13.3]
    public func singleton(_ name: String) -> EntityCollection<DynamicEntity> {
        singleton(DynamicEntity.self, named: name)
    }

    /// A singleton as a structure.
    public func singleton<Element: CollectionElement>(
        _: Element.Type, named name: String
    ) -> EntityCollection<Element> {
        EntityCollection(self, BuiltQuery(path: percentEncoded(name)), isSingleton: true)
    }
}

/// Notifies the waiting tasks that something has been changed through the same ``EntityCollections``.
final class ChangeBroadcast: Sendable {
    private struct State {
        var next = 0
        var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// A signal for each change, those that come before the last is taken together. It ends with its reader.
    func signals() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = state.withLock { state in
                state.next += 1
                state.waiting[state.next] = continuation
                return state.next
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.waiting.removeValue(forKey: number) }
            }
        }
    }

    func announce() {
        for continuation in state.withLock({ Array($0.waiting.values) }) { continuation.yield() }
    }
}
