import ByteStreams
import Dispatch
import GRDB
import ODataModel
import ODataStores
import SQLiteEncryption
import Synchronization

extension SQLiteStore {
    var opened: OpenedFile { current.withLock { $0 } }
    var pool: DatabasePool { opened.pool }
    var changeLog: ChangeLog? { opened.changeLog }
    var streamFiles: StreamFiles? { opened.streamFiles }

    /// Runs `body` with the open file, unless another file has replaced it.
    ///
    /// - Throws: ``ODataError`` `busy` until the new file is open, also if that happens while `body` runs.
    func withFile<Result>(_ body: (OpenedFile) async throws -> Result) async throws -> Result {
        let opened = opened
        try check(opened)
        do {
            let result = try await body(opened)
            try check(opened)
            return result
        } catch {
            try check(opened)
            try await checkSchema(of: opened, after: error)
            throw error
        }
    }

    /// As ``withFile(_:)``, with a connection that reads.
    func reading<Result: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        try await withFile { try await $0.pool.read(body) }
    }

    /// A transaction, which is completed even if its task is cancelled after it has begun. Before, a caller that is
    /// cancelled leaves at once, and the transaction does not begin.
    ///
    /// - Parameter limit: The time limit of the transaction.
    func write<Result: Sendable>(
        within limit: Duration? = nil, _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        try await withFile { opened in
            let caller = WaitingCaller<Result>()
            let change = SharedWrite(caller, Self.limited(limit, body))
            return try await caller.value { opened.write(change) }
        }
    }

    /// As ``write(within:_:)``, for a short change: those that wait at the same time share a transaction, in which each
    /// fails alone.
    ///
    /// - Parameter body: Called once more if the transaction was rolled back for another change.
    func writeTogether<Result: Sendable>(
        within limit: Duration?, _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        try await withFile { opened in
            let caller = WaitingCaller<Result>()
            let change = SharedWrite(caller, Self.limited(limit, body))
            return try await caller.value { opened.writeTogether(change) }
        }
    }

    private static func limited<Result>(
        _ limit: Duration?, _ body: @escaping @Sendable (Database) throws -> Result
    ) -> @Sendable (Database) throws -> Result {
        { db in
            do { return try WorkClock.run(limit, on: db) { try body(db) } } catch is TimeIsOver {
                throw limit.map(ODataError.timeLimit) ?? TimeIsOver()
            }
        }
    }

    /// - Throws: ``ODataError`` `busy` if another file has replaced the open one.
    func check(_ opened: OpenedFile) throws {
        do { try opened.check() } catch let error as ReplacedFile {
            openAgain(insteadOf: opened, error)
            throw ODataError.replaced(error)
        }
    }

    /// - Throws: ``ODataError`` `busy` if SQLite has refused a statement because another program has changed the schema.
    private func checkSchema(of opened: OpenedFile, after error: any Error) async throws {
        let cause = (error as? ODataError)?.cause ?? error
        guard (cause as? DatabaseError)?.resultCode == .SQLITE_ERROR else { return }
        let known = opened.publication.withLock { $0.schema.version }
        guard try await opened.pool.read({ try FilePreparation.schemaVersion($0) }) != known else { return }
        var busy = ODataError(
            .busy, "Another program has changed the tables of the file; try again.", cause: error)
        busy.retryAfter = 1
        throw busy
    }

    /// Opens the file that is now at the path, without blocking the caller.
    private func openAgain(insteadOf old: OpenedFile, _ reason: ReplacedFile) {
        let starts = reopening.withLock { state in
            guard !state.isRunning, !state.isClosed, old === opened else { return false }
            state.isRunning = true
            reopenings.enter()
            return true
        }
        guard starts else { return }
        DispatchQueue.global().async { [self] in
            let notices = Result { try replace(old, reason) }
            // The receiver of a notice may close the store.
            reopenings.leave()
            do {
                for notice in try notices.get() { configuration.onNotice?(notice) }
                note(nil)
            } catch { note("\(reason). It is not served: \(ODataError.opening(path, error).message)") }
        }
    }

    /// - Returns: The notices about the open file.
    private func replace(_ old: OpenedFile, _ reason: ReplacedFile) throws -> [String] {
        // A file that was moved away may be moved back.
        do {
            try old.check()
            return []
        } catch let error as ReplacedFile {
            guard error.kind != .gone else { throw ODataError(.unusableStore, "There is no \(error.path).") }
            try old.abandon(error)
        }
        let new = try OpenedFile(path, configuration, declared: declared, isReopened: true)
        try new.begin()
        let isLate = reopening.withLock { state in
            if !state.isClosed { current.withLock { $0 = new } }
            return state.isClosed
        }
        guard !isLate else {
            try new.close()
            return []
        }
        return ["\(reason): the new one is served."] + new.publication.withLock { $0.schema.notices }
    }

    /// - Parameter failure: The reason why the file is not open, which is reported once.
    private func note(_ failure: String?) {
        let isNews = reopening.withLock { state in
            defer { state.failure = failure }
            state.isRunning = false
            return state.failure != failure
        }
        if isNews, let failure { configuration.onNotice?(failure) }
    }
}

/// What happens after the file of a store was replaced.
struct ReopeningState: Sendable {
    var isRunning = false
    var isClosed = false
    /// The last report of why the file is not open.
    var failure: String?
}

extension ODataError {
    static func replaced(_ error: ReplacedFile) -> ODataError {
        var busy = ODataError(
            .busy, "\(error.publicDescription) What is at its place now is served as soon as it is open; try again.",
            cause: error)
        busy.retryAfter = 1
        return busy
    }
}
