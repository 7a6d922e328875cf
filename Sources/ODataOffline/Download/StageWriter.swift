import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Writes blocks of rows to the stage tables of a query. It is valid for one transaction.
final class StageWriter {
    /// A row of which a page contains more related entities, and their navigation property.
    struct Parent {
        var id: Int64
        var child: QueryNode.Child
    }

    /// A position in the preorder of rows.
    struct Place {
        var writer: NodeWriter
        /// The id of the row, in the stage, or in the live table if it is unchanged.
        var id: Int64
        /// The row's position in the block.
        var row: Int
    }

    let db: Database
    let offline: OfflineModel
    private let values: StoreValues
    let root: NodeWriter
    private let content: PageContent
    private let parent: Parent?
    private var lastID: Int64
    /// The row last written at each depth.
    private var trail: [Place] = []
    /// Entities of depth 0 that were written or removed.
    private(set) var rows = 0
    private var changes: DeltaWriter?
    /// Whether an expanded collection of the block has a next link.
    private var hasLinks = false
    /// The reason why the received changes cannot be applied, so that the query must be read as a whole; nil if they
    /// can.
    private var obstacle: String?

    init(
        root: QueryNode, shape: RowShape, content: PageContent, offline: OfflineModel, below parent: Parent? = nil,
        in db: Database
    ) throws {
        self.db = db
        self.offline = offline
        self.content = content
        self.parent = parent
        values = StoreValues(db: db)
        let link = try parent.flatMap { try LinkStatement($0.child, in: db) }
        self.root = try NodeWriter(node: root, shape: shape, content: content, link: link, in: db)
        lastID = try values.counter
        if case .changes = content { changes = DeltaWriter(root: self.root, offline: offline, in: db) }
    }

    /// All blocks of a transaction.
    ///
    /// - Throws: ``DownloadStepError`` `rejected` if the changes cannot be applied.
    func stage(_ blocks: [RowBlock]) throws {
        for block in blocks { try stage(block) }
        try finish()
        if let obstacle { throw DownloadStepError.rejected(obstacle) }
    }

    private func stage(_ block: RowBlock) throws {
        var block = block
        try changes?.completeKeys(in: &block)
        hasLinks = block.expansions.contains { $0.nextLink != nil }
        let empty: [UInt8] = [0]
        try (block.buffer.isEmpty ? empty : block.buffer).withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            var row = 0
            // After a rejection further rows are ignored.
            while row < block.rows.count, changes?.obstacle == nil {
                if block.rows[row].isEntity {
                    try stageRow(row, of: block, base: base)
                    row += 1
                } else {
                    try change(row, of: block)
                    row = block.end(of: row)
                }
            }
        }
        obstacle = obstacle ?? changes?.obstacle
        if root.hasOutdated {
            obstacle =
                "Entities of \(root.node.table.set.name) have changed without a change of the property that indicates changes."
        }
    }

    /// Saves the assigned ids and the seen rows.
    private func finish() throws {
        try root.finish()
        try values.set("counter", lastID)
    }

    private func stageRow(_ row: Int, of block: RowBlock, base: UnsafePointer<UInt8>) throws {
        let header = block.rows[row]
        let depth = Int(header.depth)
        guard depth <= trail.count else {
            throw ODataError(.invalidResponse, "The service sent expanded entities without the entity they belong to.")
        }
        trail.removeSubrange(depth...)
        let isRelated = header.change == .relatedEntity
        let found = depth > 0 ? trail[depth - 1].writer.child(Int(header.child)) : try writer(for: header)
        if isRelated, changes?.takesRelated(found) == false { return }
        guard let writer = found else {
            throw ODataError(.invalidResponse, "The service sent expanded entities that were not requested.")
        }
        lastID += 1
        let above = depth > 0 ? trail[depth - 1].id : isRelated ? nil : parent?.id
        let id: Int64
        if let changes {
            id = try changes.write(row, of: block, base: base, id: lastID, parent: above, by: writer)
        } else {
            id = try writer.write(header, of: block, base: base, id: lastID, parent: above)
        }
        if depth == 0 { rows += 1 }
        if let above { try writer.link(from: above, to: id) }
        if hasLinks { try keepLinks(of: row, in: block, id: id, by: writer) }
        trail.append(Place(writer: writer, id: id, row: row))
    }

    private func writer(for header: RowHeader) throws -> NodeWriter? {
        if let changes { return changes.writer(for: header) }
        guard header.change == .entity else { throw unexpectedChange }
        return root
    }

    private func change(_ row: Int, of block: RowBlock) throws {
        guard let changes else { throw unexpectedChange }
        let depth = Int(block.rows[row].depth)
        if depth == 0 { rows += 1 }
        try changes.change(row, of: block, below: depth > 0 && depth <= trail.count ? trail[depth - 1] : nil)
    }

    private var unexpectedChange: ODataError {
        ODataError(.invalidResponse, "The service sent changes where the whole result was requested.")
    }

    /// Records the next links of expanded collections.
    private func keepLinks(of row: Int, in block: RowBlock, id: Int64, by writer: NodeWriter) throws {
        for expansion in block.expansions where expansion.row == row {
            guard let link = expansion.nextLink, let child = writer.child(expansion.child) else { continue }
            try db.execute(
                sql: "INSERT INTO \(quoted(child.node.more)) (\"parent\", \"link\") VALUES (?, ?)",
                arguments: [id, link])
        }
    }
}

extension RowHeader {
    /// Whether the row, or an expanded row below it, has values.
    var isEntity: Bool { change == .entity || change == .relatedEntity }
}
