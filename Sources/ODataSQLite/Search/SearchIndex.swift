import GRDB
import ODataSQL

/// The full-text table for `$search` of one table, which triggers maintain.
package struct SearchIndex: Sendable {
    /// `odata_store_search_Products$`: SQLite appends suffixes to it, which must not result in another table's name.
    package let name: String
    private let table: String
    private let id: String
    private let columns: [String]

    /// - Parameters:
    ///   - id: The table's `INTEGER PRIMARY KEY`; `VACUUM` changes other rowids.
    ///   - prefix: The prefix of the names of the full-text table and the triggers.
    package init(of table: String, id: String, columns: [String], prefix: String) {
        name = prefix + table + "$"
        self.table = table
        self.id = id
        self.columns = columns
    }

    /// Whether the file has the table, with the columns and triggers that it should have.
    package func isComplete(in db: Database) throws -> Bool {
        try triggers.allSatisfy { name, sql in
            try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = ?", arguments: [name]) == sql
        }
    }

    /// Creates the table again, with all rows.
    package func make(in db: Database) throws {
        try remove(in: db)
        let list = places.joined(separator: ", ")
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE \(quoted(name)) USING fts5(\(list), tokenize = 'unicode61 remove_diacritics 2')
                """)
        let values = columns.map(quoted).joined(separator: ", ")
        try db.execute(
            sql: """
                INSERT INTO \(quoted(name)) (rowid, \(list)) SELECT \(quoted(id)), \(values) FROM \(quoted(table))
                """)
        for (_, sql) in triggers { try db.execute(sql: sql) }
    }

    package func remove(in db: Database) throws {
        for (trigger, _) in triggers { try db.execute(sql: "DROP TRIGGER IF EXISTS \(quoted(trigger))") }
        try db.execute(sql: "DROP TABLE IF EXISTS \(quoted(name))")
    }

    private var places: [String] { columns.indices.map { "c\($0)" } }

    /// `INSERT OR REPLACE` does not fire triggers for the rows that it removes, so an entry is removed before it is
    /// inserted.
    private var triggers: [(name: String, sql: String)] {
        let row = columns.map { "NEW.\(quoted($0))" }.joined(separator: ", ")
        let place = "\(quoted(name)) (rowid, \(places.joined(separator: ", ")))"
        let take = "INSERT INTO \(place) VALUES (NEW.\(quoted(id)), \(row))"
        let searched = ([id] + columns).map(quoted).joined(separator: ", ")
        return [
            trigger("insert", "AFTER INSERT", [forget("NEW"), take]),
            trigger("update", "AFTER UPDATE OF \(searched)", [forget("OLD"), forget("NEW"), take]),
            trigger("delete", "AFTER DELETE", [forget("OLD")]),
        ]
    }

    private func forget(_ row: String) -> String { "DELETE FROM \(quoted(name)) WHERE rowid = \(row).\(quoted(id))" }

    private func trigger(_ suffix: String, _ event: String, _ steps: [String]) -> (name: String, sql: String) {
        let trigger = name + suffix
        let body = steps.joined(separator: "; ")
        return (trigger, "CREATE TRIGGER \(quoted(trigger)) \(event) ON \(quoted(table)) BEGIN \(body); END")
    }
}

extension PublishedTable {
    /// The full-text table for `$search`; nil if the table has nothing to search.
    fileprivate var searchIndex: SearchIndex? {
        // It does not contain the words of values that are only shown as text.
        guard declared == nil, description.kind == .table, let id = description.rowIDAlias,
            !columns.contains(where: \.isShown)
        else { return nil }
        let columns = columns.filter { $0.codec == .text }.map(\.name)
        return columns.isEmpty
            ? nil : SearchIndex(of: name, id: id, columns: columns, prefix: Bookkeeping.prefix + "search_")
    }
}

extension PublishedSchema {
    /// Adds the file's full-text tables to the mapping.
    ///
    /// - Parameter makes: whether missing ones are created.
    mutating func takeSearchIndexes(in db: Database, makes: Bool) throws {
        for (set, table) in tables {
            guard let index = table.searchIndex else { continue }
            if try !index.isComplete(in: db) {
                guard makes else { continue }
                try index.make(in: db)
            }
            rowSources[set]?.searchTable = index.name
        }
    }
}
