import GRDB
import ODataModel
import ODataSQL
import ODataSQLite

/// Writes entities with only some properties to a stage: the other properties are copied from the last version of the
/// service.
final class PartialRows {
    /// The properties of a row.
    private struct Content: Equatable {
        var properties: [Bool]
        var hasETag: Bool
        var hasMedia: Bool
        var hasType: Bool
        var hasDynamic: Bool
    }

    private let node: QueryNode
    private let shape: RowShape
    private let db: Database
    private var table: LocalTable { node.table }
    /// The statement for rows like the last one.
    private var last: (content: Content, update: PartialUpdate)?

    init(node: QueryNode, shape: RowShape, in db: Database) {
        self.node = node
        self.shape = shape
        self.db = db
    }

    /// The row's id in the stage; nil if neither the stage nor the store has the entity.
    func write(
        _ header: RowHeader, of block: RowBlock, base: UnsafePointer<UInt8>, id: Int64, key: EntityKey
    ) throws -> Int64? {
        let condition = try KeyCondition(table: table, key: key)
        guard let staged = try stagedID(condition) ?? takeOver(condition, id: id) else { return nil }
        try update(for: header, of: block)?.run(header, of: block, base: base, id: staged)
        return staged
    }

    private func stagedID(_ condition: KeyCondition) throws -> Int64? {
        try Int64.fetchOne(
            db, sql: "SELECT \(.id) FROM \(quoted(node.stage)) WHERE \(condition.sql)",
            arguments: condition.arguments)
    }

    /// Copies the last version of the service, which is in the shadow table for a row with local changes.
    private func takeOver(_ condition: KeyCondition, id: Int64) throws -> Int64? {
        guard try db.tableExists(table.name),
            let live = try Int64.fetchOne(
                db,
                sql: """
                    SELECT \(.id) FROM \(quoted(table.name))
                    WHERE \(condition.sql) AND \(quoted(node.slot.column)) & \(node.slot.bit) <> 0
                    """, arguments: condition.arguments)
        else { return nil }
        let control = [HiddenColumn.etag.name] + table.streams.flatMap(\.control)
        let columns = (control + table.hiddenColumns + table.columns.map(\.name)).map(quoted).joined(separator: ", ")
        for source in [table.theirsName, table.baseName, table.name] where try db.tableExists(source) {
            try db.execute(
                sql: """
                    INSERT INTO \(quoted(node.stage)) (\(.id), \(columns))
                    SELECT ?, \(columns) FROM \(quoted(source)) WHERE \(.id) = ?
                    """, arguments: [id, live])
            if db.changesCount > 0 { return id }
        }
        return nil
    }

    /// Nil if nothing of the entity itself was received.
    private func update(for header: RowHeader, of block: RowBlock) throws -> PartialUpdate? {
        let first = Int(header.firstSlot)
        let present = shape.properties.indices.map { slot in
            slot != shape.dynamicSlot && block.slots[first + slot].kind != .absent
                && !table.set.type.key.contains(shape.properties[slot].name)
        }
        let content = Content(
            properties: present, hasETag: !header.etag.isNone, hasMedia: header.media > 0, hasType: header.type > 0,
            hasDynamic: shape.dynamicSlot.map { block.slots[first + $0].kind == .json } ?? false)
        if let last, last.content == content { return last.update }
        let columns = table.columns.filter { shape.slot(of: $0.property.name).map { present[$0] } ?? false }
        guard !columns.isEmpty || content.hasETag || content.hasMedia || content.hasDynamic else { return nil }
        let update = try PartialUpdate(
            node: node, shape: shape, columns: columns, hasMedia: content.hasMedia,
            setsType: content.hasType && table.hiddenColumns.contains(HiddenColumn.type.name),
            mergesDynamic: content.hasDynamic && node.asked.hidden.contains(HiddenColumn.dynamic.name), in: db)
        last = (content, update)
        return update
    }
}

/// Sets some columns of a stage row.
///
/// The entity has changed, so an ETag that was not received is unknown.
final class PartialUpdate {
    private let statement: BulkStatement
    private let columns: RowColumns
    private let control: RowControl
    private let hasMedia: Bool
    private let dynamicSlot: Int?
    private let setsType: Bool

    init(
        node: QueryNode, shape: RowShape, columns: [LocalColumn], hasMedia: Bool, setsType: Bool, mergesDynamic: Bool,
        in db: Database
    ) throws {
        self.columns = RowColumns(columns, of: node.table, shape: shape)
        control = RowControl(of: node, shape: shape)
        self.hasMedia = hasMedia
        self.setsType = setsType
        dynamicSlot = mergesDynamic ? shape.dynamicSlot : nil
        var names = hasMedia ? control.service : [HiddenColumn.etag.name]
        if setsType { names.append(HiddenColumn.type.name) }
        names += self.columns.columns.map(\.name)
        var assignments = names.map { "\(quoted($0)) = ?" }
        if mergesDynamic {
            let dynamic = HiddenColumn.dynamic.sqlName
            assignments.append("\(dynamic) = json_patch(coalesce(\(dynamic), '{}'), ?)")
        }
        statement = try BulkStatement(
            "UPDATE \(quoted(node.stage)) SET \(assignments.joined(separator: ", ")) WHERE \(.id) = ?", in: db)
    }

    func run(_ header: RowHeader, of block: RowBlock, base: UnsafePointer<UInt8>, id: Int64) throws {
        var index: Int32 = 1
        if hasMedia {
            try control.bindService(header, of: block, base: base, to: statement, from: &index)
        } else {
            try statement.bind(index, header.etag, base: base)
            index += 1
        }
        if setsType {
            try statement.bind(index, text: control.typeName(of: header))
            index += 1
        }
        try columns.bind(header, of: block, base: base, to: statement, from: &index)
        if let dynamicSlot {
            try statement.bind(index, block.slots[Int(header.firstSlot) + dynamicSlot].span, base: base)
            index += 1
        }
        try statement.bind(index, integer: id)
        try statement.run()
    }
}
