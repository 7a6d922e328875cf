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
    /// A property that comes: plain values, so that nothing is counted for every value of every row.
    private struct Bound {
        var slot: Int32
        var form: BulkForm
        var isKey: Bool
    }

    private let bound: [Bound]
    /// The columns of ``bound``.
    private let columns: [LocalColumn]
    private let streams: [LocalStream]
    /// Whether links need the id of the row.
    private let returnsID: Bool

    init(node: QueryNode, shape: RowShape, returnsID: Bool, in db: Database) throws {
        self.node = node
        self.returnsID = returnsID
        self.columns = node.table.columns.filter { shape.slot(of: $0.property.name) != nil }
        bound = self.columns.map { column in
            Bound(
                slot: Int32(shape.slot(of: column.property.name) ?? 0), form: BulkForm(column.codec),
                isKey: column.isKey)
        }
        streams = node.table.streams
        let control = ["$etag"] + node.table.streams.flatMap(\.control)
        let columns = ["$id"] + control + self.columns.map(\.name)
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
        statement.bind(2, header.etag, base: base)
        var index: Int32 = 3
        if !streams.isEmpty { bindStreams(of: header, in: block, from: &index) }
        for position in bound.indices {
            let bound = bound[position]
            let value = block.slots[Int(header.firstSlot + bound.slot)]
            let fits = statement.bind(index, value, base: base, form: bound.form)
            let isMissing = bound.isKey && (value.kind == .absent || value.kind == .null)
            guard fits, !isMissing else { throw misfit(columns[position], isMissing: isMissing) }
            index += 1
        }
        if returnsID { return try statement.runReturningInteger() }
        try statement.run()
        return id
    }

    private func bindStreams(of header: RowHeader, in block: RowBlock, from index: inout Int32) {
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
