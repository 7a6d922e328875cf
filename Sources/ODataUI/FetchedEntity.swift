import OData
import Observation

/// One entity as it is now, for views: it follows the entity as long as it lives, also where its key changes with an
/// upload.
///
/// ```swift
/// @State private var order = FetchedEntity(order.id, in: service.orders.expand(\.items))
/// ```
@MainActor @Observable
public final class FetchedEntity<Element: CollectionElement> {
    /// The entity, with what the collection expands; nil where there is none, or none was read yet.
    public private(set) var value: Element?
    /// Whether nothing was read yet.
    public private(set) var isLoading = true
    /// Why the last read failed; nil after one that succeeded, and where the entity is gone.
    public private(set) var error: ODataError?

    @ObservationIgnored private let updates = FollowedSequence()

    /// Follows the entity with this id. What the collection filters does not matter, what it expands and selects does.
    public init(_ id: EntityID, in collection: EntityCollection<Element>) {
        let one: EntityCollection<Element>
        do { one = try collection.entity(id) } catch {
            (self.error, isLoading) = (error, false)
            return
        }
        updates.follow(one.updates) { [weak self] result in
            self?.take(result)
            return self != nil
        } end: { [weak self] in
            self?.isLoading = false
        }
    }

    /// Sees no more changes. The value stays.
    public func stop() {
        updates.stop()
        isLoading = false
    }

    private func take(_ result: Result<CollectionSnapshot<Element>, ODataError>) {
        isLoading = false
        switch result {
        case .success(let snapshot): (value, error) = (snapshot.first, nil)
        case .failure(let failure) where failure.code == .notFound: (value, error) = (nil, nil)
        case .failure(let failure): error = failure
        }
    }
}
