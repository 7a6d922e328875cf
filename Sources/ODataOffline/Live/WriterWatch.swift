import GRDB

/// Tells a live query of a store that is only read of the commits of the process that writes it.
///
/// SQLite tells of the commits of one's own connections; of others' `PRAGMA data_version` tells that there were some.
final class WriterWatch: Sendable {
    private static let interval = Duration.milliseconds(200)
    private let task: Task<Void, Never>

    /// Looks for commits until it is let go.
    init(_ pool: DatabasePool, signal: AsyncStream<Void>.Continuation) {
        task = Task {
            var known: Int64?
            // It ends with its task and when the store closes.
            while let version = try? await Self.version(pool) {
                if version != known { signal.yield() }
                known = version
                // Nothing can be waited for: the writer is another process, and does not know of its readers.
                guard (try? await Task.sleep(for: Self.interval)) != nil else { return }
            }
        }
    }

    deinit { task.cancel() }

    private static func version(_ pool: DatabasePool) async throws -> Int64? {
        try await pool.writeWithoutTransaction { try Int64.fetchOne($0, sql: "PRAGMA data_version") }
    }
}
