import GRDB
import GRDBSQLite
import ODataStores
import Synchronization

/// Limits the time of the statements of one access to the database, and ends them when their request is cancelled.
///
/// SQLite calls it while a statement runs; the code between statements calls ``check(_:)``.
final class WorkClock: Sendable {
    /// The clocks of the current accesses, by connection.
    private static let running = Mutex<[Int: WorkClock]>([:])

    /// The number of instructions after which SQLite asks whether to continue.
    private static let interval: CInt = 10_000

    private let end: ContinuousClock.Instant?

    /// - Parameter limit: Nil for any time.
    private init(_ limit: Duration?) {
        end = limit.map { .now + $0 }
    }

    private var isOver: Bool { end.map { .now > $0 } ?? false }

    /// The clock of the current access on the connection; nil without a time limit.
    static func running(on db: Database) -> WorkClock? {
        running.withLock { $0[Int(bitPattern: db.sqliteConnection)] }
    }

    /// - Throws: ``TimeIsOver``, `CancellationError`.
    static func check(_ db: Database) throws { try running(on: db)?.check() }

    /// - Throws: ``TimeIsOver``, `CancellationError`.
    func check() throws {
        try Task.checkCancellation()
        if isOver { throw TimeIsOver() }
    }

    /// Runs `body` with the connection: its statements end when their time is over or their task is cancelled.
    ///
    /// - Throws: ``TimeIsOver`` if it takes longer than `limit`, and what `body` throws.
    static func run<Result>(_ limit: Duration?, on db: Database, _ body: () throws -> Result) throws -> Result {
        let clock = WorkClock(limit)
        clock.begin(on: db)
        defer { clock.end(on: db) }
        do { return try body() } catch {
            throw clock.isOver && !Task.isCancelled && isInterruption(error) ? TimeIsOver() : error
        }
    }

    private func begin(on db: Database) {
        Self.running.withLock { $0[Int(bitPattern: db.sqliteConnection)] = self }
        sqlite3_progress_handler(
            db.sqliteConnection, Self.interval,
            { clock in
                guard let clock else { return 0 }
                let isOver = Unmanaged<WorkClock>.fromOpaque(clock).takeUnretainedValue().isOver
                return isOver || Task.isCancelled ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func end(on db: Database) {
        sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil)
        _ = Self.running.withLock { $0.removeValue(forKey: Int(bitPattern: db.sqliteConnection)) }
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
