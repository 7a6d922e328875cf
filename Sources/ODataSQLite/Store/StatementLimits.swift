import GRDB
import GRDBSQLite

/// The limits of one statement of a published file, for any request.
enum StatementLimits {
    /// The longest value in bytes that a connection reads or computes: values are in memory as a whole, and some of
    /// them in several places at once. Streams are read in pieces, and what is written has SQLite's own limit.
    static let valueLength: CInt = 16 << 20
    /// The most instructions that a statement is compiled to.
    static let instructions: CInt = 1_000_000

    static func set(on db: Database) {
        let connection = db.sqliteConnection
        sqlite3_limit(connection, SQLITE_LIMIT_VDBE_OP, instructions)
        guard sqlite3_db_readonly(connection, "main") == 1 else { return }
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, valueLength)
    }
}
