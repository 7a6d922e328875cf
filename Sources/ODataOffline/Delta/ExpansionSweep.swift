import GRDB
import ODataSQL
import ODataSQLite

/// After a delta: releases expanded entities that no entity of the query leads to any more.
struct ExpansionSweep {
    let db: Database
    let root: QueryNode
    /// Whether only rows that changes have touched are examined.
    let isPartial: Bool

    func run() throws { try sweep(below: root) }

    private func sweep(below parent: QueryNode) throws {
        for child in parent.children {
            try drop(child, of: parent)
            try sweep(below: child.node)
        }
    }

    private func drop(_ child: QueryNode.Child, of parent: QueryNode) throws {
        let slot = child.node.slot
        let holders = quoted(slot.column)
        let touched = isPartial ? TouchedRows.condition(child.node, "c") : "1"
        try db.execute(
            sql: """
                UPDATE \(quoted(child.node.table.name)) AS c SET \(holders) = \(holders) & ~\(slot.bit)
                WHERE \(touched) AND \(holders) & \(slot.bit) <> 0 AND NOT EXISTS (\(ledTo(child, from: parent)))
                """)
    }

    /// A held parent that has the navigation property to the child `c`.
    private func ledTo(_ child: QueryNode.Child, from parent: QueryNode) -> String {
        let held = "p.\(quoted(parent.slot.column)) & \(parent.slot.bit) <> 0"
        let typed = child.condition.map { " AND \($0)" } ?? ""
        switch child.storage {
        case .columns(let pairs, _, _):
            let equal = pairs.map { "p.\(quoted($0.source)) = c.\(quoted($0.target))" }.joined(separator: " AND ")
            return "SELECT 1 FROM \(quoted(parent.table.name)) AS p WHERE \(equal) AND \(held)\(typed)"
        case .link(let link, let isReversed):
            let (near, far) = isReversed ? ("target", "source") : ("source", "target")
            let linked = "k.\(quoted(child.node.slot.column)) & \(child.node.slot.bit) <> 0"
            return """
                SELECT 1 FROM \(quoted(link.name)) AS k JOIN \(quoted(parent.table.name)) AS p
                ON p.\(.id) = k.\(quoted(near)) WHERE k.\(quoted(far)) = c.\(.id) AND \(linked) AND \(held)
                """
        }
    }
}
