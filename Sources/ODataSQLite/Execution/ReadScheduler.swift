import GRDB
import ODataStores

/// Lets short reads overtake long ones. A read that takes too long is stopped, and restarted when it gets a turn among
/// the long reads, of which few run at a time. Most connections thus stay free for short reads.
///
/// Only the reads of a service have a time limit, and with it turns: see ``WorkScope``.
final class ReadScheduler: Sendable {
    /// The longest duration of a short read.
    private static let shortTime = Duration.milliseconds(500)

    /// The number of long reads at a time: fewer than there are connections.
    private let turns = FairQueue(count: 4)

    /// - Parameter body: May be called twice.
    func read<Result: Sendable>(
        _ database: any DatabaseReader, _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        guard let limit = WorkScope.current.timeLimit else {
            return try await database.read { db in try WorkClock.run(nil) { try body(db) } }
        }
        let end = ContinuousClock.now + limit
        do {
            let short = min(Self.shortTime, limit / 2)
            return try await database.read { db in try WorkClock.run(short) { try body(db) } }
        } catch is TimeIsOver {
            return try await long(database, limit, until: end, body)
        }
    }

    private func long<Result: Sendable>(
        _ database: any DatabaseReader, _ limit: Duration, until end: ContinuousClock.Instant,
        _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        let client = WorkScope.current.client ?? ""
        guard try await turns.begin(client, until: end) else { throw Self.crowded }
        defer { turns.end(client) }
        do {
            return try await database.read { db in try WorkClock.run(end - .now) { try body(db) } }
        } catch is TimeIsOver { throw ODataError.timeLimit(limit) }
    }

    private static var crowded: ODataError {
        var error = ODataError(.busy, "Too many long queries are running: try again.")
        error.retryAfter = 5
        return error
    }
}
