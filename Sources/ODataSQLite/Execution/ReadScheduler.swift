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
    let direct: DirectReads

    init(direct: DirectReads = DirectReads()) { self.direct = direct }

    /// - Parameters:
    ///   - scope: Of the request that is read for.
    ///   - body: May be called three times.
    func read<Result: Sendable>(
        _ database: any DatabaseReader, for scope: WorkScope, _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        let end = scope.timeLimit.map { ContinuousClock.now + $0 }
        if let result = try direct.result(of: body, in: database, within: scope.timeLimit) { return result }
        return try await direct.indirectly {
            guard let limit = scope.timeLimit, let end else {
                return try await database.read { db in try WorkClock.run(nil, on: db) { try body(db) } }
            }
            do {
                let short = min(Self.shortTime, limit / 2)
                return try await database.read { db in try WorkClock.run(short, on: db) { try body(db) } }
            } catch is TimeIsOver {
                return try await long(database, for: scope.client ?? "", limit, until: end, body)
            }
        }
    }

    private func long<Result: Sendable>(
        _ database: any DatabaseReader, for client: String, _ limit: Duration, until end: ContinuousClock.Instant,
        _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        guard try await turns.begin(client, until: end) else { throw Self.crowded }
        defer { turns.end(client) }
        do {
            return try await database.read { db in try WorkClock.run(end - .now, on: db) { try body(db) } }
        } catch is TimeIsOver { throw ODataError.timeLimit(limit) }
    }

    private static var crowded: ODataError {
        var error = ODataError(.busy, "Too many long queries are running: try again.")
        error.retryAfter = 5
        return error
    }
}
