import OData
import Observation

/// The entities of a collection as they are now, for views: it follows the collection as long as it lives.
///
/// ```swift
/// @State private var open = FetchedEntities(service.orders.where { $0.isOpen }.orderBy(\.dueDate))
///
/// var body: some View { List(open.results) { order in Text(order.title) } }
/// ```
///
/// What `EntityCollection.updates` says of stores holds here too: of an offline store all changes are seen, those of
/// downloads and uploads too, and an entity has the same `id` before and after its upload. Whole results are held: use
/// `top` for what is shown.
@MainActor @Observable
public final class FetchedEntities<Element: CollectionElement> {
    /// All of them, in the order of the query; those that were read last where a read has failed.
    public private(set) var results: [Element] = []
    /// How ``results`` differ from those before; nil for the first ones, and after ``follow(_:)``.
    public private(set) var difference: LiveDifference?
    /// Whether nothing was read yet of the collection that is followed.
    public private(set) var isLoading = false
    /// Why the last read failed; nil after one that succeeded.
    public private(set) var error: ODataError?
    /// Whether changes are seen: not before a collection is followed, nor after an error that leaves nothing to read, as
    /// of a query that the store does not understand, nor after the store is closed.
    public private(set) var isFollowing = false

    @ObservationIgnored private let updates = FollowedSequence()
    @ObservationIgnored private var collection: EntityCollection<Element>?

    /// Whether a collection was given, also one that has ended since.
    var hasCollection: Bool { collection != nil }

    /// Follows a collection; nil for none yet, see ``follow(_:)``.
    public init(_ collection: EntityCollection<Element>? = nil) {
        if let collection { follow(collection) }
    }

    /// Follows another collection from now on: another filter, another order. The results stay until its own are there.
    public func follow(_ collection: EntityCollection<Element>) {
        self.collection = collection
        (isLoading, isFollowing, difference, error) = (true, true, nil, nil)
        var isFirst = true
        updates.follow(collection.updates) { [weak self] result in
            guard let self else { return false }
            take(result, isFirst: isFirst)
            isFirst = isFirst && isLoading
            return true
        } end: { [weak self] in
            self?.isFollowing = false
            self?.isLoading = false
        }
    }

    /// Reads anew, also where the sequence has ended with an error.
    public func reload() {
        if let collection { follow(collection) }
    }

    /// Sees no more changes. The results stay.
    public func stop() {
        updates.stop()
        (isFollowing, isLoading) = (false, false)
    }

    private func take(_ result: Result<CollectionSnapshot<Element>, ODataError>, isFirst: Bool) {
        switch result {
        case .success(let snapshot):
            results = snapshot.elements
            difference = isFirst ? nil : snapshot.difference
            (error, isLoading) = (nil, false)
        case .failure(let failure):
            (error, isLoading) = (failure, false)
        }
    }
}
