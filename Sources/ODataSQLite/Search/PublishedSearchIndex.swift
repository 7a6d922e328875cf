import GRDB
import ODataSQL

/// The full-text table for `$search` of one table of a published file, which triggers keep up.
///
/// Only tables whose rowid is their key have one: VACUUM gives other rows new rowids.
struct PublishedSearchIndex {
    private let table: PublishedTable
    private let id: String
    private let columns: [String]

    static let prefix = Bookkeeping.prefix + "search_"

    /// Nil where nothing of the table is searched.
    init?(_ table: PublishedTable) {
        guard table.declared == nil, table.description.kind == .table, let id = table.description.rowIDAlias else {
            return nil
        }
        columns = table.columns.filter { $0.codec == .text }.map(\.name)
        guard !columns.isEmpty else { return nil }
        self.table = table
        self.id = id
    }

    /// `odata_store_search_Products`
    var name: String { Self.prefix + table.name }

    /// Whether the file has the table, with the columns and triggers that it should have.
    func isComplete(in db: Database) throws -> Bool {
        try triggers.allSatisfy { name, sql in
            try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = ?", arguments: [name]) == sql
        }
    }

    /// Makes the table anew, with all rows in it.
    func make(in db: Database) throws {
        for (trigger, _) in triggers { try db.execute(sql: "DROP TRIGGER IF EXISTS \(quoted(trigger))") }
        try db.execute(sql: "DROP TABLE IF EXISTS \(quoted(name))")
        let list = places.joined(separator: ", ")
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE \(quoted(name)) USING fts5(\(list), tokenize = 'unicode61 remove_diacritics 2')
                """)
        let values = columns.map(quoted).joined(separator: ", ")
        try db.execute(
            sql: """
                INSERT INTO \(quoted(name)) (rowid, \(list)) SELECT \(quoted(id)), \(values) FROM \(quoted(table.name))
                """)
        for (_, sql) in triggers { try db.execute(sql: sql) }
    }

    private var places: [String] { columns.indices.map { "c\($0)" } }

    /// `INSERT OR REPLACE` tells no trigger of the rows that it takes away: so an entry is forgotten before it is made.
    private var triggers: [(name: String, sql: String)] {
        let row = columns.map { "NEW.\(quoted($0))" }.joined(separator: ", ")
        let place = "\(quoted(name)) (rowid, \(places.joined(separator: ", ")))"
        let take = "INSERT INTO \(place) VALUES (NEW.\(quoted(id)), \(row))"
        return [
            trigger("insert", "AFTER INSERT", [forget("NEW"), take]),
            trigger("update", "AFTER UPDATE", [forget("OLD"), forget("NEW"), take]),
            trigger("delete", "AFTER DELETE", [forget("OLD")]),
        ]
    }

    private func forget(_ row: String) -> String { "DELETE FROM \(quoted(name)) WHERE rowid = \(row).\(quoted(id))" }

    private func trigger(_ suffix: String, _ event: String, _ steps: [String]) -> (name: String, sql: String) {
        let trigger = "\(Bookkeeping.prefix)search_\(suffix)_\(table.name)"
        let body = steps.joined(separator: "; ")
        return (trigger, "CREATE TRIGGER \(quoted(trigger)) \(event) ON \(quoted(table.name)) BEGIN \(body); END")
    }
}

extension PublishedSchema {
    /// Tells the translator of the full-text tables that the file has.
    ///
    /// - Parameter makes: whether those that are missing are made.
    mutating func takeSearchIndexes(in db: Database, makes: Bool) throws {
        for (set, table) in tables {
            guard let index = PublishedSearchIndex(table) else { continue }
            if try !index.isComplete(in: db) {
                guard makes else { continue }
                try index.make(in: db)
            }
            rowSources[set]?.searchTable = index.name
        }
    }
}
