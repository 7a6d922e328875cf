import GRDB
import ODataSQL
import ODataSQLite

/// The rows that changes of a query may have let go or moved: received, removed and claimed rows since the last
/// time (`LooseRows`), and all that these lead to.
///
/// They are collected before the changes are merged, by the navigation properties as they were, and after it again, so
/// that what follows a refresh costs by the number of changes and not by the size of the store.
struct TouchedRows {
    let db: Database
    let root: QueryNode

    /// The condition on the rows of a node's table under the name `name`.
    static func condition(_ node: QueryNode, _ name: String) -> String {
        "\(name).\(.id) IN (SELECT \"row\" FROM \(table(node)))"
    }

    private static func table(_ node: QueryNode) -> String { "temp." + quoted("$touched$\(node.slot.number)") }

    /// Begins with no rows.
    func make() throws {
        try drop()
        for node in root.all {
            try db.execute(
                sql: "CREATE TEMP TABLE \(quoted("$touched$\(node.slot.number)")) (\"row\" INTEGER PRIMARY KEY)")
        }
    }

    func drop() throws {
        for node in root.all { try db.execute(sql: "DROP TABLE IF EXISTS \(Self.table(node))") }
    }

    func collect() throws { try collect(root) }

    func add(_ row: Int64, of node: QueryNode) throws { try add(to: node, "SELECT \(row)") }

    /// What the entity `row` of `node` leads to.
    func addRelated(below row: Int64, of node: QueryNode, by child: QueryNode.Child) throws {
        try add(to: child.node, related(child, of: node, from: "(SELECT \(row) AS \"row\")"))
    }

    private func collect(_ node: QueryNode) throws {
        try add(to: node, #"SELECT "row" FROM \#(.claim) WHERE "slot" = \#(node.slot.number)"#)
        for staged in [node.stage, node.gone] {
            try add(
                to: node,
                """
                SELECT l.\(.id) FROM \(quoted(staged)) AS s CROSS JOIN \(quoted(node.table.name)) AS l
                ON \(node.table.keysEqual("l", "s"))
                """)
        }
        for child in node.children {
            try add(to: child.node, related(child, of: node, from: Self.table(node)))
            try collect(child.node)
        }
    }

    private func related(_ child: QueryNode.Child, of node: QueryNode, from rows: String) -> String {
        child.relation.related(of: node.table.name, child.node.table, from: rows)
    }

    private func add(to node: QueryNode, _ rows: String) throws {
        try db.execute(sql: "INSERT OR IGNORE INTO \(Self.table(node)) \(rows)")
    }
}
