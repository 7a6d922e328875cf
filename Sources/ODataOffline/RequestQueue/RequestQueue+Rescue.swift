import GRDB
import ODataStores
import SQLiteEncryption

extension RequestQueue {
    /// The requests of a damaged store, as far as they can be read.
    ///
    /// - Throws: ``ODataError`` `unusableStore` if not even the list of requests can be found.
    static func rescued(from folder: StoreFolder) throws -> [QueueEntry] {
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
                // A damaged page hides what is on it: the pages behind it are read from the other end.
                for order in ["ASC", "DESC"] {
                    let cursor = try Row.fetchCursor(
                        db, sql: #"SELECT \#(columns) FROM \#(.queue) ORDER BY "id" \#(order)"#)
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
