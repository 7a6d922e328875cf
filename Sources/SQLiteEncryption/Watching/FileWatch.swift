import EncryptionKeys
import GRDB
import Synchronization

/// Watches over the file of a database that is open: a file that was replaced, overwritten or removed meanwhile must not
/// be written, and the log of the one that was opened must not get into it.
///
/// SQLite knows files by their paths: a process that opens the new file finds the log of the old one beside it. Of a
/// database with a log this value has a connection of its own, which only reads and is closed last. SQLite writes no
/// log into a file and removes none when the last connection to be closed only reads.
package final class FileWatch: Sendable {
    /// Who changes the file.
    package enum Use: Sendable {
        /// This process and others, through SQLite and with a log.
        case sharedLog
        /// This process alone, with a log.
        case ownLog
        /// This process alone, without a log.
        case alone
        /// Others, and this process only reads.
        case reading
        /// No connection: any change makes it another file.
        case unchanging
    }

    package let path: String
    /// The file itself, where the path is that of a symbolic link.
    private let target: String
    private let use: Use
    private let identity: FileState.Identity
    /// The log, and the file by which connections share it.
    private let besides: [String: FileState.Identity]
    /// The connection that is closed last.
    private let reader: DatabaseQueue?
    private let known: Mutex<Known>

    fileprivate struct Known {
        var file: FileState
        var header: FileHeader?
        /// Pages from all over the file, where no other process writes it.
        var sample: [UInt8]?
        var takesSample = false
        /// SQLite's number for what others have committed.
        var version: Int64 = 0
        /// Whether all of the log is in the file.
        var logIsEmpty = false
        /// Why the database is not used any more.
        var end: (any Error)?
    }

    /// Made when the database is open, from when on it is watched.
    ///
    /// - Parameter key: Nil for a database that is not encrypted.
    /// - Throws: ``ReplacedFile``, `DatabaseError`, ``EncryptionError``.
    package init(_ path: String, key: EncryptionKey? = nil, use: Use) throws {
        self.path = path
        target = EncryptedDatabase.target(of: path)
        self.use = use
        guard let state = FileState(path: path) else { throw ReplacedFile(path, .gone) }
        identity = state.identity
        var known = Known(file: state)
        guard use == .sharedLog || use == .ownLog else {
            reader = nil
            besides = [:]
            self.known = Mutex(known)
            return
        }
        var configuration = Configuration()
        known.takesSample = use == .ownLog
        configuration.readonly = true
        configuration.label = "watch"
        configuration.busyMode = .timeout(5)
        let reader = try EncryptedDatabase.openQueue(path: target, key: key, configuration: configuration)
        let target = target
        try reader.read { try known.take(from: $0, path: target) }
        self.reader = reader
        besides = Self.identities(target)
        self.known = Mutex(known)
    }

    private static func identities(_ path: String) -> [String: FileState.Identity] {
        var identities: [String: FileState.Identity] = [:]
        for end in ["-wal", "-shm"] { identities[end] = FileState(path: path + end)?.identity }
        return identities
    }

    /// - Throws: ``ReplacedFile`` if the file is not the one that was opened any more. Where this process takes the log
    ///   into the file by itself, it must not do so meanwhile.
    package func check() throws { try check(at: path) }

    /// Whether the file is the one that was opened, and as it was when it was looked at last. Nothing is waited for: false
    /// also where only ``check()`` can tell.
    package var isUnchanged: Bool {
        known.withLockIfAvailable { known in
            known.end == nil && FileState(path: path).map { $0.identity == identity && $0 == known.file } ?? false
        } ?? false
    }

    /// Whether the path is that of a symbolic link that leads elsewhere now, while the file is where and as it was.
    package var isLeft: Bool { target != path && (try? checkName()) == nil && (try? check(at: target)) != nil }

    private func check(at path: String) throws {
        try known.withLock { known in
            if let end = known.end { throw end }
            guard try state(at: path) != known.file else { return }
            try verify(&known)
        }
    }

    /// - Throws: ``ReplacedFile`` if another file has the path, or none has it.
    @discardableResult
    package func checkName() throws -> FileState { try state(at: path) }

    private func state(at path: String) throws -> FileState {
        guard let state = FileState(path: path) else { throw ReplacedFile(path, .gone) }
        guard state.identity == identity else { throw ReplacedFile(path, .replaced) }
        return state
    }

    /// A transaction of this process, which may take the log into the file. Called by one thread at a time.
    ///
    /// - Throws: ``ReplacedFile`` if the file was not the one that was opened before it, or is not after it.
    package func writing<Result>(_ body: () throws -> Result) throws -> Result {
        try check()
        // What fails may have committed before.
        let result = Swift.Result { try body() }
        let state = try checkName()
        try known.withLock { known in
            if let end = known.end { throw end }
            guard state != known.file else { return known.noteCommit() }
            known.file = state
            try reader?.read { try known.take(from: $0, path: target) }
        }
        return try result.get()
    }

    /// To be called after each transaction of this process that leaves the file itself alone.
    package func noteCommit() {
        known.withLock { known in
            if known.end == nil { known.noteCommit() }
        }
    }

    /// Takes the log into the file, unless readers still need it.
    ///
    /// - Parameters:
    ///   - db: The connection that writes, in no transaction.
    ///   - timeout: How long the connection waits for others at other times, in seconds.
    ///   - empties: Whether the log becomes empty. Else it keeps its length, and the next commit is written over its
    ///     start: a file that does not grow needs half as many writes of the device for a commit.
    /// - Returns: Whether the log is empty now.
    /// - Throws: ``ReplacedFile``: nothing was written then.
    package func checkpoint(_ db: Database, timeout: Int, empties: Bool = true) throws -> Bool {
        try check()
        return try known.withLock { known in
            if let end = known.end { throw end }
            try db.execute(sql: "PRAGMA busy_timeout = 0")
            defer { try? db.execute(sql: "PRAGMA busy_timeout = \(timeout * 1000)") }
            let row = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(\(empties ? "TRUNCATE" : "PASSIVE"))")
            try reader?.read { try known.take(from: $0, path: target) }
            known.logIsEmpty = empties && row?[0] == 0
            return known.logIsEmpty
        }
    }

    /// Ends the watch of a file that is as it was.
    package func close() { close(with: DatabaseError(resultCode: .SQLITE_MISUSE, message: "the database is closed")) }

    /// Lets checks fail from now on, before the connections are closed.
    package func retire(_ reason: ReplacedFile) { known.withLock { $0.end = reason } }

    /// Ends the watch of a file that was replaced, whose other connections are closed. The files beside the old one are
    /// removed: it would be taken for the new one's.
    package func abandon() {
        close(with: ReplacedFile(path, .replaced))
        for (end, identity) in besides { FileState.remove(target + end, ifIt: identity) }
    }

    private func close(with end: any Error) {
        known.withLock { known in
            if known.end == nil { known.end = end }
            try? reader?.close()
        }
    }

    /// Looks at a file that was written since it was looked at last.
    private func verify(_ known: inout Known) throws {
        let overwritten = ReplacedFile(path, .overwritten)
        switch use {
        case .alone, .unchanging: throw overwritten
        case .reading:
            guard let state = FileState(path: target), state.length > 0 else { throw overwritten }
            known.file = state
        case .sharedLog, .ownLog:
            let before = known
            // Where the file is not what it was, SQLite would wait for the locks of the one that is open.
            guard try reader?.read({ db in known.continues(FileHeader(db)) }) != false else { throw overwritten }
            do { try reader?.read { try known.take(from: $0, path: target) } } catch let error as DatabaseError {
                known = before
                let isForeign = error.resultCode == .SQLITE_NOTADB || error.resultCode == .SQLITE_CORRUPT
                guard isForeign || EncryptionError(database: error, path: path) != nil else { throw error }
                throw overwritten
            }
            guard known.follows(before, isShared: use == .sharedLog) else {
                known = before
                throw overwritten
            }
        }
    }
}

extension FileWatch.Known {
    fileprivate static func version(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0
    }

    /// Looks at the file once more.
    fileprivate mutating func take(from db: Database, path: String) throws {
        guard let state = FileState(path: path) else { throw ReplacedFile(path, .gone) }
        file = state
        header = FileHeader(db)
        if takesSample { sample = FileSample.read(db, length: state.length) }
        version = try Self.version(db)
    }

    /// Whether the file may have this header now. One without a header was empty: all of the database was in the log.
    fileprivate func continues(_ now: FileHeader?) -> Bool {
        now.map { header.map($0.continues) ?? !logIsEmpty } ?? false
    }

    /// What the process has committed is in the log. The number of commits of others is read when the log is empty
    /// again: as long as it is not, that number decides nothing.
    fileprivate mutating func noteCommit() { logIsEmpty = false }

    /// Whether the file may have become what it is by SQLite. Others commit into the log, and take it into the file;
    /// where the log was empty and no process has committed, nothing is to be taken. Where no other process writes the
    /// file, it is as this process has left it, though its times may have been set.
    fileprivate func follows(_ before: Self, isShared: Bool) -> Bool {
        guard before.continues(header) else { return false }
        guard isShared else {
            return header == before.header && file.length == before.file.length && sample == before.sample
        }
        return version != before.version || !before.logIsEmpty
    }
}
