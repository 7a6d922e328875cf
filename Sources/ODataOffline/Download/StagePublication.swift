import GRDB
import ODataSQL
import ODataSQLite

/// Publishes the stage tables of a query to readers in one transaction.
struct StagePublication {
    /// The content of the stages.
    enum Content: Sendable {
        /// The whole result; unchanged rows are only marked as seen (``SeenRows``).
        case result
        case changes
        /// Changes of the root's entities; all existing entities are marked as seen.
        case changesAndKeys
    }

    let db: Database
    let offline: OfflineModel
    let root: QueryNode
    let content: Content
    /// Whether part of the stages was written by earlier downloads.
    let isContinued: Bool

    private var isDelta: Bool { content != .result }
    private var comparesKeys: Bool { content == .changesAndKeys }

    /// - Throws: ``DownloadStepError`` `rejected` if the changes cannot be applied.
    func run() throws {
        let maker = TableMaker(db: db, schema: offline.schema)
        for node in root.all { try maker.make(node.table.set.name) }
        let touched = TouchedRows(db: db, root: root)
        if isDelta {
            try touched.make()
            try touched.collect()
        }
        var renamed: Set<Int> = []
        try publish(root, parent: nil, renamed: &renamed)
        try LinkMerge(db: db, root: root, isDelta: isDelta, renamed: renamed).run()
        if isDelta {
            try LinkChanges(db: db, offline: offline, root: root).run()
            try touched.collect()
            try ResentParents(db: db, root: root).run()
            try ExpansionSweep(db: db, root: root, isPartial: !comparesKeys).run()
            try touched.drop()
        }
        for node in root.all {
            try db.execute(sql: #"DELETE FROM \#(.claim) WHERE "slot" = ?"#, arguments: [node.slot.number])
        }
        try StageTables(db: db).drop(root)
        let release = QueryRelease(db: db, schema: offline.schema)
        for set in Set(root.all.map(\.table.set.name)) {
            // After a comparison of keys only the root's entities are known completely.
            let isWhole = !isDelta || comparesKeys && set == root.table.set.name
            try release.removeUnheld(of: set, marks: isWhole)
        }
    }

    /// A node, then its children.
    private func publish(_ node: QueryNode, parent: QueryNode?, renamed: inout Set<Int>) throws {
        if let parent, node.table.container != nil, !renamed.contains(parent.slot.number) {
            try setParents(of: node, below: parent)
        }
        if try canRename(node) {
            try rename(node)
            renamed.insert(node.slot.number)
        } else {
            let isRoot = node.path.isEmpty
            try StageMerge(
                db: db, schema: offline.schema, node: node, isDelta: isDelta, isRoot: isRoot,
                dropsUnseen: !isDelta || comparesKeys && isRoot
            ).run()
        }
        for child in node.children { try publish(child.node, parent: node, renamed: &renamed) }
    }

    /// Contained entities refer to their container by its id, which differs from that in the stage.
    private func setParents(of node: QueryNode, below parent: QueryNode) throws {
        let column = HiddenColumn.parent.sqlName
        try db.execute(
            sql: """
                UPDATE \(quoted(node.stage)) SET \(column) = l.\(.id) FROM \(quoted(parent.stage)) AS s
                JOIN \(quoted(parent.table.name)) AS l ON \(parent.table.keysEqual("l", "s"))
                WHERE s.\(.id) = \(quoted(node.stage)).\(column) AND l.\(.id) <> s.\(.id)
                """)
    }

    /// A first load needs no merge: the stage becomes the live table.
    private func canRename(_ node: QueryNode) throws -> Bool {
        guard !isDelta else { return false }
        return try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM \(quoted(node.table.name)))") ?? false
    }

    private func rename(_ node: QueryNode) throws {
        try db.execute(sql: "DROP TABLE \(quoted(node.table.name))")
        try db.execute(sql: "ALTER TABLE \(quoted(node.stage)) RENAME TO \(quoted(node.table.name))")
        if isContinued {
            let number = try StoreValues(db: db).download
            try db.execute(sql: "UPDATE \(quoted(node.table.name)) SET \(.download) = \(number)")
        }
        try TableMaker(db: db, schema: offline.schema).makeIndexes(of: node.table)
        // Live queries do not notice that a table was replaced.
        try db.notifyChanges(in: Table(node.table.name))
    }
}
