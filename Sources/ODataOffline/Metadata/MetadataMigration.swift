import Foundation
import GRDB
import ODataFormats
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite

/// Changes the tables of a store for another model, in the transaction that has checked that this is possible.
struct MetadataMigration {
    let db: Database
    let old: LocalSchema?
    let new: OfflineModel

    func run() throws {
        try moveNodes()
        try dropTables()
        var added: [String: Set<String>] = [:]
        for table in new.schema.tables.values.sorted(by: { $0.name < $1.name }) where try db.tableExists(table.name) {
            for name in try table.versions(in: db) {
                added[table.set.name, default: []].formUnion(try mend(name, as: table))
            }
            try TableMaker(db: db, schema: new.schema).makeIndexes(of: table)
            for link in new.schema.links(of: table.set.name) where try !db.tableExists(link.name) {
                try TableMaker(db: db, schema: new.schema).make(table.set.name)
            }
        }
        try readAgain(added)
    }

    /// Nodes of queries that now lead to another set.
    private func moveNodes() throws {
        guard let old else { return }
        for record in try QueryRecord.all(in: db) {
            let sets = Dictionary(places(of: record).map { ($0.path, $0.table.set.name) }) { first, _ in first }
            let nodes = try Row.fetchAll(
                db, sql: #"SELECT "slot", "path", "set" FROM \#(.node) WHERE "query" = ?"#, arguments: [record.id])
            for node in nodes {
                guard let set = sets[node["path"]], set != node["set"] as String else { continue }
                try QueryRelease(db: db, schema: old).move(HolderSlot(node["slot"]), from: node["set"], to: set)
            }
        }
    }

    /// The nodes of a query with the new metadata; empty if it does not fit them.
    private func places(of record: QueryRecord) -> [QueryPlace] {
        guard let query = try? QueryCheck(offline: new).completed(record.definition).query,
            let place = try? QueryPlace(query, offline: new)
        else { return [] }
        return place.all
    }

    /// Tables of removed sets, or of sets with another key; they are empty.
    private func dropTables() throws {
        guard let old else { return }
        for table in old.tables.values.sorted(by: { $0.name < $1.name }) {
            let kept = new.schema.tables[table.set.name]
            guard kept?.name != table.name || !hasSameKey(table, kept) else { continue }
            let links = old.links(of: table.set.name).map(\.name)
            try LocalSearch(db: db, schema: old).remove(of: table.set.name)
            for name in try table.versions(in: db) + links where try db.tableExists(name) {
                // Observers are not notified of dropped tables.
                try db.notifyChanges(in: Table(name))
                try db.execute(sql: "DROP TABLE \(quoted(name))")
            }
        }
    }

    private func hasSameKey(_ table: LocalTable, _ other: LocalTable?) -> Bool {
        let key: (LocalTable) -> [String] = { table in
            table.set.type.keyProperties.map { "\($0.name) \($0.type)" }
        }
        return other.map { key($0) == key(table) } ?? false
    }

    /// - Returns: The columns that are new.
    private func mend(_ name: String, as table: LocalTable) throws -> Set<String> {
        let before = old?.tables[table.set.name]
        let wanted = Dictionary(table.serviceColumns.map { ($0.name, $0.definition) }, uniquingKeysWith: { $1 })
        let known = Dictionary(
            (before?.serviceColumns ?? []).map { ($0.name, $0.definition) }, uniquingKeysWith: { $1 })
        var present = Set(try db.columns(in: name).map(\.name))
        for column in known.keys.sorted() where present.contains(column) && wanted[column] != known[column] {
            // A trigger that uses the column would prevent this.
            if let old, name == table.name { try LocalSearch(db: db, schema: old).remove(of: table.set.name) }
            for index in try db.indexes(on: name) where index.columns.contains(column) {
                try db.execute(sql: "DROP INDEX IF EXISTS \(quoted(index.name))")
            }
            try db.execute(sql: "ALTER TABLE \(quoted(name)) DROP COLUMN \(quoted(column))")
            present.remove(column)
        }
        let missing = table.serviceColumns.filter { !present.contains($0.name) }
        for column in missing {
            try db.execute(sql: "ALTER TABLE \(quoted(name)) ADD COLUMN \(column.definition)")
        }
        return Set(missing.map(\.name))
    }

    /// Existing rows have no values in new columns, and no links for navigation properties that were stored in columns:
    /// queries that request these are read completely the next time. An interrupted download starts again if its stages
    /// may not fit.
    private func readAgain(_ added: [String: Set<String>]) throws {
        for record in try QueryRecord.all(in: db) {
            let places = places(of: record)
            guard !places.isEmpty else { continue }
            let paths = try Set(
                String.fetchAll(db, sql: #"SELECT "path" FROM \#(.node) WHERE "query" = ?"#, arguments: [record.id]))
            guard !paths.isEmpty else { continue }
            let asksMore = paths != Set(places.map(\.path)) || places.contains { isNew($0, added) }
            let isCut = record.phase != .idle && places.contains { isOther($0.table) }
            guard asksMore || isCut else { continue }
            try db.execute(
                sql: """
                    UPDATE \(.query) SET "phase" = 'idle', "continuation" = NULL, "pendingDelta" = NULL
                    \(asksMore ? #", "delta" = NULL, "since" = NULL, "reads" = 0"# : "") WHERE "id" = ?
                    """, arguments: [record.id])
        }
    }

    /// Whether the stages of a set were created with another key or other columns.
    private func isOther(_ table: LocalTable) -> Bool {
        guard let before = old?.tables[table.set.name] else { return true }
        return !hasSameKey(before, table)
            || before.serviceColumns.map(\.definition) != table.serviceColumns.map(\.definition)
    }

    private func isNew(_ place: QueryPlace, _ added: [String: Set<String>]) -> Bool {
        let set = place.table.set.name
        let asked = place.asked.written + place.asked.streams.flatMap(\.all)
        guard added[set]?.isDisjoint(with: asked) ?? true else { return true }
        return place.children.contains { child in
            old.map { $0.storage(of: set, child.navigation) != child.storage } ?? false
        }
    }
}
