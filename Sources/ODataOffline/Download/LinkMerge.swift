import GRDB
import ODataSQL
import ODataSQLite

/// Merges the links between stage rows into the link tables, with the row ids of the live tables.
struct LinkMerge {
    let db: Database
    let root: QueryNode
    let isDelta: Bool
    /// Slots of nodes whose stage became the live table: their ids did not change.
    let renamed: Set<Int>

    func run() throws {
        guard root.all.contains(where: hasLinks) else { return }
        for node in root.all where !renamed.contains(node.slot.number) { try makeMap(node) }
        for node in root.all {
            for child in node.children {
                if case .link(let link, let isReversed) = child.storage {
                    try merge(link, isReversed: isReversed, parent: node, child: child)
                }
            }
        }
        for node in root.all { try db.execute(sql: "DROP TABLE IF EXISTS temp.\(quoted(map(node)))") }
    }

    private func hasLinks(_ node: QueryNode) -> Bool {
        node.children.contains { if case .link = $0.storage { true } else { false } }
    }

    private func map(_ node: QueryNode) -> String { "$map$\(node.slot.number)" }

    private func makeMap(_ node: QueryNode) throws {
        try db.execute(sql: "CREATE TEMP TABLE \(quoted(map(node))) (\"stage\" INTEGER PRIMARY KEY, \"live\" INTEGER)")
        try db.execute(
            sql: """
                INSERT INTO temp.\(quoted(map(node))) SELECT s.\(.id), l.\(.id)
                FROM \(quoted(node.stage)) AS s JOIN \(quoted(node.table.name)) AS l
                ON \(node.table.keysEqual("l", "s"))
                """)
    }

    private func merge(_ link: LinkTable, isReversed: Bool, parent: QueryNode, child edge: QueryNode.Child) throws {
        let child = edge.node
        let (slot, name) = (child.slot, quoted(link.name))
        let holders = quoted(slot.column)
        let parentEnd = isReversed ? "target" : "source"
        let scope = isDelta ? "AND \(resent(parentEnd, parent, child))" : ""
        try db.execute(
            sql:
                "UPDATE \(name) SET \(holders) = \(holders) & ~\(slot.bit) WHERE \(holders) & \(slot.bit) <> 0 \(scope)"
        )
        let (sources, targets) = isReversed ? (child, parent) : (parent, child)
        let source = mapped("source", by: sources)
        let target = mapped("target", by: targets)
        try db.execute(
            sql: """
                INSERT INTO \(name) ("source", "target", \(holders)) SELECT \(source), \(target), \(slot.bit)
                FROM \(quoted(child.stageLinks)) AS l WHERE 1
                ON CONFLICT ("source", "target") DO UPDATE SET \(holders) = \(holders) | \(slot.bit)
                """)
        try AcceptedLinks(db: db).release(edge, of: parent, where: isDelta ? resent(parentEnd, parent, child) : nil)
    }

    /// The entities that a delta contains with all their links.
    private func resent(_ end: String, _ parent: QueryNode, _ child: QueryNode) -> String {
        """
        \(quoted(end)) IN (SELECT m."live" FROM temp.\(quoted(map(parent))) AS m
        JOIN \(quoted(child.resent)) AS r ON r."parent" = m."stage")
        """
    }

    private func mapped(_ end: String, by node: QueryNode) -> String {
        guard !renamed.contains(node.slot.number) else { return "l.\(quoted(end))" }
        // Unchanged rows already have their id.
        return """
            coalesce((SELECT m."live" FROM temp.\(quoted(map(node))) AS m WHERE m."stage" = l.\(quoted(end))), \
            l.\(quoted(end)))
            """
    }
}
