import GRDB
import ODataModel
import ODataSQL
import ODataSQLite

/// The statement that writes one row of a node to its stage.
///
/// ```sql
/// INSERT INTO "$stage$0" ("$id", "$etag", "OrderID", …) VALUES (?, ?, ?, …)
/// ON CONFLICT ("OrderID") DO UPDATE SET "$etag" = excluded."$etag", … RETURNING "$id"
/// ```
///
/// A stage that gets its unique index later (``StageKeys``) takes every row.
struct StageStatement: ~Copyable {
    private let statement: BulkStatement
    private let columns: RowColumns
    private let control: RowControl
    private let isContained: Bool
    /// Whether links need the id of the row.
    private let returnsID: Bool

    /// - Parameter isIndexed: Whether the stage has its unique index.
    init(node: QueryNode, shape: RowShape, isIndexed: Bool, returnsID: Bool, in db: Database) throws {
        self.returnsID = returnsID && isIndexed
        let table = node.table
        columns = RowColumns(table.columns, of: table, shape: shape)
        control = RowControl(of: node, shape: shape)
        isContained = table.container != nil
        let parent = isContained ? [HiddenColumn.parent.name] : []
        let names = [HiddenColumn.id.name] + parent + control.service + control.hidden + columns.columns.map(\.name)
        let download = try StoreValues(db: db).download
        let keys = table.keyColumns
        let updates = names.dropFirst().filter { !keys.contains($0) }.map { "\(quoted($0)) = excluded.\(quoted($0))" }
        let repeated = """
            ON CONFLICT (\(table.keyList)) DO UPDATE SET \(updates.joined(separator: ", "))
            \(returnsID ? "RETURNING \(.id)" : "")
            """
        statement = try BulkStatement(
            """
            INSERT INTO \(quoted(node.stage)) (\(names.map(quoted).joined(separator: ", ")), \(.download))
            VALUES (\(Array(repeating: "?", count: names.count).joined(separator: ", ")), \(download))
            \(isIndexed ? repeated : "")
            """, in: db)
    }

    /// Writes a row with the id `id`; returns its id in the stage if requested.
    func write(
        _ header: RowHeader, of block: RowBlock, base: UnsafePointer<UInt8>, id: Int64, parent: Int64?
    ) throws -> Int64 {
        try statement.bind(1, integer: id)
        var index: Int32 = 2
        if isContained {
            try statement.bind(index, integer: parent ?? 0)
            index += 1
        }
        try control.bindService(header, of: block, base: base, to: statement, from: &index)
        try control.bindHidden(header, of: block, base: base, to: statement, from: &index)
        try columns.bind(header, of: block, base: base, to: statement, from: &index)
        if returnsID { return try statement.runReturningInteger() }
        try statement.run()
        return id
    }
}
