import GRDB
import ODataSQL

extension ChangeLog {
    /// Makes the log's tables and triggers, or brings them up to date.
    ///
    /// Where a trigger was missing or differs from what it should be, changes may have gone by: the log gets a new
    /// name, and tokens of the old one are not known any more.
    func prepare(_ tables: [PublishedTable], in db: Database) throws {
        try createTables(in: db)
        let wanted = ChangeTriggers.all(tables)
        let present = try Row.fetchAll(
            db, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE ? ESCAPE '\\'",
            arguments: [
                Bookkeeping.prefix.split(separator: "_", omittingEmptySubsequences: false).joined(separator: "\\_")
                    + "%"
            ])
        let found = Dictionary(present.map { ($0[0] as String, $0[1] as String) }) { first, _ in first }
        let hasName = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(Bookkeeping.logInfo))") ?? false
        if found != wanted || !hasName {
            try rebuild(found: found, wanted: wanted, in: db)
        }
        try prune(in: db)
    }

    private func createTables(in db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(Bookkeeping.changeLog) (
                  seq INTEGER PRIMARY KEY AUTOINCREMENT, tbl TEXT NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL);
                CREATE UNIQUE INDEX IF NOT EXISTS \(Bookkeeping.changeLog)_entity
                  ON \(Bookkeeping.changeLog) (tbl, key);
                CREATE TABLE IF NOT EXISTS \(Bookkeeping.logInfo) (id TEXT NOT NULL, floor INTEGER NOT NULL);
                """)
    }

    private func rebuild(found: [String: String], wanted: [String: String], in db: Database) throws {
        for name in found.keys.sorted() where found[name] != wanted[name] {
            try db.execute(sql: "DROP TRIGGER \(quoted(name))")
        }
        for name in wanted.keys.sorted() where found[name] != wanted[name] {
            if let sql = wanted[name] { try db.execute(sql: sql) }
        }
        try db.execute(
            sql: """
                DELETE FROM \(Bookkeeping.changeLog);
                DELETE FROM \(Bookkeeping.logInfo);
                INSERT INTO \(Bookkeeping.logInfo) (id, floor) VALUES (
                  hex(randomblob(8)),
                  ifnull((SELECT seq FROM sqlite_sequence WHERE name = '\(Bookkeeping.changeLog)'), 0));
                """)
    }
}
