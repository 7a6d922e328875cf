import ByteStreams
import GRDB
import GRDBSQLite
import Synchronization

/// Notices transactions that other programs commit: their values were not checked yet.
///
/// SQLite counts for each connection the commits of all other connections (`PRAGMA data_version`). For the writing
/// connection these are other programs, for a reading one also this store. A request therefore asks a reading
/// connection, and the writing one only if there is a new commit.
///
/// A check of all values takes time with a large file. If another program commits repeatedly, the checks take at most a
/// tenth of the time.
final class ExternalCommitDetector: Sendable {
    /// The ratio of the pause after a check to its duration.
    private static let pause = 9

    private struct State {
        var version: Int64?
        var isWriting = false
        var isDue = false
        /// By connection.
        var readers: [Int: Int64] = [:]
        /// The states in which the schema and the values have been checked, by connection.
        var checked: [Int: UInt32] = [:]
        var next = ContinuousClock.now
        /// The running check of all values that requests wait for.
        var running: Task<Bool, any Error>?
    }

    private let state = Mutex(State())

    private static func version(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
    }

    /// To be called in each transaction of the store before its first change.
    func beginWriting(_ db: Database) throws {
        try look(db)
        state.withLock { $0.isWriting = true }
    }

    func endWriting() { state.withLock { $0.isWriting = false } }

    /// Checks the writing connection.
    func look(_ db: Database) throws {
        let version = try Self.version(db)
        state.withLock { state in
            if let known = state.version, known != version { state.isDue = true }
            state.version = version
        }
    }

    /// Whether another connection has committed since the last call with `db`, which only reads.
    func isNews(_ db: Database) throws -> Bool {
        let connection = Int(bitPattern: db.sqliteConnection)
        let version = try Self.version(db)
        return state.withLock { $0.readers.updateValue(version, forKey: connection) != version }
    }

    /// The state that `db` reads in this access, which has begun to read.
    static func state(of db: Database) -> ReadState? {
        var version: UInt32 = 0
        guard sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_DATA_VERSION, &version) == SQLITE_OK
        else { return nil }
        return ReadState(connection: Int(bitPattern: db.sqliteConnection), version: version)
    }

    /// Records that the schema and the values have been checked in `read` or a later state.
    func noteChecked(_ read: ReadState?) {
        guard let read else { return }
        state.withLock { $0.checked[read.connection] = read.version }
    }

    /// Whether the state that `db` reads in this access was the last one to be checked. No statement is run.
    func isChecked(_ db: Database) -> Bool {
        guard let read = Self.state(of: db) else { return false }
        return state.withLock { $0.checked[read.connection] == read.version }
    }

    /// Whether the writing connection is checked. While it has a transaction, no other one commits.
    var mayAsk: Bool { state.withLock { !$0.isWriting } }

    /// For a store without a writing connection: every new commit is of another program.
    func noteNews() { state.withLock { $0.isDue = true } }

    /// Checks the values if a check is due. Requests that arrive meanwhile wait for the same check; one that is
    /// cancelled leaves at once, and the check continues.
    ///
    /// - Parameter body: The check. Returns whether the values still are of their determined types.
    /// - Returns: True also if no check is due.
    func stillFits(_ body: @escaping @Sendable () async throws -> Bool) async throws -> Bool {
        try await running(body)?.valueUnlessCancelled() ?? true
    }

    private func running(_ body: @escaping @Sendable () async throws -> Bool) -> Task<Bool, any Error>? {
        state.withLock { state in
            guard state.running == nil else { return state.running }
            guard state.isDue, .now >= state.next else { return nil }
            state.isDue = false
            state.running = Task { [self] in
                let start = ContinuousClock.now
                do {
                    let fits = try await body()
                    end(after: .now - start, isDue: false)
                    return fits
                } catch {
                    end(after: .now - start, isDue: true)
                    throw error
                }
            }
            return state.running
        }
    }

    private func end(after duration: Duration, isDue: Bool) {
        state.withLock { state in
            state.running = nil
            state.isDue = state.isDue || isDue
            state.next = .now + duration * Self.pause
        }
    }
}

/// A state of the database, as a connection reads it: another one after each commit of others.
struct ReadState: Sendable {
    let connection: Int
    let version: UInt32
}
