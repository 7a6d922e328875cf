import ByteStreams
import EncryptionKeys
import Foundation
import GRDB
import MediaFiles
import ODataOffline
import ODataStores
import SQLiteEncryption
import Synchronization

/// A journal in a folder of its own, for attachments without an offline store.
///
///     attachments.sqlite
///     media/
///     lock
final class FolderJournal: AttachmentJournal {
    /// `ODat` in ASCII.
    private static let applicationID: Int32 = 0x4F44_6174
    private static let version = 1

    private let files: MediaFolder
    var media: any MediaReading { files }
    private let database: DatabaseQueue
    private let file: FileWatch
    private let lock: FolderLock
    /// How many callers put content into the folder that no record refers to yet.
    private let writers = Mutex(0)

    /// - Throws: ``ODataError`` `unusableStore` if the folder is something else, of a newer version or in use,
    ///   `wrongKey`, `keyNeeded`, `storage`.
    init(folder: String, key: EncryptionKey?) throws {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            lock = try FolderLock(path: folder + "/lock")
            database = try EncryptedDatabase.openQueue(path: folder + "/attachments.sqlite", key: key)
            files = try MediaFolder(path: folder + "/media", key: key)
            // FULL may lose the last transaction with the power: it does not wait for the journal's name to go.
            try database.inDatabase { try $0.execute(sql: "PRAGMA synchronous = EXTRA") }
            try database.write(FolderJournal.prepare)
            file = try FileWatch(database.path, use: .alone)
            try files.removeAbandoned()
            let uses = try database.read { try Set(String.fetchAll($0, sql: AttachmentTable.uses)) }
            for name in try files.check(known: uses).strays { try files.remove(stray: name) }
        } catch {
            throw FolderJournal.odataError(error)
        }
    }

    private static func prepare(_ db: Database) throws {
        let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        if application == 0, version == 0, try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0 {
            try db.execute(sql: AttachmentTable.definition)
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(Self.version)")
            return
        }
        guard application == applicationID, version <= Self.version else {
            throw ODataError(
                .unusableStore, "The database in this folder does not belong to attachments, or to a newer release.")
        }
    }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (AttachmentRecords) throws -> Result
    ) async throws -> Result {
        do {
            return try await database.read { [file] db in
                try file.check()
                return try body(AttachmentRecords(db: db))
            }
        } catch {
            throw Self.odataError(error)
        }
    }

    /// It is done though its task is cancelled.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (AttachmentRecords) throws -> Result
    ) async throws -> Result {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                database.asyncWriteWithoutTransaction { [file] db in
                    continuation.resume(
                        with: Swift.Result { try file.writing { try Self.transaction(in: db, body) } })
                }
            }
        } catch {
            throw Self.odataError(error)
        }
    }

    private static func transaction<Result>(
        in db: Database, _ body: (AttachmentRecords) throws -> Result
    ) throws -> Result {
        var result: Result?
        try db.inTransaction(.immediate) {
            result = try body(AttachmentRecords(db: db))
            return .commit
        }
        guard let result else { throw ODataError.noResult(of: "The transaction") }
        return result
    }

    func keep<Result: Sendable>(
        _ content: ByteContent, _ body: @escaping @Sendable (AttachmentRecords, StoredMedia) throws -> Result
    ) async throws -> Result {
        writers.withLock { $0 += 1 }
        defer { writers.withLock { $0 -= 1 } }
        do {
            let kept = try await files.write(content)
            return try await write { try body($0, kept) }
        } catch {
            throw Self.odataError(error)
        }
    }

    /// Does nothing while content is being stored: the rest is removed when the folder is opened next.
    func collect() async throws {
        try await write { [self] records in
            try writers.withLock { writers in
                guard writers == 0 else { return }
                let uses = try Set(String.fetchAll(records.db, sql: AttachmentTable.uses))
                for name in try files.check(known: uses).strays { try files.remove(stray: name) }
            }
        }
    }

    private static func odataError(_ error: any Error) -> ODataError {
        switch error {
        case let error as EncryptionError: ODataError(encryption: error)
        case let error as MediaFileError:
            ODataError(.storage, "The content of attachments cannot be kept: \(error.message)", cause: error)
        case let error as CocoaError:
            ODataError(.storage, "The folder cannot be made: \(error.fileReason).", cause: error)
        default: ODataError(any: error)
        }
    }
}
