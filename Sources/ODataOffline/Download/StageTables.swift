import GRDB
import ODataSQL
import ODataSQLite

/// The tables for the pages of a query before they are published to readers.
struct StageTables {
    let db: Database

    /// Creates the empty stages of a node and its descendants.
    ///
    /// - Parameter content: What they are for: those of a first download get their unique indexes by ``StageKeys``.
    func make(for root: QueryNode, _ content: PageContent) throws {
        let words = try StoreValues(db: db).holderWords
        let unindexed =
            content == .result(isKnown: false) ? Set(root.withoutRepetition.map(\.slot)) : []
        try drop(root)
        for node in root.all {
            try db.execute(
                sql: node.table.definition(
                    named: node.stage, holderWords: words, heldBy: node.slot,
                    isUnique: !unindexed.contains(node.slot)))
            try db.execute(
                sql: """
                    CREATE TABLE \(quoted(node.gone)) AS SELECT \(node.table.keyList), 0 AS "$deleted"
                    FROM \(quoted(node.stage))
                    """)
            try SeenRows.makeTable(of: node, in: db)
            try db.execute(sql: #"CREATE TABLE \#(quoted(node.resent)) ("parent" INTEGER PRIMARY KEY)"#)
            try db.execute(
                sql: """
                    CREATE TABLE \(quoted(node.linkChanges)) ("id" INTEGER PRIMARY KEY, "source" TEXT NOT NULL,
                    "target" TEXT NOT NULL, "added" INTEGER NOT NULL)
                    """)
            try db.execute(
                sql: """
                    CREATE TABLE \(quoted(node.more)) ("id" INTEGER PRIMARY KEY, "parent" INTEGER NOT NULL,
                    "link" TEXT NOT NULL)
                    """)
            for child in node.children {
                guard case .link(let link, _) = child.storage else { continue }
                try db.execute(
                    sql: link.definition(named: child.node.stageLinks, holderWords: words, heldBy: child.node.slot))
            }
        }
    }

    /// Whether the stages exist as `make(for:)` would create them.
    func fit(_ root: QueryNode) throws -> Bool {
        try root.all.allSatisfy { node in
            let isLinked = try db.tableExists(node.stageLinks)
            guard try node.stages.allSatisfy({ try db.tableExists($0) || $0 == node.stageLinks }),
                isLinked || !root.hasLinks(to: node)
            else { return false }
            return try node.asked.written.allSatisfy(Set(db.columns(in: node.stage).map(\.name)).contains)
                && db.columns(in: node.gone).map(\.name) == node.table.keyColumns + ["$deleted"]
        }
    }

    func drop(_ root: QueryNode) throws {
        for node in root.all {
            for name in node.stages + [node.formerSeen] {
                try db.execute(sql: "DROP TABLE IF EXISTS \(quoted(name))")
            }
        }
    }
}
