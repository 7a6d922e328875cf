import GRDB
import GRDBSQLite
import Synchronization

/// Limits the compiled statements that GRDB keeps for a connection. GRDB never removes one, so that clients with ever
/// new queries would fill the memory.
enum StatementCacheLimit {
    /// The longest statement that is kept, in bytes.
    static let longest = 8192
    /// The maximum number for a connection; the limit is checked from time to time.
    private static let most = 256
    private static let uses = Atomic(0)

    /// Releases all unused statements of a connection if there are too many.
    static func trim(_ db: Database) {
        guard uses.add(1, ordering: .relaxed).newValue.isMultiple(of: 64) else { return }
        var count = 0
        var statement = sqlite3_next_stmt(db.sqliteConnection, nil)
        while statement != nil, count <= most {
            count += 1
            statement = sqlite3_next_stmt(db.sqliteConnection, statement)
        }
        if count > most { db.releaseMemory() }
    }
}
