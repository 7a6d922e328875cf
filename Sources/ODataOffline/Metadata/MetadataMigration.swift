import Foundation
import GRDB
import ODataFormats
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite

/// Brings the tables of a store to what another model asks for, within a transaction that has found that it can.
struct MetadataMigration {
    let db: Database
    let old: LocalSchema?
    let new: OfflineModel

    func run() throws {
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

    /// Tables of sets that are gone, or whose rows are told apart in another way: they are empty.
    private func dropTables() throws {
        guard let old else { return }
        for table in old.tables.values.sorted(by: { $0.name < $1.name }) {
            let kept = new.schema.tables[table.set.name]
            guard kept?.name != table.name || !hasSameKey(table, kept) else { continue }
            let links = old.links(of: table.set.name).map(\.name)
            for name in try table.versions(in: db) + links where try db.tableExists(name) {
                // Tables that are dropped tell nobody.
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

    /// Rows that are here have nothing in new columns: the queries that ask for these are read in full next time.
    private func readAgain(_ added: [String: Set<String>]) throws {
        let check = QueryCheck(offline: new)
        for record in try QueryRecord.all(in: db) {
            guard let bound = try? check.bound(record.definition) else { continue }
            let asked = AskedColumns(bound, schema: new.schema)
            let paths = try String.fetchAll(
                db, sql: #"SELECT "path" FROM "$node" WHERE "query" = ?"#, arguments: [record.id])
            let isNew = asked.columns.contains { set, names in !names.isDisjoint(with: added[set] ?? []) }
            guard isNew || !asked.paths.isSuperset(of: paths) || asked.paths.count != paths.count, !paths.isEmpty else {
                continue
            }
            try db.execute(
                sql: """
                    UPDATE "$query" SET "phase" = 'idle', "continuation" = NULL, "pendingDelta" = NULL,
                    "delta" = NULL, "since" = NULL, "reads" = 0 WHERE "id" = ?
                    """, arguments: [record.id])
        }
    }
}

/// What a defining query asks for: columns by entity set, and the places of its expand tree.
struct AskedColumns {
    private(set) var columns: [String: Set<String>] = [:]
    private(set) var paths: Set<String> = []
    private let schema: LocalSchema

    init(_ query: BoundQuery, schema: LocalSchema) {
        self.schema = schema
        if let set = query.path.entitySet { add(set, query.options, path: "") }
    }

    private mutating func add(_ set: EntitySet, _ options: QueryOptions, path: String) {
        paths.insert(path)
        guard let table = schema.tables[set.name] else { return }
        let select = options.select ?? []
        var names: Set<String> = []
        for case .property(let path) in select { if let first = path.first { names.insert(first.name) } }
        let isAll = select.isEmpty || select.contains(.all)
        let asked = isAll ? table.columns : table.columns.filter { names.contains($0.property.name) }
        columns[set.name, default: []].formUnion(asked.map(\.name) + table.streams.flatMap(\.all))
        for item in options.expand {
            guard let target = item.targetSet, schema.relation(of: set.name, item.navigation.name) != nil else {
                continue
            }
            add(target, item.options, path: path.isEmpty ? item.navigation.name : "\(path)/\(item.navigation.name)")
        }
    }
}
