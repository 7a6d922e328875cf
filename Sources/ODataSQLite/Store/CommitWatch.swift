import ByteStreams
import GRDB
import Synchronization

/// Notices transactions that other programs commit: their values were not checked yet.
///
/// SQLite counts for each connection what all others have committed (`PRAGMA data_version`). On the connection that
/// writes, these are other programs; on one that reads, this store too. So a request asks the connection that reads,
/// and the other one only where there is something new.
///
/// To check all values takes time with a large file. Where another program commits again and again, the checks take a
/// tenth of the time at most.
final class CommitWatch: Sendable {
    /// How much longer than a look the pause after it is.
    private static let pause = 9

    private struct State {
        var version: Int64?
        var isWriting = false
        var isDue = false
        /// By connection.
        var readers: [Int: Int64] = [:]
        var next = ContinuousClock.now
        /// The look at all values that requests wait for.
        var running: Task<Bool, any Error>?
    }

    private let state = Mutex(State())

    private static func version(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0
    }

    /// To be called in each transaction of the store, before it changes something.
    func beginWriting(_ db: Database) throws {
        try look(db)
        state.withLock { $0.isWriting = true }
    }

    func endWriting() { state.withLock { $0.isWriting = false } }

    /// Looks at the connection that writes.
    func look(_ db: Database) throws {
        let version = try Self.version(db)
        state.withLock { state in
            if let known = state.version, known != version { state.isDue = true }
            state.version = version
        }
    }

    /// Whether another connection has committed since `db`, which only reads, was asked last.
    func isNews(_ db: Database) throws -> Bool {
        let connection = Int(bitPattern: db.sqliteConnection)
        let version = try Self.version(db)
        return state.withLock { $0.readers.updateValue(version, forKey: connection) != version }
    }

    /// Whether the writing connection is checked. While it has a transaction, no other one commits.
    var mayAsk: Bool { state.withLock { !$0.isWriting } }

    /// Where there is no connection that writes: whatever is new is by others.
    func noteNews() { state.withLock { $0.isDue = true } }

    /// Looks at the values if they are to be looked at now. Requests that come meanwhile wait for the same look; one that
    /// is cancelled leaves at once, and the look goes on.
    ///
    /// - Parameter body: The look. Gives whether the values are what they were taken for.
    /// - Returns: True also where no look is due.
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
