import GRDB
import ODataStores
import SQLiteEncryption
import Synchronization

/// An open published file with its schema.
///
/// Commits are soon copied from the write-ahead log into the file, and the log is emptied when no others follow: otherwise
/// SQLite would apply the log to another file that replaces this one.
final class OpenedFile: Sendable {
    /// How long frequent commits are collected before they are copied into the file together.
    private static let pause = Duration.milliseconds(100)
    /// The number of commits that are copied one by one before they are collected.
    private static let burst = 20

    let pool: DatabasePool
    /// Nil if changes are not tracked.
    let changeLog: ChangeLog?
    /// Nil if all streams are in the file.
    let streamFiles: StreamFiles?
    let publication: Mutex<SchemaSnapshot>
    /// Detects commits of other programs.
    let commits = ExternalCommitDetector()
    /// Short changes that share transactions.
    let waiting: WriteQueue
    private let file: FileWatch
    private let opening: FileOpening
    private let log = Mutex(LogState())

    private struct LogState {
        var isPending = false
        var waiting: Task<Void, Never>?
        /// Whether there were commits since the wait began.
        var hasNews = false
        /// The number of commits that may still be copied one by one.
        var credit = OpenedFile.burst
        var emptied = ContinuousClock.now
        var isClosed = false

        /// Whether the log is to be emptied now.
        mutating func takesCredit() -> Bool {
            let pauses = Int((.now - emptied) / OpenedFile.pause)
            credit = min(OpenedFile.burst, credit + min(pauses, OpenedFile.burst))
            credit -= credit > 0 ? 1 : 0
            return credit > 0
        }
    }

    /// - Parameter isReopened: Whether the file replaces one that was open.
    init(
        _ path: String, _ configuration: SQLiteStore.Configuration, declared: DeclaredModel?, isReopened: Bool = false
    ) throws {
        let opening = try FileOpening(
            path: path, isReadOnly: configuration.isReadOnly, isReopened: isReopened, notice: configuration.onNotice)
        let tracks = configuration.tracksChanges && !configuration.isReadOnly
        changeLog = tracks ? ChangeLog(limit: configuration.changeLogLimit) : nil
        waiting = WriteQueue(duration: configuration.sharedTransactionTime)
        let preparation = FilePreparation(
            path: path, configuration: configuration, changeLog: changeLog, declared: declared)
        var opened: DatabasePool?
        do {
            let pool = try opening.pool()
            opened = pool
            let file = try FileWatch(path, use: opening.use)
            var schema = try preparation.run(in: pool, watching: commits)
            schema.notices += opening.notices
            streamFiles = try StreamFiles.open(configuration, schema: &schema, in: pool, isReopened: isReopened)
            publication = Mutex(SchemaSnapshot(schema))
            (self.opening, self.pool, self.file) = (opening, pool, file)
        } catch {
            try? opened?.close()
            opening.restore()
            throw error
        }
    }

    /// A separate connection that only reads: one for each stream that is being sent.
    func streamConnection() throws -> DatabaseQueue { try opening.streamConnection() }

    /// To be called when the store's own tables exist.
    func begin() throws {
        guard !opening.isReadOnly else { return }
        try pool.writeWithoutTransaction { db in
            // The log is copied only after the file has been checked.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            didWrite(db)
        }
    }

    /// - Throws: ``ReplacedFile`` if the file or its media folder is no longer the one that was opened.
    func check() throws {
        try file.check()
        try streamFiles?.check()
        if log.withLock({ $0.isPending }) { emptyLogLater() }
    }

    /// Whether ``check()`` would find nothing to do; false also where it would have to wait.
    var isUnchanged: Bool {
        let isPending = log.withLockIfAvailable { $0.isPending && $0.waiting == nil } ?? true
        guard !isPending, file.isUnchanged else { return false }
        do { try streamFiles?.check() } catch { return false }
        return true
    }

    /// Carries a change out in a transaction of its own.
    func write(_ change: any WaitingChange) {
        pool.asyncWriteWithoutTransaction { [self] db in SharedTransaction(opened: self, db: db).carryOut([change]) }
    }

    /// Carries a change out with those that wait when the connection is free.
    func writeTogether(_ change: any WaitingChange) {
        if waiting.append(change) { writeWaiting() }
    }

    private func writeWaiting() {
        pool.asyncWriteWithoutTransaction { [self] db in
            let (changes, hasMore) = waiting.next()
            if hasMore { writeWaiting() }
            SharedTransaction(opened: self, db: db).carryOut(changes)
        }
    }

    /// The connection may be closed by now, so the file is checked first.
    func transaction(in db: Database, _ body: (Database) throws -> Database.TransactionCompletion) throws {
        try check()
        defer { commits.endWriting() }
        try db.inTransaction {
            try commits.beginWriting(db)
            let completion = try body(db)
            try check()
            return completion
        }
    }

    /// To be called by the connection that writes, after each transaction.
    func didWrite(_ db: Database) {
        file.noteCommit()
        let isDue = log.withLock { log in
            log.isPending = true
            log.hasNews = true
            return log.takesCredit()
        }
        isDue ? emptyLog(db) : emptyLogLater()
    }

    /// - Parameter isLast: Whether no more commits are expected: then the log becomes empty.
    private func emptyLog(_ db: Database, isLast: Bool = true) {
        // A failure is retried with the next request.
        let isEmpty = try? file.checkpoint(db, timeout: FileOpening.busyTimeout, empties: isLast)
        log.withLock { log in
            log.isPending = isEmpty != true
            log.emptied = .now
        }
    }

    private func emptyLogLater() {
        log.withLock { log in
            guard log.waiting == nil, !log.isClosed, !opening.isReadOnly else { return }
            log.hasNews = false
            log.waiting = Task { [self] in
                guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
                pool.asyncWriteWithoutTransaction { [self] db in
                    let (isClosed, hasNews) = endWait()
                    guard !isClosed else { return }
                    emptyLog(db, isLast: !hasNews)
                    if hasNews { emptyLogLater() }
                }
            }
        }
    }

    private func endWait() -> (isClosed: Bool, hasNews: Bool) {
        log.withLock { log in
            log.waiting = nil
            return (log.isClosed, log.hasNews)
        }
    }

    /// - Returns: False if the file was closed before.
    private func endWaiting() -> Bool {
        log.withLock { log in
            defer { log.isClosed = true }
            log.waiting?.cancel()
            return !log.isClosed
        }
    }

    /// Closes the file after copying the log into it; a file that was replaced is not written.
    func close() throws {
        do { try file.check() } catch let error as ReplacedFile { return try abandon(error) } catch {
            // It may be closed or busy; it is the same file.
        }
        guard endWaiting() else { return }
        try pool.close()
        streamFiles?.close()
        file.close()
        if !opening.isReadOnly { try opening.finish() }
    }

    /// Closes connections to a file that was replaced, or whose media folder was.
    func abandon(_ reason: ReplacedFile) throws {
        guard endWaiting() else { return }
        // If only the media folder or a link to the file was replaced, the log of the file must be kept.
        let isLeft = file.isLeft
        let isSame = isLeft || (try? file.check()) != nil
        file.retire(reason)
        // Reads that still run end with an error.
        pool.interrupt()
        try pool.close()
        streamFiles?.close()
        isSame ? file.close() : file.abandon()
        if isLeft, !opening.isReadOnly { try opening.finish() }
    }
}
