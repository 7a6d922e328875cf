import GRDBSQLite

/// What a file that SQLite opens is for.
enum FileRole: Equatable {
    case database
    case log
    case journal
    case temporary

    /// - Parameter path: Nil for a file without a name of its own.
    init(flags: CInt, path: String?) {
        let temporaries =
            SQLITE_OPEN_TEMP_DB | SQLITE_OPEN_TRANSIENT_DB | SQLITE_OPEN_TEMP_JOURNAL | SQLITE_OPEN_SUBJOURNAL
        self =
            if path == nil || flags & temporaries != 0 {
                .temporary
            } else if flags & SQLITE_OPEN_WAL != 0 {
                .log
            } else if flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL) != 0 {
                .journal
            } else {
                .database
            }
    }

    /// The database that a file belongs to: `store.sqlite` of `store.sqlite-wal`, `store.sqlite-journal` and
    /// `store.sqlite-mj2F1C09A37`.
    func database(of path: String) -> String {
        guard self == .log || self == .journal, let end = path.lastIndex(of: "-") else { return path }
        return String(path[..<end])
    }
}
