import GRDB
import GRDBSQLite
import ODataStores

/// How long the statements of one access to the database may run, and whether a request still waits for them.
///
/// SQLite asks while a statement runs, what is between statements asks by ``check()``.
final class WorkClock: Sendable {
    /// That of the access that is under way on this thread or in this task.
    @TaskLocal static var current: WorkClock?

    /// After so many instructions of a statement SQLite asks whether to go on.
    private static let interval: CInt = 10_000

    private let end: ContinuousClock.Instant?

    /// - Parameter limit: Nil for any time.
    private init(_ limit: Duration?) {
        end = limit.map { .now + $0 }
    }

    private var isOver: Bool { end.map { .now > $0 } ?? false }

    /// Has the statements of the connection end when their time is over or their task is cancelled.
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

    /// Does `body`, which ends with ``TimeIsOver`` if it takes longer than `limit`.
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
    /// A query that is too much for the service, and is so too when it is asked again.
    static func timeLimit(_ limit: Duration) -> ODataError {
        ODataError(
            .cancelled,
            "The request takes the database longer than the limit of \(limit.seconds) s: ask for less with $filter, $top or $select."
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
