import GRDB
import ODataModel
import ODataSQL
import ODataSQLite

/// When only keys are read, determines whether an entity has a different ETag although no change of it was received.
///
/// ```sql
/// SELECT 1 FROM "Orders" AS l WHERE l."OrderID" = ? AND l."$holders0" & 1 <> 0 AND l."$etag" IS NOT ?
/// AND NOT EXISTS (SELECT 1 FROM "$stage$0" AS s WHERE l."OrderID" = s."OrderID")
/// ```
final class OutdatedStatement {
    private let statement: BulkStatement
    private let keys: RowColumns

    init(node: QueryNode, shape: RowShape, in db: Database) throws {
        let table = node.table
        keys = RowColumns(
            table.keyColumns.compactMap { name in table.columns.first { $0.name == name } }, of: table, shape: shape)
        let sameKey = table.keyColumns.map { "l.\(quoted($0)) = \($0 == HiddenColumn.single.name ? "1" : "?")" }
        statement = try BulkStatement(
            """
            SELECT 1 FROM \(quoted(table.name)) AS l WHERE \(sameKey.joined(separator: " AND "))
            AND l.\(quoted(node.slot.column)) & \(node.slot.bit) <> 0 AND l.\(.etag) IS NOT ?
            AND NOT EXISTS (SELECT 1 FROM \(quoted(node.stage)) AS s WHERE \(table.keysEqual("l", "s")))
            """, in: db)
    }

    func isOutdated(_ header: RowHeader, of block: RowBlock, base: UnsafePointer<UInt8>) throws -> Bool {
        guard !header.etag.isNone else { return false }
        var index: Int32 = 1
        try keys.bind(header, of: block, base: base, to: statement, from: &index)
        try statement.bind(index, header.etag, base: base)
        return try statement.runReturningIntegerIfAny() != nil
    }
}
