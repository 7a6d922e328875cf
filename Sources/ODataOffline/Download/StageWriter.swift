import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Puts blocks of rows into the stage tables of a query. Lives for one transaction.
final class StageWriter {
    private let db: Database
    private let offline: OfflineModel
    private let values: StoreValues
    private let root: NodeWriter
    private var lastID: Int64
    /// The node and stage id of the row last written at each depth.
    private var trail: [(writer: NodeWriter, id: Int64)] = []
    /// Entities of depth 0 that were written or taken away.
    private(set) var rows = 0
    /// A change to a link has come, which stages cannot take: the query must be read as a whole.
    private(set) var needsFullRead = false

    init(root: QueryNode, shape: RowShape, offline: OfflineModel, in db: Database) throws {
        self.db = db
        self.offline = offline
        values = StoreValues(db: db)
        self.root = try NodeWriter(node: root, shape: shape, link: nil, in: db)
        lastID = try values.counter
    }

    /// - Parameter isDelta: The rows are changes: one that does not have all the query asks for cannot be taken.
    func write(_ block: RowBlock, isDelta: Bool) throws {
        let empty: [UInt8] = [0]
        try (block.buffer.isEmpty ? empty : block.buffer).withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for row in block.rows.indices {
                switch block.rows[row].change {
                case .entity:
                    let writer = try write(row, of: block, base: base)
                    if isDelta, !isComplete(row, of: block, writer.shape) { needsFullRead = true }
                case .deleted: try remove(row, of: block, isDeleted: true)
                case .left: try remove(row, of: block, isDeleted: false)
                case .addedLink, .deletedLink: needsFullRead = true
                }
            }
        }
    }

    /// Whether an entity has all properties and expanded relations of its shape.
    private func isComplete(_ row: Int, of block: RowBlock, _ shape: RowShape) -> Bool {
        let header = block.rows[row]
        let first = Int(header.firstSlot)
        let children = shape.children.indices.reduce(UInt64(0)) { $0 | 1 << UInt64(min($1, 63)) }
        guard header.presentChildren & children == children else { return false }
        // Other types' properties and dynamic ones may be absent.
        return !shape.properties.indices.contains { slot in
            block.slots[first + slot].kind == .absent && slot != shape.dynamicSlot
                && shape.type(of: header).property(named: shape.properties[slot].name) != nil
        }
    }

    /// Keeps the ids that were given out.
    func finish() throws { try values.set("counter", lastID) }

    private func write(_ row: Int, of block: RowBlock, base: UnsafePointer<UInt8>) throws -> NodeWriter {
        let header = block.rows[row]
        let depth = Int(header.depth)
        guard depth <= trail.count else {
            throw ODataError(.invalidResponse, "The service sent expanded entities without the entity they belong to.")
        }
        trail.removeSubrange(depth...)
        guard let writer = depth == 0 ? root : trail[depth - 1].writer.child(Int(header.child)) else {
            throw ODataError(.invalidResponse, "The service sent expanded entities that were not asked for.")
        }
        lastID += 1
        let id = try writer.write(row, of: block, base: base, id: lastID)
        if depth == 0 { rows += 1 } else { try writer.link(from: trail[depth - 1].id, to: id) }
        trail.append((writer, id))
        return writer
    }

    /// `{"@removed":{"reason":"deleted"},"@id":"Orders(1)"}`
    private func remove(_ row: Int, of block: RowBlock, isDeleted: Bool) throws {
        guard block.rows[row].depth == 0 else {
            needsFullRead = true
            return
        }
        guard let key = key(of: row, in: block) else {
            needsFullRead = true
            return
        }
        rows += 1
        try root.remove(key, isDeleted: isDeleted, in: db)
    }

    private func key(of row: Int, in block: RowBlock) -> EntityKey? {
        if let key = block.key(row: row, shape: root.shape) { return key }
        return block.text(block.rows[row].id).flatMap { offline.key(inID: $0, of: root.node.table.set) }
    }
}

/// Writes the rows of one node, and knows the writers of those below it.
final class NodeWriter {
    let node: QueryNode
    let shape: RowShape
    private let statement: StageStatement
    private let links: LinkStatement?
    /// By the children of the shape.
    private let children: [NodeWriter?]

    init(node: QueryNode, shape: RowShape, link: LinkStatement?, in db: Database) throws {
        self.node = node
        self.shape = shape
        links = link
        var children: [NodeWriter?] = []
        var needsID = link != nil
        for child in shape.children {
            guard let below = node.children.first(where: { $0.navigation == child.navigation.name }) else {
                children.append(nil)
                continue
            }
            let link = try LinkStatement(below, in: db)
            if link != nil { needsID = true }
            children.append(try NodeWriter(node: below.node, shape: child.shape, link: link, in: db))
        }
        self.children = children
        statement = try StageStatement(node: node, shape: shape, returnsID: needsID, in: db)
    }

    func child(_ index: Int) -> NodeWriter? { children.indices.contains(index) ? children[index] : nil }

    func write(_ row: Int, of block: RowBlock, base: UnsafePointer<UInt8>, id: Int64) throws -> Int64 {
        try statement.write(row, of: block, base: base, id: id)
    }

    func link(from parent: Int64, to id: Int64) throws { try links?.write(parent, id) }

    func remove(_ key: EntityKey, isDeleted: Bool, in db: Database) throws {
        let row = try KeyCondition(table: node.table, key: key)
        try db.execute(sql: "DELETE FROM \(quoted(node.stage)) WHERE \(row.sql)", arguments: row.arguments)
        try db.execute(sql: "DELETE FROM \(quoted(node.gone)) WHERE \(row.sql)", arguments: row.arguments)
        let marks = Array(repeating: "?", count: node.table.keyColumns.count + 1).joined(separator: ", ")
        try db.execute(
            sql: "INSERT INTO \(quoted(node.gone)) VALUES (\(marks))", arguments: row.arguments + [isDeleted])
    }
}

/// Puts links between stage rows into their table.
final class LinkStatement {
    private let statement: BulkStatement
    private let isReversed: Bool

    /// Nil where the relation has columns.
    init?(_ child: QueryNode.Child, in db: Database) throws {
        guard case .link(_, let isReversed) = child.relation else { return nil }
        self.isReversed = isReversed
        statement = try BulkStatement(
            #"INSERT OR IGNORE INTO \#(quoted(child.node.stageLinks)) ("source", "target") VALUES (?, ?)"#, in: db)
    }

    func write(_ parent: Int64, _ child: Int64) throws {
        statement.bind(1, integer: isReversed ? child : parent)
        statement.bind(2, integer: isReversed ? parent : child)
        try statement.run()
    }
}
