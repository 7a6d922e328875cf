import GRDB
import ODataSQL
import ODataSQLite

/// Entities in a delta with all that they expand: expanded entities that are no longer among them lose the
/// hold.
struct ResentParents {
    let db: Database
    let root: QueryNode

    func run() throws {
        for node in root.all {
            for child in node.children {
                if case .columns(let pairs, _, _) = child.storage { try drop(child.node, of: node, pairs) }
            }
        }
    }

    private func drop(_ child: QueryNode, of parent: QueryNode, _ pairs: [NavigationMapping.ColumnPair]) throws {
        let holders = quoted(child.slot.column)
        let related = pairs.map { "p.\(quoted($0.source)) = c.\(quoted($0.target))" }.joined(separator: " AND ")
        try db.execute(
            sql: """
                UPDATE \(quoted(child.table.name)) AS c SET \(holders) = \(holders) & ~\(child.slot.bit)
                WHERE \(TouchedRows.condition(child, "c")) AND \(holders) & \(child.slot.bit) <> 0
                AND EXISTS (SELECT 1 FROM \(quoted(parent.table.name)) AS p JOIN \(quoted(parent.stage)) AS s
                ON \(parent.table.keysEqual("p", "s")) JOIN \(quoted(child.resent)) AS r ON r."parent" = s.\(.id)
                WHERE \(related))
                AND NOT EXISTS (SELECT 1 FROM \(quoted(child.stage)) AS s WHERE \(child.table.keysEqual("c", "s")))
                """)
    }
}
