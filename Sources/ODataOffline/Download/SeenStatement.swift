import GRDB
import ODataModel
import ODataSQL
import ODataSQLite

/// Finds a row that was received unchanged, and records it as seen instead of writing it to the stage.
///
/// ```sql
/// SELECT "$id" FROM "Orders" AS l
/// WHERE l."OrderID" = ? AND l."$holders0" & 1 <> 0 AND (l."$etag") IS (?) …
/// ```
final class SeenStatement {
    /// The columns that must be equal besides the key.
    enum Comparison {
        /// None: the key alone shows that the entity still exists.
        case nothing
        /// The ETags of the entity and its streams: another query may not have written a newer version of the entity
        /// with fewer properties.
        case etags
        /// Every value too.
        case values
    }

    private let statement: BulkStatement
    /// Removes the earlier version of the entity from the stage.
    private let removal: BulkStatement
    private let keys: RowColumns
    private let values: RowColumns
    private let control: RowControl
    private let comparison: Comparison
    private let isContained: Bool
    private let seen: SeenRows

    init(node: QueryNode, shape: RowShape, comparison: Comparison, seen: SeenRows, in db: Database) throws {
        let table = node.table
        self.seen = seen
        self.comparison = comparison
        isContained = table.container != nil
        let keyNames = table.keyColumns
        keys = RowColumns(
            keyNames.compactMap { name in table.columns.first { $0.name == name } }, of: table, shape: shape)
        values = RowColumns(table.columns.filter { !keyNames.contains($0.name) }, of: table, shape: shape)
        control = RowControl(of: node, shape: shape)
        let sameKey = keyNames.map { "l.\(quoted($0)) = \($0 == HiddenColumn.single.name ? "1" : "?")" }
        removal = try BulkStatement(
            "DELETE FROM \(quoted(node.stage)) AS l WHERE \(sameKey.joined(separator: " AND "))", in: db)
        var conditions = sameKey
        conditions.append("l.\(quoted(node.slot.column)) & \(node.slot.bit) <> 0")
        let types: [String: String] = node.asked.streams.reduce(into: [:]) { types, stream in
            types[stream.type] = stream.keptType(told: "?", in: ["l"])
        }
        let told = control.service.map { "l.\(quoted($0)) IS \(types[$0] ?? "?")" }.joined(separator: " AND ")
        switch comparison {
        case .nothing: break
        case .etags:
            conditions.append("l.\(.download) >= 0")
            conditions.append(told)
        case .values:
            let columns = values.columns.map { column in
                // An instant with another offset is the same instant, but not the same value.
                "l.\(quoted(column.name))\(column.codec == .instantText ? " COLLATE BINARY" : "")"
            }
            // With waiting changes the row does not contain the received version.
            conditions.append("l.\(.state) & \(LocalState.pending.rawValue) = 0")
            conditions += [told, Self.same(control.hidden.map { "l.\(quoted($0))" } + columns)].filter { !$0.isEmpty }
        }
        statement = try BulkStatement(
            """
            SELECT \(.id) FROM \(quoted(table.name)) AS l WHERE \(conditions.joined(separator: " AND "))
            """, in: db)
    }

    private static func same(_ columns: [String]) -> String {
        columns.map { "\($0) IS ?" }.joined(separator: " AND ")
    }

    /// The id of the unchanged row; nil if there is none.
    func find(
        _ header: RowHeader, of block: RowBlock, base: UnsafePointer<UInt8>, parent: Int64?
    ) throws -> Int64? {
        var index: Int32 = 1
        if isContained {
            try statement.bind(index, integer: parent ?? 0)
            index += 1
        }
        try keys.bind(header, of: block, base: base, to: statement, from: &index)
        if comparison != .nothing {
            try control.bindService(header, of: block, base: base, to: statement, from: &index)
        }
        if comparison == .values {
            try control.bindHidden(header, of: block, base: base, to: statement, from: &index)
            try values.bind(header, of: block, base: base, to: statement, from: &index)
        }
        guard let row = try statement.runReturningIntegerIfAny() else { return nil }
        try seen.insert(row)
        return row
    }

    /// An entity that was received before in the same result, with other values, has the last values.
    func unstage(_ header: RowHeader, of block: RowBlock, base: UnsafePointer<UInt8>, parent: Int64?) throws {
        var index: Int32 = 1
        if isContained {
            try removal.bind(index, integer: parent ?? 0)
            index += 1
        }
        try keys.bind(header, of: block, base: base, to: removal, from: &index)
        try removal.run()
    }
}
