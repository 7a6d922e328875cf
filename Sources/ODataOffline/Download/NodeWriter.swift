import GRDB
import ODataModel
import ODataSQL
import ODataSQLite

/// The kind of rows of a page.
enum PageContent: Hashable {
    /// Part of the whole result. `isKnown`: the query was read before, so rows may be unchanged.
    case result(isKnown: Bool)
    /// Changes.
    case changes
    /// Keys only.
    case keys
}

/// Writes the rows of one node and has the writers of its children.
final class NodeWriter {
    let node: QueryNode
    let shape: RowShape
    private let statement: StageStatement
    private let seenByETag: SeenStatement?
    private let seenByValue: SeenStatement?
    private let seen: SeenRows?
    /// Set if only keys are read.
    private let outdated: OutdatedStatement?
    /// Whether an entity was received with a different ETag but without a change.
    private(set) var hasOutdated = false
    /// Whether the stage may have rows.
    private var hasStaged = false
    private let links: LinkStatement?
    /// By the children of the shape.
    private let children: [NodeWriter?]

    init(
        node: QueryNode, shape: RowShape, content: PageContent, link: LinkStatement?, in db: Database
    ) throws {
        self.node = node
        self.shape = shape
        links = link
        var children: [NodeWriter?] = []
        var needsID = link != nil
        for child in shape.children {
            guard let below = node.child(for: child) else {
                children.append(nil)
                continue
            }
            let link = try LinkStatement(below, in: db)
            if link != nil || below.node.table.container != nil { needsID = true }
            children.append(
                try NodeWriter(node: below.node, shape: child.shape, content: content, link: link, in: db))
        }
        self.children = children
        if case .changes = content { needsID = true }
        statement = try StageStatement(
            node: node, shape: shape, isIndexed: StageKeys.areIndexed(in: node, db), returnsID: needsID, in: db)
        switch content {
        case .result(isKnown: true) where try db.tableExists(node.table.name):
            let seen = try SeenRows(of: node, in: db)
            self.seen = seen
            hasStaged =
                try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(quoted(node.stage)))") ?? false
            seenByETag =
                try node.etagTellsAll(in: db)
                ? SeenStatement(node: node, shape: shape, comparison: .etags, seen: seen, in: db) : nil
            seenByValue = try SeenStatement(node: node, shape: shape, comparison: .values, seen: seen, in: db)
            outdated = nil
        case .keys:
            let seen = try SeenRows(of: node, in: db)
            self.seen = seen
            seenByETag = nil
            seenByValue = try SeenStatement(node: node, shape: shape, comparison: .nothing, seen: seen, in: db)
            outdated = try OutdatedStatement(node: node, shape: shape, in: db)
        case .result, .changes:
            (seenByETag, seenByValue, seen, outdated) = (nil, nil, nil, nil)
        }
    }

    func child(_ index: Int) -> NodeWriter? { children.indices.contains(index) ? children[index] : nil }

    /// The row's id: that of the stage, or of the live table if it is unchanged.
    func write(
        _ header: RowHeader, of block: RowBlock, base: UnsafePointer<UInt8>, id: Int64, parent: Int64?
    ) throws -> Int64 {
        if try outdated?.isOutdated(header, of: block, base: base) == true { hasOutdated = true }
        if let seen = header.etag.isNone ? seenByValue : seenByETag ?? seenByValue,
            let known = try seen.find(header, of: block, base: base, parent: parent)
        {
            if hasStaged { try seen.unstage(header, of: block, base: base, parent: parent) }
            return known
        }
        // New entities are returned by the next download of changes.
        if outdated != nil { return id }
        hasStaged = true
        return try statement.write(header, of: block, base: base, id: id, parent: parent)
    }

    /// Writes the collected seen rows, also of the children.
    func finish() throws {
        try seen?.finish()
        for case let child? in children { try child.finish() }
    }

    func link(from parent: Int64, to id: Int64) throws { try links?.insertLink(from: parent, to: id) }
}

/// Puts links between rows into their table.
final class LinkStatement {
    private let statement: BulkStatement
    private let isReversed: Bool

    /// Nil if the navigation property is stored in columns.
    init?(_ child: QueryNode.Child, in db: Database) throws {
        guard case .link(_, let isReversed) = child.storage else { return nil }
        self.isReversed = isReversed
        statement = try BulkStatement(
            #"INSERT OR IGNORE INTO \#(quoted(child.node.stageLinks)) ("source", "target") VALUES (?, ?)"#, in: db)
    }

    func insertLink(from parent: Int64, to child: Int64) throws {
        try statement.bind(1, integer: isReversed ? child : parent)
        try statement.bind(2, integer: isReversed ? parent : child)
        try statement.run()
    }
}
