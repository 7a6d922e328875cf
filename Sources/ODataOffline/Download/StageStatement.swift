import GRDB
import ODataModel
import ODataSQL
import ODataSQLite
import ODataStores

/// The statement that puts one row of a node into its stage.
///
/// ```sql
/// INSERT INTO "$stage$0" ("$id", "$etag", "OrderID", …) VALUES (?, ?, ?, …)
/// ON CONFLICT ("OrderID") DO UPDATE SET "$etag" = excluded."$etag", … RETURNING "$id"
/// ```
struct StageStatement: ~Copyable {
    let node: QueryNode
    private let statement: BulkStatement
    /// Column and slot of each property that comes.
    private let bound: [(column: LocalColumn, slot: Int)]
    /// Whether links need the id of the row.
    private let returnsID: Bool

    init(node: QueryNode, shape: RowShape, returnsID: Bool, in db: Database) throws {
        self.node = node
        self.returnsID = returnsID
        bound = node.table.columns.compactMap { column in shape.slot(of: column.property.name).map { (column, $0) } }
        let control = ["$etag"] + node.table.streams.flatMap(\.control)
        let columns = ["$id"] + control + bound.map(\.column.name)
        let keys = node.table.keyColumns
        let updates = columns.dropFirst().filter { !keys.contains($0) }.map { "\(quoted($0)) = excluded.\(quoted($0))" }
        statement = try BulkStatement(
            """
            INSERT INTO \(quoted(node.stage)) (\(columns.map(quoted).joined(separator: ", ")))
            VALUES (\(Array(repeating: "?", count: columns.count).joined(separator: ", ")))
            ON CONFLICT (\(keys.map(quoted).joined(separator: ", "))) DO UPDATE SET \(updates.joined(separator: ", "))
            \(returnsID ? "RETURNING \"$id\"" : "")
            """, in: db)
    }

    /// Writes row `row` of `block` under the id `id`; says which id it has in the stage, if that was asked for.
    func write(_ row: Int, of block: RowBlock, base: UnsafePointer<UInt8>, id: Int64) throws -> Int64 {
        let header = block.rows[row]
        statement.bind(1, integer: id)
        statement.bind(2, text: block.text(header.etag))
        var index: Int32 = 3
        bindStreams(of: header, in: block, from: &index)
        for (column, slot) in bound {
            let value = block.slots[Int(header.firstSlot) + slot]
            let fits = statement.bind(index, value, base: base, codec: column.codec)
            let isMissing = column.isKey && (value.kind == .absent || value.kind == .null)
            guard fits, !isMissing else { throw misfit(column, isMissing: isMissing) }
            index += 1
        }
        if returnsID { return try statement.runReturningInteger() }
        try statement.run()
        return id
    }

    private func bindStreams(of header: RowHeader, in block: RowBlock, from index: inout Int32) {
        let streams = node.table.streams
        guard !streams.isEmpty else { return }
        let media = header.media > 0 ? block.media[Int(header.media) - 1] : nil
        for stream in streams {
            let info = stream.property.map { media?.properties[$0] } ?? media?.entity
            for value in [info?.contentType, info?.etag, info?.readLink, info?.editLink] {
                statement.bind(index, text: value)
                index += 1
            }
        }
    }

    private func misfit(_ column: LocalColumn, isMissing: Bool) -> ODataError {
        let set = node.table.set.name
        let reason =
            isMissing
            ? "without the key property \(column.property.name)"
            : "whose \(column.property.name) is no \(column.property.type)"
        return ODataError(.invalidResponse, "The service sent an entity of \(set) \(reason).")
    }
}
