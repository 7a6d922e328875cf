import GRDB
import GRDBSQLite

/// The collations and functions that translated queries use, on one connection.
///
/// All are deterministic and return null for null and for unsuitable arguments. Errors of the standard end the
/// statement: a division by zero, an integer overflow, an invalid pattern.
package enum SQLiteFunctions {
    typealias Implementation =
        @convention(c) (
            OpaquePointer?, CInt, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Void

    /// The prefix of messages about a query's arguments.
    static let argumentFault = "odata:"
    /// The prefix of messages about unsupported operations.
    static let unsupported = "odata lacks:"

    static var all: [(String, CInt, Implementation)] {
        numbers + integers + texts + patterns + times + conversions + enumerations + collections + geography + searches
    }

    /// Adds `ODATA_DECIMAL`, `ODATA_INSTANT` and the functions `odata_…` to a connection.
    package static func install(on db: Database) throws {
        try addCollations(to: db)
        try addAggregates(to: db)
        try addRealAggregates(to: db)
        KeyFunction.install(on: db)
        for (name, arguments, implementation) in all {
            let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | innocuous
            let code = sqlite3_create_function_v2(
                db.sqliteConnection, name, arguments, flags, nil, implementation, nil, nil, nil)
            guard code == SQLITE_OK else {
                throw DatabaseError(resultCode: ResultCode(rawValue: code), message: "cannot add \(name)")
            }
        }
    }

    /// `SQLITE_INNOCUOUS`
    private static let innocuous: CInt = 0x20_0000
}
