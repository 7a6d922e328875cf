import GRDB
import GRDBSQLite
import Synchronization

/// The compiled statements that GRDB keeps for a connection, all that it ever had: clients that ask for something else
/// each time would fill the memory with them.
enum KeptStatements {
    /// The longest statement that is kept, in bytes.
    static let longest = 8192
    /// How many may be kept by a connection; more are found out after a while only.
    private static let most = 256
    private static let uses = Atomic(0)

    /// Lets all statements of a connection go that are not in use, if there are too many.
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
