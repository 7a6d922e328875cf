import EncryptionKeys
import Foundation
import GRDB
import ODataStores
import SQLiteEncryption

/// What a check of a store has found.
public struct StoreCheck: Hashable, Sendable {
    /// What SQLite says of the database; empty if it is sound.
    public var database: [String] = []
    /// Digests of streams that are not in the media folder.
    public var missingStreams: Set<String> = []
    /// Digests of streams of other bytes than they had.
    public var damagedStreams: Set<String> = []

    public var isSound: Bool { database.isEmpty && missingStreams.isEmpty && damagedStreams.isEmpty }
}

extension OfflineStore {
    /// Looks for damage in the database and the media folder, and changes nothing. Missing streams and those of another
    /// length are noted when the store is opened, those with other bytes when they are read or sent; the next download
    /// fetches them again.
    ///
    /// - Parameter readsStreams: Whether all streams are read to compare their bytes, which takes as long as reading the
    ///   media folder; else only their lengths are compared.
    /// - Throws: ``ODataError`` `unusableStore` if the database cannot be read at all, `cancelled`.
    public func check(readsStreams: Bool = true) async throws -> StoreCheck {
        try checkOpen()
        var check = StoreCheck()
        let (problems, lengths) = try await database.reading { db in
            (Self.problems(in: db), try MediaIndex(db: db, schema: nil).lengths)
        }
        check.database = problems
        do {
            let report = try media.check(lengths: lengths)
            check.missingStreams = report.missing
            if !report.missing.isEmpty {
                // Another process may have let them go meanwhile.
                let wanted = try await database.reading { db in try MediaIndex(db: db, schema: nil).lengths }
                check.missingStreams.formIntersection(wanted.keys)
            }
            check.damagedStreams = report.truncated
            guard readsStreams else { return check }
            let whole = Set(lengths.keys).subtracting(report.missing).subtracting(report.truncated)
            check.damagedStreams.formUnion(try await media.damaged(among: whole))
        } catch is CancellationError {
            throw ODataError(.cancelled, "The check was cancelled.")
        } catch {
            throw ODataError(.storage, "The media folder cannot be checked: \(error)", cause: error)
        }
        return check
    }

    private static func problems(in db: Database) -> [String] {
        var problems: [String] = []
        do {
            let cursor = try String.fetchCursor(db, sql: "PRAGMA quick_check")
            while let line = try cursor.next() { if line != "ok" { problems.append(line) } }
        } catch {
            // Some damage ends the check.
            problems.append("\(error)")
        }
        return problems
    }

    /// The requests that were not sent, as far as they can still be read in a damaged store. Nobody may have the store
    /// open.
    ///
    /// - Parameter key: Of an encrypted store.
    /// - Throws: ``ODataError`` `unusableStore` if not even the list of requests can be found, `wrongKey`, `keyNeeded`.
    public static func rescueQueue(folder: String, key: EncryptionKey? = nil) throws -> [QueueEntry] {
        let folder = try StoreFolder(path: folder, key: key, isReadOnly: true)
        guard StoreDatabase.holdsPage(folder.database, isEncrypted: folder.key != nil) else {
            throw StoreDatabase.empty(folder.database)
        }
        do {
            var configuration = StoreDatabase.configuration
            configuration.readonly = true
            let queue = try EncryptedDatabase.openQueue(
                path: folder.database, key: folder.key, configuration: configuration)
            return try queue.read { db in
                var entries: [Int64: QueueEntry] = [:]
                let columns = try QueueRecord.columns(in: db)
                // A damaged page hides what is on it: what lies behind it is looked for from the other end.
                for order in ["ASC", "DESC"] {
                    let cursor = try Row.fetchCursor(
                        db, sql: #"SELECT \#(columns) FROM "$queue" ORDER BY "id" \#(order)"#)
                    while let row = try? cursor.next() {
                        guard let record = try? QueueRecord(row: row) else { continue }
                        entries[record.id] = QueueEntry(record)
                    }
                }
                return entries.values.sorted { $0.id < $1.id }
            }
        } catch {
            throw ODataError(.unusableStore, "The queue in \(folder.path) cannot be read: \(error)", cause: error)
        }
    }
}
