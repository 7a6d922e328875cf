import GRDB
import ODataSQL
import ODataSQLite

/// The rows that changes of a query may have released or moved: received, removed and claimed rows (`LooseRows`), and
/// their related rows.
///
/// They are collected before the changes are merged, with the old navigation properties, and again afterwards, so that
/// the cost after a refresh depends on the number of changes and not on the size of the store.
struct TouchedRows {
    let db: Database
    let root: QueryNode

    /// The condition on the rows of a node's table under the name `name`.
    static func condition(_ node: QueryNode, _ name: String) -> String {
        "\(name).\(.id) IN (SELECT \"row\" FROM \(table(node)))"
    }

    private static func table(_ node: QueryNode) -> String { "temp." + quoted("$touched$\(node.slot.number)") }

    /// Empties the tables.
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

    func insert(_ row: Int64, of node: QueryNode) throws { try insertRows(into: node, "SELECT \(row)") }

    /// Inserts the related rows of the entity `row` of `node`.
    func insertRelated(below row: Int64, of node: QueryNode, by child: QueryNode.Child) throws {
        try insertRows(into: child.node, related(child, of: node, from: "(SELECT \(row) AS \"row\")"))
    }

    private func collect(_ node: QueryNode) throws {
        try insertRows(into: node, #"SELECT "row" FROM \#(.claim) WHERE "slot" = \#(node.slot.number)"#)
        for staged in [node.stage, node.gone] {
            try insertRows(
                into: node,
                """
                SELECT l.\(.id) FROM \(quoted(staged)) AS s CROSS JOIN \(quoted(node.table.name)) AS l
                ON \(node.table.keysEqual("l", "s"))
                """)
        }
        for child in node.children {
            try insertRows(into: child.node, related(child, of: node, from: Self.table(node)))
            try collect(child.node)
        }
    }

    private func related(_ child: QueryNode.Child, of node: QueryNode, from rows: String) -> String {
        child.storage.related(of: node.table.name, child.node.table, from: rows)
    }

    private func insertRows(into node: QueryNode, _ rows: String) throws {
        try db.execute(sql: "INSERT OR IGNORE INTO \(Self.table(node)) \(rows)")
    }
}
