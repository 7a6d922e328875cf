import GRDB
import GRDBSQLite
import ODataSQL

extension StatementArguments {
    /// Stored values. The initializer of GRDB for sequences makes a key path each time.
    init(stored values: [DatabaseValue]) { self.init(values as [(any DatabaseValueConvertible)?]) }
}

extension Database {
    /// Executes a statement that the connection keeps compiled: one that every change or every request runs again.
    /// Compiling costs more than such a statement does.
    func executeCached(sql: String, arguments: StatementArguments = StatementArguments()) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// As `tableExists`, which looks at all tables there are: the writing connection makes all tables and knows them, and
    /// on other connections a statement that can be run has its table.
    func hasTable(_ name: String) throws -> Bool {
        if !configuration.readonly,
            sqlite3_table_column_metadata(sqliteConnection, "main", name, nil, nil, nil, nil, nil, nil) == SQLITE_OK
        {
            return true
        }
        do {
            try executeCached(sql: "SELECT 1 FROM \(quoted(name)) LIMIT 0")
            return true
        } catch is DatabaseError {
            return try tableExists(name)
        }
    }
}
