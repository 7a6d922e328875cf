import GRDB
import GRDBSQLite

/// Reads the schema of the tables and views of a file.
struct TableReader {
    let db: Database

    /// Tables and views in the order of their creation, without those of SQLite and of the store.
    ///
    /// - Parameter notices: receives a notice for each omitted table or view.
    func tables(notices: inout [String]) throws -> [TableDescription] {
        let kinds = try kinds()
        var tables: [TableDescription] = []
        for name in try names() where !Bookkeeping.owns(name) {
            switch kinds[name]?.type {
            case "table": tables.append(try table(name, isWithoutRowID: kinds[name]?.withoutRowID ?? false))
            case "view": tables += try view(name, notices: &notices)
            case "virtual": notices.append("The virtual table \(name) is left out.")
            default: break
            }
        }
        return tables
    }

    private func names() throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                ORDER BY type, rowid
                """)
    }

    private func kinds() throws -> [String: (type: String, withoutRowID: Bool)] {
        let rows = try Row.fetchAll(db, sql: "PRAGMA main.table_list")
        let pairs = rows.map { row in (row["name"] as String, (row["type"] as String, row["wr"] as Bool)) }
        return Dictionary(pairs) { first, _ in first }
    }

    private func table(_ name: String, isWithoutRowID: Bool) throws -> TableDescription {
        let indexes = try Row.fetchAll(
            db, sql: "SELECT name, origin, \"unique\", partial FROM pragma_index_list(?)", arguments: [name])
        let whole = try indexes.filter { $0["partial"] == false }.map { index in
            (isUnique: index["unique"] as Bool, columns: try indexColumns(of: index["name"]))
        }
        let unique = whole.filter { $0.isUnique && !$0.columns.contains { $0.name == nil } }.map {
            $0.columns.compactMap(\.name)
        }
        return TableDescription(
            name: name, kind: .table, isWithoutRowID: isWithoutRowID, columns: try columns(of: name),
            foreignKeys: try foreignKeys(of: name), uniqueIndexes: unique,
            indexes: whole.map { Self.beginning($0.columns) },
            hasPrimaryKeyIndex: indexes.contains { $0["origin"] == "pk" })
    }

    /// The columns that each index of the whole table begins with, up to its first expression.
    func indexes(of table: String) throws -> [[IndexColumn]] {
        try String.fetchAll(
            db, sql: "SELECT name FROM pragma_index_list(?) WHERE NOT partial", arguments: [table]
        ).map { Self.beginning(try indexColumns(of: $0)) }
    }

    private static func beginning(_ columns: [(name: String?, collation: String)]) -> [IndexColumn] {
        columns.prefix { $0.name != nil }.compactMap { column in
            column.name.map { IndexColumn(name: $0, collation: column.collation) }
        }
    }

    /// The columns of an index; expressions do not have a name.
    private func indexColumns(of index: String) throws -> [(name: String?, collation: String)] {
        try Row.fetchAll(
            db, sql: "SELECT name, coll FROM pragma_index_xinfo(?) WHERE \"key\" ORDER BY seqno", arguments: [index]
        ).map { ($0["name"], $0["coll"] ?? "BINARY") }
    }

    /// A view that cannot be prepared (it may refer to a removed table) is omitted.
    private func view(_ name: String, notices: inout [String]) throws -> [TableDescription] {
        do {
            let columns = try columns(of: name)
            return [
                TableDescription(
                    name: name, kind: .view, isWithoutRowID: false, columns: columns, foreignKeys: [],
                    uniqueIndexes: [], hasPrimaryKeyIndex: false)
            ]
        } catch let error as DatabaseError {
            notices.append("The view \(name) is left out: \(error.message ?? "it cannot be read").")
            return []
        }
    }

    private func columns(of table: String) throws -> [ColumnDescription] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?)",
            arguments: [table])
        return rows.filter { $0["hidden"] != 1 }.map { row in
            ColumnDescription(
                name: row["name"], declaredType: row["type"] ?? "", isNotNull: row["notnull"],
                defaultSQL: row["dflt_value"], keyPosition: row["pk"], isGenerated: (row["hidden"] as Int) > 1,
                collation: collation(of: row["name"], in: table))
        }
    }

    /// Columns of views do not have their own collation.
    private func collation(of column: String, in table: String) -> String {
        var name: UnsafePointer<CChar>?
        let code = sqlite3_table_column_metadata(
            db.sqliteConnection, "main", table, column, nil, &name, nil, nil, nil)
        guard code == SQLITE_OK, let name else { return "BINARY" }
        return String(cString: name)
    }

    private func foreignKeys(of table: String) throws -> [ForeignKeyDescription] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq",
            arguments: [table])
        var keys: [ForeignKeyDescription] = []
        var last: Int?
        for row in rows {
            let id: Int = row["id"]
            let target: String? = row["to"]
            if id != last {
                keys.append(
                    ForeignKeyDescription(columns: [], target: row["table"], targetColumns: target.map { _ in [] }))
            }
            last = id
            keys[keys.count - 1].columns.append(row["from"])
            if let target { keys[keys.count - 1].targetColumns?.append(target) }
        }
        return keys
    }
}
