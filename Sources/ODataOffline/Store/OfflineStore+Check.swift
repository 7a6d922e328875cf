import EncryptionKeys
import Foundation
import GRDB
import ODataStores
import SQLiteEncryption

/// The result of a store's check.
public struct StoreCheck: Hashable, Sendable {
    /// SQLite's findings about the database; empty if it is intact.
    public var database: [String] = []
    /// Digests of streams that are not in the media folder.
    public var missingStreams: Set<String> = []
    /// Digests of streams whose bytes have changed.
    public var damagedStreams: Set<String> = []

    /// Digests of unsent streams that are missing or damaged: no download can restore them.
    public var lostStreams: Set<String> = []

    /// Whether no damage was found; a download cannot repair ``lostStreams``.
    public var isSound: Bool {
        database.isEmpty && missingStreams.isEmpty && damagedStreams.isEmpty && lostStreams.isEmpty
    }
}

extension StoreCheck {
    /// - Parameters:
    ///   - made: The streams that were set here.
    ///   - lengths: Those that the store takes for present.
    fileprivate mutating func noteLost(_ made: Set<String>, _ lengths: [String: Int64?]) {
        let bad = missingStreams.union(damagedStreams)
        lostStreams = made.filter { lengths[$0] == nil || bad.contains($0) }
    }
}

extension OfflineStore {
    /// Checks the database and the media folder for damage without changing anything. Missing streams and those of
    /// another length are recorded when the store is opened, those with other bytes when they are read or sent, or by
    /// ``noteDamage(_:)``; the next download fetches them again, but for ``StoreCheck/lostStreams``.
    ///
    /// - Parameters:
    ///   - readsStreams: Whether all streams are read to compare their bytes, which takes as long as reading the media
    ///     folder; else only their lengths are compared.
    ///   - onProgress: Called with the bytes of streams that were read, and those that are to be.
    /// - Throws: ``ODataError`` `unusableStore` if the database cannot be read at all, `cancelled`.
    public func check(
        readsStreams: Bool = true, onProgress: (@Sendable (_ bytes: Int64, _ total: Int64) -> Void)? = nil
    ) async throws -> StoreCheck {
        try checkOpen()
        var check = StoreCheck()
        let (problems, lengths, made) = try await database.reading { db in
            let index = MediaIndex(db: db, schema: nil)
            // A damaged queue is told by the problems.
            return (Self.problems(in: db), try index.lengths, (try? index.made) ?? [])
        }
        check.database = problems
        // It has no streams.
        guard !database.isCopy else { return check }
        do {
            let report = try media.compare(lengths)
            check.missingStreams = report.missing
            if !report.missing.isEmpty {
                // Another process may have let them go meanwhile.
                let wanted = try await database.reading { db in try MediaIndex(db: db, schema: nil).lengths }
                check.missingStreams.formIntersection(wanted.keys)
            }
            check.missingStreams.subtract(try media.evicted)
            check.damagedStreams = report.truncated
            check.noteLost(made, lengths)
            guard readsStreams else { return check }
            let whole = Set(lengths.keys).subtracting(report.missing).subtracting(report.truncated)
            let total: Int64 = whole.reduce(0) { $0 + ((lengths[$1] ?? nil) ?? 0) }
            var read: Int64 = 0
            let damaged = try await media.damaged(among: whole) { count in
                read += count
                onProgress?(read, total)
            }
            check.damagedStreams.formUnion(damaged)
            check.noteLost(made, lengths)
        } catch is CancellationError {
            throw ODataError(.cancelled, "The check was cancelled.")
        } catch {
            throw ODataError.uncheckedFolder(error)
        }
        return check
    }

    /// Makes the next download fetch the damaged streams of a check again. Unsent streams are not changed: only this
    /// device has them.
    ///
    /// - Throws: ``ODataError`` `methodNotAllowed` if the store was opened for reading only, `storage`.
    public func noteDamage(_ check: StoreCheck) async throws {
        let (offline, database) = try working()
        try await database.writing { db in
            let index = MediaIndex(db: db, schema: offline.schema)
            try index.forgetContent(of: check.damagedStreams.subtracting(index.made))
        }
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

    /// The requests that were not sent, as far as they can still be read in a damaged store. No process may have the
    /// store open.
    ///
    /// - Parameters:
    ///   - folder: That of the store.
    ///   - key: Of an encrypted store.
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
            throw ODataError(
                .unusableStore, "The queue in \(folder.path) cannot be read: \(ODataError(any: error).message)",
                cause: error)
        }
    }
}
