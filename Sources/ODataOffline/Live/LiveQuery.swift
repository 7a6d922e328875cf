import GRDB
import ODataModel
import ODataQuery
import ODataStores

/// The results of a query: the first at once, another one whenever a change in the store changes the result.
///
/// ```swift
/// for await result in store.live(query) {
///     switch result {
///     case .success(let result): show(result.entities, result.difference)
///     case .failure(let error): show(error)
///     }
/// }
/// ```
///
/// Only commits that affect the tables and columns of the query cause a read. Of a query that decides on each entity by
/// its own properties, like `Orders?$filter=Amount gt 5`, only the entities that a commit has touched are read where
/// they leave the result as it was. Commits that are faster than the iterator are combined; the last state is always
/// returned. An error is returned as a value, once, and the query stays live: an
/// entity that is `notFound` may be created again. It ends when its task is cancelled, when the store closes, and after
/// the error of a query that the store does not support.
///
/// Each iterator reads separately and holds the last result. In a read-only store it checks five times a second for
/// commits of the process that writes the store.
public struct LiveQuery: AsyncSequence, Sendable {
    public typealias Element = Result<LiveResult, ODataError>

    let store: OfflineStore
    let request: ReadRequest

    public func makeAsyncIterator() -> Iterator { Iterator(store: store, request: request) }

    /// Gives the results of one reader of the query.
    public struct Iterator: AsyncIteratorProtocol {
        private let store: OfflineStore
        private let request: ReadRequest
        private var signals: AsyncStream<Void>.Iterator?
        /// They live as long as the iterator.
        private var observers: [CommitObserver] = []
        /// What they have observed.
        private var changes = CommittedChangeLog()
        private var signal: AsyncStream<Void>.Continuation?
        /// What the observers watch: a rebuild puts another file in its place.
        private var pool: DatabasePool?
        /// The defining queries that the observers know.
        private var definitions = 0
        /// Of a store that is only read.
        private var watch: ExternalCommitObserver?
        private var last: LiveResult?
        /// The entities of ``last`` by their ids, made when they are first needed.
        private var entities: [String: EdmEntity]?
        private var failure: ODataError?
        private var isEnded = false

        fileprivate init(store: OfflineStore, request: ReadRequest) {
            self.store = store
            self.request = request
        }

        public mutating func next() async -> Result<LiveResult, ODataError>? {
            if signals == nil {
                if let first = await start() { return first }
            }
            while !isEnded, await signals?.next() != nil {
                let isOutdated = isOutdated
                if isOutdated, let failure = await observe() { return failure }
                // Before the read, which sees these changes and may see later ones.
                let changes = changes.take()
                if !isOutdated, await isUnchanged(by: changes) { continue }
                if let result = await read() { return result }
            }
            isEnded = true
            return nil
        }

        private var isOutdated: Bool {
            pool !== store.database.pool || definitions != store.liveQueries.definitions
        }

        private mutating func start() async -> Element? {
            let (stream, signal) = store.liveQueries.signals()
            signals = stream.makeAsyncIterator()
            self.signal = signal
            if let failure = await observe() { return failure }
            if store.database.isReadOnly { watch = ExternalCommitObserver(store.database.pool, signal: signal) }
            return isEnded ? nil : await read()
        }

        /// - Returns: Why it cannot be observed.
        private mutating func observe() async -> Element? {
            guard let signal else { return nil }
            do {
                let pool = store.database.pool
                let definitions = store.liveQueries.definitions
                let region = try await store.liveReads.region(of: request)
                changes = CommittedChangeLog()
                observers = store.liveQueries.observe(region, changes, in: store.database, signal: signal)
                self.pool = pool
                self.definitions = definitions
                return nil
            } catch {
                isEnded = true
                let error = ODataError(any: error)
                return error.code == .cancelled ? nil : .failure(error)
            }
        }

        /// Whether the last result is still that of the query, as far as few rows show this.
        private mutating func isUnchanged(by changes: CommittedChanges) async -> Bool {
            guard case .rows(let rows) = changes, let last, failure == nil,
                case .entities(let found) = last.content
            else { return false }
            let entities =
                entities
                ?? found.reduce(into: [:]) { entities, entity in if let id = entity.id { entities[id] = entity } }
            self.entities = entities
            guard entities.count == found.count else { return false }
            return (try? await store.liveReads.isUnchanged(by: rows, of: request, since: entities)) ?? false
        }

        /// The result if it is another one than the last.
        private mutating func read() async -> Element? {
            do {
                var result = try await store.liveReads.result(of: request)
                let (before, isBack) = (last, failure != nil)
                last = result
                entities = nil
                failure = nil
                guard let before else { return .success(result) }
                if !isBack, before.content == result.content, before.count == result.count { return nil }
                if case .entities(let old) = before.content, case .entities(let new) = result.content {
                    result.difference = LiveDifference(from: old, to: new)
                }
                return .success(result)
            } catch {
                return take(ODataError(any: error))
            }
        }

        private mutating func take(_ error: ODataError) -> Element? {
            guard error.code != .cancelled else {
                isEnded = true
                return nil
            }
            defer { failure = error }
            guard failure?.code != error.code || failure?.message != error.message else { return nil }
            return .failure(error)
        }
    }
}
