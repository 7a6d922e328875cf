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
/// Only commits that affect the tables of the query cause a read. Commits that are faster than the iterator are
/// combined; the last state is always returned. An error is returned as a value, once, and the query stays live: an
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
        /// Lives as long as the iterator.
        private var observer: CommitObserver?
        private var signal: AsyncStream<Void>.Continuation?
        /// What the observer watches: a rebuild puts another file in its place.
        private var pool: DatabasePool?
        /// The defining queries that the observer knows.
        private var definitions = 0
        /// Of a store that is only read.
        private var watch: ExternalCommitObserver?
        private var last: LiveState?
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
                if isOutdated, let failure = await observe() { return failure }
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
                let observer = CommitObserver(try await store.liveReads.region(of: request), signal: signal)
                self.observer = observer
                self.pool = pool
                self.definitions = definitions
                store.observe(observer, signal: signal)
                return nil
            } catch {
                isEnded = true
                let error = ODataError(any: error)
                return error.code == .cancelled ? nil : .failure(error)
            }
        }

        /// The result if it is another one than the last.
        private mutating func read() async -> Element? {
            do {
                let state = try await store.liveReads.state(of: request)
                let (before, isBack) = (last, failure != nil)
                last = state
                failure = nil
                guard let before else { return .success(state.result) }
                if !isBack, before.result.content == state.result.content, before.result.count == state.result.count {
                    return nil
                }
                return .success(try await store.liveReads.result(of: state, after: before))
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
