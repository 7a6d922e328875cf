import GRDB
import ODataSQL
import ODataStores

extension PublishedSchema {
    /// Creates missing tables and adds the columns that are new in the model.
    func makeTables(in db: Database) throws {
        for statement in statements {
            let present = try Row.fetchOne(
                db, sql: "SELECT type, sql FROM sqlite_master WHERE name = ?", arguments: [statement.name])
            guard let present else {
                try make(statement, in: db)
                continue
            }
            guard present["sql"] != statement.sql else { continue }
            let kind = present["type"] as String
            if kind == "table", statement.fill == nil {
                try evolve(statement, in: db)
            } else {
                try db.execute(sql: "DROP \(kind) \(quoted(statement.name))")
                try make(statement, in: db)
            }
        }
    }

    private func make(_ statement: DeclaredStatements.Statement, in db: Database) throws {
        try db.execute(sql: statement.sql)
        if let fill = statement.fill { try db.execute(sql: fill) }
    }

    private func evolve(_ statement: DeclaredStatements.Statement, in db: Database) throws {
        guard let table = tables.values.first(where: { $0.name == statement.name }) else { return }
        let present = Set(try db.columns(in: table.name).map { $0.name.lowercased() })
        for column in table.description.columns where !present.contains(column.name.lowercased()) {
            guard !table.key.contains(where: { $0.name == column.name }), column.name != DeclaredTable.parentColumn
            else {
                throw ODataError(
                    .unusableStore, "The table \(table.name) of the file has another key than the model.")
            }
            let type =
                column.name == DeclaredTable.typeColumn
                ? "TEXT NOT NULL DEFAULT \(quotedText(table.typeName))" : column.declaredType
            try db.execute(sql: "ALTER TABLE \(quoted(table.name)) ADD COLUMN \(quoted(column.name)) \(type)")
        }
    }
}

extension PublishedTable {
    fileprivate var typeName: String { declared.map { "\($0.entitySet.type.name)" } ?? "" }
}
