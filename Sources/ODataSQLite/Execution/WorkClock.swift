import GRDB
import GRDBSQLite
import ODataStores

/// Limits the time of the statements of one access to the database, and ends them when no request waits any more.
///
/// SQLite calls it while a statement runs; the code between statements calls ``check()``.
final class WorkClock: Sendable {
    /// The clock of the current access on this thread or in this task.
    @TaskLocal static var current: WorkClock?

    /// The number of instructions after which SQLite asks whether to continue.
    private static let interval: CInt = 10_000

    private let end: ContinuousClock.Instant?

    /// - Parameter limit: Nil for any time.
    private init(_ limit: Duration?) {
        end = limit.map { .now + $0 }
    }

    private var isOver: Bool { end.map { .now > $0 } ?? false }

    /// Ends the statements of the connection when their time is over or their task is cancelled.
    static func install(on db: Database) {
        sqlite3_progress_handler(
            db.sqliteConnection, interval,
            { _ in
                guard let clock = WorkClock.current else { return 0 }
                return clock.isOver || Task.isCancelled ? 1 : 0
            }, nil)
    }

    /// - Throws: ``TimeIsOver``, `CancellationError`.
    static func check() throws {
        guard let clock = current else { return }
        try Task.checkCancellation()
        if clock.isOver { throw TimeIsOver() }
    }

    /// Runs `body`, which ends with ``TimeIsOver`` if it takes longer than `limit`.
    static func run<Result>(_ limit: Duration?, _ body: () throws -> Result) throws -> Result {
        let clock = WorkClock(limit)
        do { return try $current.withValue(clock, operation: body) } catch {
            throw clock.isOver && !Task.isCancelled && isInterruption(error) ? TimeIsOver() : error
        }
    }

    private static func isInterruption(_ error: any Error) -> Bool {
        switch error {
        case let error as DatabaseError: [.SQLITE_INTERRUPT, .SQLITE_ABORT].contains(error.resultCode)
        case let error as ODataError: error.code == .cancelled || error.cause is TimeIsOver
        default: error is TimeIsOver
        }
    }
}

/// The statements of an access to the database took too long.
struct TimeIsOver: Error {}

extension ODataError {
    /// A query that exceeds the service's limit, and would exceed it again.
    static func timeLimit(_ limit: Duration) -> ODataError {
        ODataError(
            .cancelled,
            "The request takes the database longer than the limit of \(limit.seconds) s: request less with $filter, $top or $select."
        )
    }
}

extension Duration {
    /// `0.25`, `10`
    fileprivate var seconds: String {
        let value = Double(components.seconds) + Double(components.attoseconds) / 1e18
        return value == value.rounded() ? "\(Int(value))" : "\(value)"
    }
}
