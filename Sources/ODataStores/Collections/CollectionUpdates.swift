import ODataModel
import ODataQuery

/// What a collection holds at one moment, and how that differs from what it held before.
public struct CollectionSnapshot<Element: CollectionElement>: RandomAccessCollection, Sendable {
    /// All of them, in the order of the query.
    public let elements: [Element]
    /// Nil for the first snapshot.
    public let difference: LiveDifference?

    public var startIndex: Int { elements.startIndex }
    public var endIndex: Int { elements.endIndex }
    /// The entity at a position, from 0.
    public subscript(position: Int) -> Element { elements[position] }
}

/// A store that reports when the result of a query has become another one.
public protocol LiveStore: ODataStore {
    /// The results of one query, one after the other.
    associatedtype LiveResults: AsyncSequence<Result<LiveResult, ODataError>, Never> & Sendable

    /// The result of `query` at once, then another each time that changes give one.
    func live(_ query: BoundQuery, annotations: String?) -> LiveResults
}

extension EntityCollection {
    /// What the collection holds now, then each time that it has changed.
    ///
    /// Of a ``LiveStore``, as the offline store is, all changes are seen, those of downloads and uploads too; of other
    /// stores those that are made through the same ``EntityCollections``. Whole results are held: use `top` for what is shown.
    /// Errors are values: after one of reading the sequence continues with the next change, and ends after one that
    /// leaves nothing to read, as of a query that the store does not understand, or of an offline store that was never
    /// opened. It ends with its task, and with the store.
    ///
    /// ```swift
    /// for await result in products.orderBy(\.name).top(50).updates {
    ///     switch result {
    ///     case .success(let snapshot): show(snapshot, animating: snapshot.difference)
    ///     case .failure(let error): show(error)
    ///     }
    /// }
    /// ```
    public var updates: CollectionUpdates<Element> { CollectionUpdates(collection: self) }
}

/// See ``EntityCollection/updates``.
public struct CollectionUpdates<Member: CollectionElement>: AsyncSequence, Sendable {
    let collection: EntityCollection<Member>

    public func makeAsyncIterator() -> Iterator { Iterator(collection: collection) }

    /// Reads with the first call.
    public struct Iterator: AsyncIteratorProtocol {
        private let collection: EntityCollection<Member>
        private var results: (any AsyncIteratorProtocol<Result<LiveResult, ODataError>, Never>)?
        /// Of changes after an attempt that failed: nothing else indicates when another one could succeed.
        private var signals: AsyncStream<Void>.Iterator?
        /// What the last snapshot was made of; nil before the first.
        private var shown: [EdmEntity]?
        /// Whether there was a result since that could not be shown, from which the next one differs.
        private var hasGap = false
        private var isAtEnd = false

        init(collection: EntityCollection<Member>) { self.collection = collection }

        public mutating func next() async -> Result<CollectionSnapshot<Member>, ODataError>? {
            guard !isAtEnd else { return nil }
            if results == nil {
                if signals == nil {
                    signals = collection.collections.changes.signals().makeAsyncIterator()
                } else if await signals?.next(isolation: #isolation) == nil {
                    isAtEnd = true
                    return nil
                }
                do { results = try await start() } catch {
                    let error = ODataError(ofReading: error)
                    // A service that did not give its model may respond later; a store without one does not report it.
                    isAtEnd =
                        collection.store is any LiveStore
                        || [.badRequest, .notImplemented, .cancelled].contains(error.code)
                    return .failure(error)
                }
                signals = nil
            }
            guard let result = await results?.next(isolation: #isolation) else {
                isAtEnd = true
                return nil
            }
            return await snapshot(result)
        }

        private func start() async throws -> any AsyncIteratorProtocol<Result<LiveResult, ODataError>, Never> {
            let query = try await collection.bound()
            guard let store = collection.store as? any LiveStore else {
                var request = ReadRequest(query)
                request.annotations = collection.annotations
                return OwnChanges(store: collection.store, request: request, changes: collection.collections.changes)
            }
            return iterator(of: store, query)
        }

        private func iterator(
            of store: some LiveStore, _ query: BoundQuery
        ) -> any AsyncIteratorProtocol<Result<LiveResult, ODataError>, Never> {
            store.live(query, annotations: collection.annotations).makeAsyncIterator()
        }

        private mutating func snapshot(
            _ result: Result<LiveResult, ODataError>
        ) async -> Result<CollectionSnapshot<Member>, ODataError> {
            let live: LiveResult
            do { live = try result.get() } catch { return .failure(error) }
            do {
                let model = try await collection.store.model()
                let elements = try Member.elements(of: live.entities, model: model)
                let difference = hasGap ? shown.map { LiveDifference(from: $0, to: live.entities) } : live.difference
                (shown, hasGap) = (live.entities, false)
                return .success(CollectionSnapshot(elements: elements, difference: difference))
            } catch {
                hasGap = true
                return .failure(ODataError(ofReading: error))
            }
        }
    }
}

/// Reads again after each change that was made through the same collections.
private struct OwnChanges: AsyncIteratorProtocol {
    typealias Element = Result<LiveResult, ODataError>
    typealias Failure = Never

    let store: any ODataStore
    let request: ReadRequest
    private var signals: AsyncStream<Void>.Iterator
    private var last: [EdmEntity]?
    private var hasFailed = false
    private var isFirst = true

    init(store: any ODataStore, request: ReadRequest, changes: ChangeBroadcast) {
        (self.store, self.request) = (store, request)
        signals = changes.signals().makeAsyncIterator()
    }

    mutating func next() async -> Element? {
        while true {
            if !isFirst, await signals.next() == nil { return nil }
            isFirst = false
            do {
                // Entities that moved are reported by their ids.
                let entities = try await store.entities(request).map { entity in
                    var entity = entity
                    entity.id = entity.canonicalID
                    return entity
                }
                let before = last
                last = entities
                guard before != entities || hasFailed else { continue }
                hasFailed = false
                let difference = before.map { LiveDifference(from: $0, to: entities) }
                return .success(LiveResult(content: .entities(entities), difference: difference))
            } catch {
                hasFailed = true
                return Task.isCancelled ? nil : .failure(ODataError(ofReading: error))
            }
        }
    }
}

extension ODataError {
    /// Errors other than those of a store are errors of reading its response.
    init(ofReading error: any Error) {
        self = error as? ODataError ?? ODataError(.invalidResponse, "\(error)", cause: error)
    }
}
