import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Writes the changes of a delta payload to the stage tables of a query: entities, possibly with changed properties
/// only, removals, and links.
///
/// A property or navigation property that a payload of changes omits has not changed. [OData-JSON, section 15]
final class DeltaWriter {
    private let root: NodeWriter
    private let offline: OfflineModel
    private let db: Database
    private var partial: [Int: PartialRows] = [:]
    /// The reason why the changes cannot be applied.
    private(set) var obstacle: String?

    init(root: NodeWriter, offline: OfflineModel, in db: Database) {
        self.root = root
        self.offline = offline
        self.db = db
    }

    /// Adds the key properties to rows that are identified only by their ids.
    func completeKeys(in block: inout RowBlock) throws {
        // Nil: nothing is known about nested entities.
        var trail: [NodeWriter?] = []
        for row in block.rows.indices {
            let header = block.rows[row]
            guard Int(header.depth) <= trail.count else { return }
            trail.removeSubrange(Int(header.depth)...)
            let above = trail.last ?? nil
            let found = header.depth == 0 ? writer(for: header) : above?.child(Int(header.child))
            trail.append(header.isEntity ? found : nil)
            guard header.isEntity, let writer = found else { continue }
            let shape = writer.shape
            guard shape.keySlots != nil, block.key(row: row, shape: shape) == nil, let id = block.text(header.id),
                let key = offline.key(inID: id, of: writer.node.table.set)
            else { continue }
            for component in key.components {
                guard let slot = shape.slot(of: component.name) else { continue }
                block.append(component.value, type: shape.properties[slot].type, model: shape.model)
                block.slots[Int(header.firstSlot) + slot] = block.slots.removeLast()
            }
        }
    }

    /// The writer of an entity of depth 0; nil for one that nothing leads to.
    func writer(for header: RowHeader) -> NodeWriter? {
        guard header.change == .relatedEntity else { return root }
        let related = root.shape.related
        guard related.indices.contains(Int(header.child)) else { return nil }
        return related[Int(header.child)].path.reduce(root) { $0?.child($1) }
    }

    /// Whether an entity of another set can be assigned: it belongs to all nodes of its set, which hold it if their
    /// parents lead to it.
    func takesRelated(_ writer: NodeWriter?) -> Bool {
        guard let node = writer?.node else {
            stop("The delta contains an entity of a set that the query does not lead to.")
            return false
        }
        let set = node.table.set.name
        guard node.table.container == nil, root.node.all.filter({ $0.table.set.name == set }).count == 1 else {
            stop("The delta contains a contained entity of \(set) without its parent.")
            return false
        }
        return true
    }

    /// Writes an added or changed entity; returns its id in the stage.
    func write(
        _ row: Int, of block: RowBlock, base: UnsafePointer<UInt8>, id: Int64, parent: Int64?, by writer: NodeWriter
    ) throws -> Int64 {
        let header = block.rows[row]
        let node = writer.node
        var written = id
        if Self.isComplete(header, of: block, writer.shape) {
            written = try writer.write(header, of: block, base: base, id: id, parent: parent)
        } else if node.table.container == nil, let key = block.key(row: row, shape: writer.shape),
            let found = try partialRows(of: writer).write(header, of: block, base: base, id: id, key: key)
        {
            written = found
        } else {
            stop(
                "The delta contains a change of an entity of \(node.table.set.name) that is not in the store, "
                    + "without all its values.")
        }
        for (index, child) in writer.shape.children.enumerated() {
            let isPresent = header.presentChildren & (1 << UInt64(min(index, 63))) != 0
            guard isPresent, let below = node.child(for: child) else {
                continue
            }
            try db.execute(
                sql: "INSERT OR IGNORE INTO \(quoted(below.node.resent)) VALUES (?)", arguments: [written])
        }
        return written
    }

    private func partialRows(of writer: NodeWriter) -> PartialRows {
        let slot = writer.node.slot.number
        if let known = partial[slot] { return known }
        let made = PartialRows(node: writer.node, shape: writer.shape, in: db)
        partial[slot] = made
        return made
    }

    /// Whether an entity has all requested properties of its type.
    private static func isComplete(_ header: RowHeader, of block: RowBlock, _ shape: RowShape) -> Bool {
        let first = Int(header.firstSlot)
        // Other types' properties and dynamic ones may be absent.
        return !shape.properties.indices.contains { slot in
            block.slots[first + slot].kind == .absent && slot != shape.dynamicSlot
                && shape.type(of: header).property(named: shape.properties[slot].name) != nil
        }
    }

    private func stop(_ reason: String) { obstacle = obstacle ?? reason }
}

extension DeltaWriter {
    /// A removal or a link.
    ///
    /// - Parameter place: The row that a nested change belongs to.
    func change(_ row: Int, of block: RowBlock, below place: StageWriter.Place?) throws {
        let header = block.rows[row]
        switch header.change {
        case .entity, .relatedEntity: break
        case .deleted: try remove(row, of: block, isDeleted: true, below: place)
        case .left: try remove(row, of: block, isDeleted: false, below: place)
        case .addedLink: try link(header, of: block, isAdded: true)
        case .deletedLink: try link(header, of: block, isAdded: false)
        }
    }

    /// `{"@removed":{"reason":"deleted"},"@id":"Orders(1)"}`
    private func remove(_ row: Int, of block: RowBlock, isDeleted: Bool, below place: StageWriter.Place?) throws {
        let header = block.rows[row]
        guard header.depth == 0 else {
            return try removeNested(row, of: block, isDeleted: isDeleted, below: place)
        }
        if let key = key(of: row, in: block, root) { return try remove(key, of: root.node, isDeleted: isDeleted) }
        let id = block.text(header.id) ?? ""
        var isKnown = false
        for node in root.node.all.dropFirst() {
            guard let key = offline.key(inID: id, of: node.table.set), node.table.container == nil else { continue }
            try remove(key, of: node, isDeleted: isDeleted)
            isKnown = true
        }
        if !isKnown { stop("The removal of \(id.prefix(200)) names no entity of the query.") }
    }

    /// `"Items@delta":[{"@removed":{"reason":"changed"},"LineNo":1}]`: with the reason `changed` the entity does not
    /// belong to this one any more.
    private func removeNested(_ row: Int, of block: RowBlock, isDeleted: Bool, below place: StageWriter.Place?) throws {
        let header = block.rows[row]
        guard let place, let writer = place.writer.child(Int(header.child)), writer.node.table.container == nil,
            let member = key(of: row, in: block, writer),
            let child = place.writer.node.children.first(where: { $0.node.slot == writer.node.slot })
        else { return stop("The delta removes a related entity that cannot be identified.") }
        if !isDeleted, case .link = child.storage, let parent = key(of: place.row, in: block, place.writer) {
            return try changeLink(
                ResourcePath(place.writer.node.table.set, key: parent),
                ResourcePath(writer.node.table.set, key: member), to: child.node, isAdded: false)
        }
        try remove(member, of: writer.node, isDeleted: isDeleted)
    }

    private func remove(_ key: EntityKey, of node: QueryNode, isDeleted: Bool) throws {
        let row = try KeyCondition(table: node.table, key: key)
        try db.execute(sql: "DELETE FROM \(quoted(node.stage)) WHERE \(row.sql)", arguments: row.arguments)
        try db.execute(sql: "DELETE FROM \(quoted(node.gone)) WHERE \(row.sql)", arguments: row.arguments)
        let marks = (row.terms + ["?"]).joined(separator: ", ")
        try db.execute(
            sql: "INSERT INTO \(quoted(node.gone)) VALUES (\(marks))", arguments: row.arguments + [isDeleted])
    }

    /// `{"@context":"#Orders/$link","source":"Orders(1)","relationship":"Tags","target":"Tags(2)"}`
    private func link(_ header: RowHeader, of block: RowBlock, isAdded: Bool) throws {
        guard let source = block.text(header.id), let name = block.text(header.link),
            let target = block.text(header.linkTarget)
        else { return stop("The delta contains a link without its source or target.") }
        for node in root.node.all {
            for child in node.children where child.name == name && child.node.table.container == nil {
                guard let parent = path(inID: source, of: node.table.set),
                    let member = path(inID: target, of: child.node.table.set)
                else { continue }
                try changeLink(parent, member, to: child.node, isAdded: isAdded)
            }
        }
    }

    private func path(inID id: String, of set: EdmEntitySet) -> ResourcePath? {
        guard set.kind == .singleton else { return offline.key(inID: id, of: set).map { ResourcePath(set, key: $0) } }
        return id == set.name || id.hasSuffix("/" + set.name) ? ResourcePath(set, key: nil) : nil
    }

    private func changeLink(_ source: ResourcePath, _ target: ResourcePath, to child: QueryNode, isAdded: Bool) throws {
        try db.execute(
            sql: """
                INSERT INTO \(quoted(child.linkChanges)) ("source", "target", "added") VALUES (?, ?, ?)
                """, arguments: [source.url, target.url, isAdded])
    }

    private func key(of row: Int, in block: RowBlock, _ writer: NodeWriter) -> EntityKey? {
        if let key = block.key(row: row, shape: writer.shape) { return key }
        return block.text(block.rows[row].id).flatMap { offline.key(inID: $0, of: writer.node.table.set) }
    }
}
