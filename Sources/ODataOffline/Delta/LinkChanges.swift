import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Applies the added and removed links of a delta, after its entities.
struct LinkChanges {
    let db: Database
    let offline: OfflineModel
    let root: QueryNode

    /// - Throws: ``DownloadStepError`` `rejected` if a link cannot be applied.
    func run() throws {
        for node in root.all {
            for child in node.children {
                var parents: Set<Int64> = []
                let rows = try Row.fetchCursor(
                    db, sql: "SELECT * FROM \(quoted(child.node.linkChanges)) ORDER BY \"id\"")
                while let row = try rows.next() {
                    try apply(row, of: node, to: child, noted: &parents)
                }
            }
        }
    }

    /// - Parameter noted: The parents with a change: their related rows are recorded before the first one.
    private func apply(
        _ row: Row, of node: QueryNode, to child: QueryNode.Child, noted: inout Set<Int64>
    ) throws {
        let (source, target): (String, String) = (row["source"], row["target"])
        // Otherwise the entity has left the query with its links.
        guard let parent = try heldRow(source, of: node) else { return }
        let isAdded: Bool = row["added"]
        guard let member = try heldRow(target, of: child.node) else {
            guard isAdded else { return }
            throw DownloadStepError.rejected("A link from \(source) leads to \(target), which was not received.")
        }
        let touched = TouchedRows(db: db, root: root)
        try touched.insert(member, of: child.node)
        if noted.insert(parent).inserted { try touched.insertRelated(below: parent, of: node, by: child) }
        switch child.storage {
        case .link(let link, let isReversed):
            let ends = isReversed ? (member, parent) : (parent, member)
            try isAdded ? insertLink(ends, to: link, child.node) : drop(ends, from: link, child.node)
        case .columns(let pairs, _, let isDependent):
            try relate(
                parent, of: node, member, of: child.node, pairs, isDependent: isDependent, isAdded: isAdded)
        }
    }

    private func heldRow(_ id: String, of node: QueryNode) throws -> Int64? {
        let held =
            "SELECT \(.id) FROM \(quoted(node.table.name)) WHERE \(quoted(node.slot.column)) & \(node.slot.bit) <> 0"
        // There is one row of a singleton.
        guard node.table.set.kind != .singleton else { return try Int64.fetchOne(db, sql: held) }
        guard let key = offline.key(inID: id, of: node.table.set) else { return nil }
        let condition = try KeyCondition(table: node.table, key: key)
        return try Int64.fetchOne(db, sql: held + " AND \(condition.sql)", arguments: condition.arguments)
    }

    private func insertLink(_ ends: (Int64, Int64), to link: LinkTable, _ child: QueryNode) throws {
        let holders = quoted(child.slot.column)
        if link.isSourceUnique { try drop(ends, from: link, child, column: "source", ends.0) }
        if link.isTargetUnique { try drop(ends, from: link, child, column: "target", ends.1) }
        try db.execute(
            sql: """
                INSERT INTO \(quoted(link.name)) ("source", "target", \(holders)) VALUES (?, ?, \(child.slot.bit))
                ON CONFLICT ("source", "target") DO UPDATE SET \(holders) = \(holders) | \(child.slot.bit)
                """, arguments: [ends.0, ends.1])
        try AcceptedLinks(db: db).release(link, besidesThoseOf: child.slot)
    }

    /// A single-valued navigation property: the existing link is removed.
    private func drop(
        _ ends: (Int64, Int64), from link: LinkTable, _ child: QueryNode, column: String, _ id: Int64
    ) throws {
        let holders = quoted(child.slot.column)
        try db.execute(
            sql: """
                UPDATE \(quoted(link.name)) SET \(holders) = \(holders) & ~\(child.slot.bit)
                WHERE \(quoted(column)) = ? AND NOT ("source" = ? AND "target" = ?)
                """, arguments: [id, ends.0, ends.1])
    }

    private func drop(_ ends: (Int64, Int64), from link: LinkTable, _ child: QueryNode) throws {
        let holders = quoted(child.slot.column)
        try db.execute(
            sql: """
                UPDATE \(quoted(link.name)) SET \(holders) = \(holders) & ~\(child.slot.bit)
                WHERE "source" = ? AND "target" = ?
                """, arguments: [ends.0, ends.1])
        try AcceptedLinks(db: db).release(link, where: "\"source\" = \(ends.0) AND \"target\" = \(ends.1)")
    }

    /// Columns of a referential constraint are mostly received with the entity; a service may send only the link.
    private func relate(
        _ parent: Int64, of node: QueryNode, _ member: Int64, of child: QueryNode,
        _ pairs: [NavigationMapping.ColumnPair], isDependent: Bool, isAdded: Bool
    ) throws {
        let (near, far) = isDependent ? (node.table, child.table) : (child.table, node.table)
        let (dependent, principal) = isDependent ? (parent, member) : (member, parent)
        let columns = pairs.map { isDependent ? ($0.source, $0.target) : ($0.target, $0.source) }
        // A key property cannot be set to null: the entity itself no longer exists.
        guard !columns.contains(where: { near.keyColumns.contains($0.0) }) else { return }
        for (own, other) in columns {
            let value = "(SELECT p.\(quoted(other)) FROM \(quoted(far.name)) AS p WHERE p.\(.id) = \(principal))"
            let change = isAdded ? value : "CASE WHEN \(quoted(own)) = \(value) THEN NULL ELSE \(quoted(own)) END"
            try db.execute(
                sql: """
                    UPDATE \(quoted(near.name)) SET \(quoted(own)) = \(change)
                    WHERE \(.id) = ? AND \(.state) & \(LocalState.pending.rawValue) = 0
                    """, arguments: [dependent])
        }
    }
}
