import GRDB
import ODataSQL
import ODataSQLite

/// Shows readers what the stage tables of a query hold: one transaction.
struct Publication {
    let db: Database
    let offline: OfflineModel
    let root: QueryNode
    /// Whether the stages hold changes only.
    let isDelta: Bool

    func run() throws {
        let maker = TableMaker(db: db, schema: offline.schema)
        for node in root.all { try maker.make(node.table.set.name) }
        var renamed: Set<Int> = []
        for node in root.all {
            if try canRename(node) {
                try rename(node)
                renamed.insert(node.slot.number)
            } else {
                try StageMerge(db: db, node: node, isDelta: isDelta, isRoot: node.path.isEmpty).run()
            }
        }
        try LinkMerge(db: db, root: root, isDelta: isDelta, renamed: renamed).run()
        if isDelta {
            try ResentParents(db: db, root: root).run()
            try ExpansionSweep(db: db, root: root).run()
        }
        for node in root.all {
            try db.execute(sql: #"DELETE FROM "$claim" WHERE "slot" = ?"#, arguments: [node.slot.number])
        }
        try StageTables(db: db).drop(root)
        let release = QueryRelease(db: db, schema: offline.schema)
        for set in Set(root.all.map(\.table.set.name)) { try release.removeUnheld(of: set) }
    }

    /// A first load needs no merge: the stage becomes the live table.
    private func canRename(_ node: QueryNode) throws -> Bool {
        guard !isDelta else { return false }
        return try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM \(quoted(node.table.name)))") ?? false
    }

    private func rename(_ node: QueryNode) throws {
        try db.execute(sql: "DROP TABLE \(quoted(node.table.name))")
        try db.execute(sql: "ALTER TABLE \(quoted(node.stage)) RENAME TO \(quoted(node.table.name))")
        try TableMaker(db: db, schema: offline.schema).makeIndexes(of: node.table)
        // Live queries do not see that a table is another one.
        try db.notifyChanges(in: Table(node.table.name))
    }
}
