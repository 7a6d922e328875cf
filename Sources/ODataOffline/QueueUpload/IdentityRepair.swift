import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Replaces a temporary key by the key that the service has assigned: in the entity, in references to it, and in
/// waiting requests. The temporary key stays known and always leads to the entity.
struct IdentityRepair {
    let context: StoreTransaction
    private var db: Database { context.db }
    private var schema: LocalSchema { context.schema }

    /// - Returns: The requests of rows that turned out to be one entity: they depend on others than before.
    @discardableResult
    func repair(_ row: EntityRow, key: EntityKey) throws -> [Int64] {
        var moved: [Int64] = []
        var new: [String: KeyChange] = [:]
        for name in row.table.set.type.key {
            guard let column = row.table.column(of: name), let value = key[name] ?? key.onlyValue(for: name, of: row)
            else { continue }
            let before = try RowLookup(db: db, table: row.table).stored([column.name], of: row.id)?.first
            let after = try column.databaseValue(of: value)
            if let before, before != after {
                new[column.name] = KeyChange(before: before, after: after)
            }
        }
        if !new.isEmpty { moved = try change(row, to: new) }
        try db.execute(sql: #"UPDATE \#(.alias) SET "resolved" = 1 WHERE "row" = ?"#, arguments: [row.id])
        try rewriteLines(naming: row.id)
        return moved
    }

    /// The key that an app has given, and that the service has changed, leads to the entity too.
    private func keepOldKey(of row: EntityRow) throws {
        guard !row.state.contains(.temporaryKey), let old = try RowLookup(db: db, table: row.table).key(of: row.id)
        else { return }
        try context.addAlias(of: row, key: old, madeUp: [])
    }

    /// A download may have brought the entity before its own response arrived: the local row stays, with the holds
    /// of the other and what was changed in it.
    private func absorbDouble(of row: EntityRow, _ new: [String: KeyChange]) throws -> [Int64] {
        guard let double = try double(of: row, new) else { return [] }
        for word in 0..<(try StoreValues(db: db).holderWords) {
            let column = quoted(HolderSlot.column(word))
            try db.execute(
                sql: """
                    UPDATE \(row.table.sqlName) SET \(column) = \(column)
                    | (SELECT d.\(column) FROM \(row.table.sqlName) AS d WHERE d.\(.id) = ?) WHERE \(.id) = ?
                    """, arguments: [double, row.id])
        }
        for link in schema.links(of: row.table.set.name) where try db.tableExists(link.name) {
            for end in ["source", "target"] {
                try db.execute(
                    sql: "UPDATE OR IGNORE \(quoted(link.name)) SET \(quoted(end)) = ? WHERE \(quoted(end)) = ?",
                    arguments: [row.id, double])
            }
        }
        let moved = try takeRequests(of: double, to: row)
        try RowRemoval(db: db, schema: schema)
            .remove(EntityRow(table: row.table, id: double, state: []))
        return moved
    }

    /// The other row that has the key which the row is about to get.
    private func double(of row: EntityRow, _ new: [String: KeyChange]) throws -> Int64? {
        var arguments: [DatabaseValue] = []
        let equal = row.table.keyColumns.map { column in
            guard let value = new[column] else { return "o.\(quoted(column)) = l.\(quoted(column))" }
            arguments += value.after.parts
            return "o.\(quoted(column)) = \(value.after.term)"
        }
        return try Int64.fetchOne(
            db,
            sql: """
                SELECT o.\(.id) FROM \(row.table.sqlName) AS l
                JOIN \(row.table.sqlName) AS o ON \(equal.joined(separator: " AND ")) AND o.\(.id) <> l.\(.id)
                WHERE l.\(.id) = ?
                """, arguments: StatementArguments(arguments + [row.id.databaseValue]))
    }

    /// Requests that change or name the other row are of this one; all that change it follow each other.
    private func takeRequests(of double: Int64, to row: EntityRow) throws -> [Int64] {
        let isChanged = try !context.queue.records(changing: double).isEmpty
        for column in ["row", "parentRow", "targetRow"] {
            try db.execute(
                sql: "UPDATE \(.queue) SET \(quoted(column)) = ? WHERE \(quoted(column)) = ?",
                arguments: [row.id, double])
        }
        try db.execute(
            sql: #"UPDATE OR IGNORE \#(.reference) SET "row" = ? WHERE "row" = ?"#, arguments: [row.id, double])
        try db.execute(sql: #"DELETE FROM \#(.reference) WHERE "row" = ?"#, arguments: [double])
        try db.execute(sql: #"UPDATE \#(.alias) SET "row" = ? WHERE "row" = ?"#, arguments: [row.id, double])
        let state = LocalState([.pending, .inError, .deletedHere]).rawValue
        try db.execute(
            sql: """
                UPDATE \(row.table.sqlName) SET \(.state) = \(.state)
                | (SELECT d.\(.state) & \(state) FROM \(row.table.sqlName) AS d WHERE d.\(.id) = ?) WHERE \(.id) = ?
                """, arguments: [double, row.id])
        guard isChanged else { return [] }
        let records = try context.queue.records(changing: row.id)
        for record in records {
            try RequestTies(db: db).renew(record, references: Set(context.queue.references(of: record.id)))
        }
        return records.map(\.id)
    }

    private struct KeyChange {
        var before: DatabaseValue
        var after: DatabaseValue
    }

    private func change(_ row: EntityRow, to new: [String: KeyChange]) throws -> [Int64] {
        var moved = try absorbDouble(of: row, new)
        let dependents = try dependents(of: row, on: Set(new.keys))
        try keepOldKey(of: row)
        try context.set(assignments(new), of: row)
        for dependent in dependents { moved += try carry(new, to: dependent) }
        return moved
    }

    /// In the same order each time: one statement for the same columns.
    private func assignments(_ new: [String: KeyChange]) -> [(column: String, value: DatabaseValue)] {
        new.sorted { $0.key < $1.key }.map { ($0.key, $0.value.after) }
    }

    /// A row whose columns repeat key values of another.
    private struct Dependent {
        var row: EntityRow
        var pairs: [NavigationMapping.ColumnPair]
    }

    private func dependents(of row: EntityRow, on columns: Set<String>) throws -> [Dependent] {
        var found: [Dependent] = []
        for (set, navigation) in schema.navigation.sorted(by: { $0.key < $1.key }) {
            guard let table = schema.tables[set], try db.tableExists(table.name) else { continue }
            for (name, storage) in navigation.sorted(by: { $0.key < $1.key }) {
                let typed = schema.typeCondition(ofNavigation: name, of: set, row: "d") ?? "TRUE"
                guard case .columns(let pairs, row.table.set.name, true) = storage,
                    pairs.contains(where: { columns.contains($0.target) })
                else { continue }
                let equal = pairs.map { "d.\(quoted($0.source)) = p.\(quoted($0.target))" }.joined(separator: " AND ")
                let ids = try Int64.fetchAll(
                    db,
                    sql: """
                        SELECT d.\(.id) FROM \(table.sqlName) AS d JOIN \(row.table.sqlName) AS p ON \(equal)
                        WHERE p.\(.id) = ? AND \(typed)
                        """, arguments: [row.id])
                found += try ids.map { Dependent(row: try context.row($0, in: table), pairs: pairs) }
            }
        }
        return found
    }

    private func carry(_ new: [String: KeyChange], to dependent: Dependent) throws -> [Int64] {
        let row = dependent.row
        var values: [String: KeyChange] = [:]
        for pair in dependent.pairs { if let value = new[pair.target] { values[pair.source] = value } }
        let keys = Set(row.table.keyColumns)
        let keyValues = values.filter { keys.contains($0.key) }
        let others = values.filter { !keys.contains($0.key) }
        try context.set(assignments(others), of: row)
        if try db.tableExists(row.table.baseName) {
            // What the entity led to before it was changed here stays.
            for (column, value) in others {
                try db.execute(
                    sql: """
                        UPDATE \(quoted(row.table.baseName)) SET \(quoted(column)) = \(value.after.term)
                        WHERE \(.id) = ? AND \(quoted(column)) = \(value.before.term)
                        """,
                    arguments: StatementArguments(
                        value.after.parts + [row.id.databaseValue] + value.before.parts))
            }
        }
        guard !keyValues.isEmpty else { return [] }
        let moved = try change(row, to: keyValues)
        try renewAlias(of: row)
        try rewriteLines(naming: row.id)
        return moved
    }

    /// The key of a dependent row has changed but may still be temporary in another part.
    private func renewAlias(of row: EntityRow) throws {
        guard
            let alias = try Row.fetchOne(
                db, sql: #"SELECT "properties" FROM \#(.alias) WHERE "row" = ? AND "resolved" = 0 LIMIT 1"#,
                arguments: [row.id]),
            let key = try RowLookup(db: db, table: row.table).key(of: row.id)
        else { return }
        let properties: String = alias["properties"]
        try context.addAlias(of: row, key: key, madeUp: Set(properties.split(separator: ",").map(String.init)))
    }

    private func rewriteLines(naming row: Int64) throws {
        let line = RequestLine(db: db, offline: context.offline)
        for record in try context.queue.records(naming: row) {
            do {
                try context.queue.setLine(line.line(of: record), entity: line.entity(of: record), of: record.id)
            } catch is ODataError {
                // It names something else that is gone, which is reported when it is sent: the key is known all the
                // same.
                continue
            }
        }
    }
}

extension EntityKey {
    /// The value of a key of one property, whatever it is called.
    fileprivate func onlyValue(for name: String, of row: EntityRow) -> EdmValue? {
        components.count == 1 && row.table.set.type.key == [name] ? components[0].value : nil
    }
}
