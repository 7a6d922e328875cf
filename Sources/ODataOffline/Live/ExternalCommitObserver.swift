import GRDB

/// Reports a live query of a store that is only read of the commits of the process that writes it.
///
/// SQLite describes the commits of one's own connections; of others' `PRAGMA data_version` reports that there were
/// some.
final class ExternalCommitObserver: Sendable {
    private static let interval = Duration.milliseconds(200)
    private let task: Task<Void, Never>

    /// Looks for commits until it is let go or the database is closed.
    convenience init(_ pool: DatabasePool, signal: AsyncStream<Void>.Continuation) {
        self.init(signal: signal) {
            try await pool.writeWithoutTransaction { try Int64.fetchOne($0, sql: "PRAGMA data_version") }
        }
    }

    init(signal: AsyncStream<Void>.Continuation, version: @escaping @Sendable () async throws -> Int64?) {
        task = Task {
            var known: Int64?
            var isFailing = false
            while true {
                do {
                    let version = try await version()
                    if version != known || isFailing { signal.yield() }
                    (known, isFailing) = (version, false)
                } catch {
                    guard !Self.isEnd(error) else { return }
                    // What cannot be asked may have changed: a reader gets the error itself.
                    if !isFailing { signal.yield() }
                    isFailing = true
                }
                // Nothing can be waited for: the writer is another process, and does not know of its readers.
                guard (try? await Task.sleep(for: Self.interval)) != nil else { return }
            }
        }
    }

    deinit { task.cancel() }

    /// Whether the watch was let go, or the store is closed.
    private static func isEnd(_ error: any Error) -> Bool {
        if error is CancellationError { return true }
        let code = (error as? DatabaseError)?.resultCode
        return code == .SQLITE_MISUSE || Task.isCancelled
    }
}
