import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// One place in a defining query's tree of expansions: its root, or an expanded navigation property.
///
/// Each node holds rows on its own, so that a row that came by two ways stays until both have let it go.
struct QueryNode: Sendable {
    struct Child: Sendable {
        var navigation: String
        var relation: LocalRelation
        var node: QueryNode
    }

    var slot: HolderSlot
    /// `` for the root, `Items/Product` below.
    var path: String
    var table: LocalTable
    /// The columns the query asks for: others are not touched by what comes.
    var columns: [LocalColumn]
    var children: [Child]

    /// This node and all below it, outermost first.
    var all: [QueryNode] { [self] + children.flatMap(\.node.all) }

    /// Where its rows are until they are published.
    var stage: String { "$stage$\(slot.number)" }
    /// The keys of entities that a delta takes away.
    var gone: String { "$gone$\(slot.number)" }
    /// The ids of rows of the live table that have come again as they are.
    var seen: String { "$seen$\(slot.number)" }
    /// Stage rows of the parent whose related entities have come, all of them.
    var resent: String { "$resent$\(slot.number)" }
    /// Links from the parent that came or went, by the ids of the entities.
    var linkChanges: String { "$linkchanges$\(slot.number)" }
    /// Where the rest of collections is that did not come with their entity as a whole.
    var more: String { "$more$\(slot.number)" }
    /// The tables that a download makes for the node.
    var stages: [String] { [stage, gone, seen, resent, linkChanges, more, stageLinks] }
    /// Links from the parent's stage rows to this node's, where the relation has no columns.
    var stageLinks: String { "$stagelinks$\(slot.number)" }
}

/// Makes the nodes of a query, with slots that no other node has.
struct QueryNodeBuilder {
    let db: Database
    let offline: OfflineModel
    let query: Int64

    func tree(for bound: BoundQuery) throws -> QueryNode {
        let bound = try bound.unrolled(model: offline.model)
        guard let table = offline.table(at: bound.path) else {
            throw ODataError(.badRequest, "A defining query must lead to the entities of a set.")
        }
        return try node(path: "", table: table, options: bound.options)
    }

    private func node(path: String, table: LocalTable, options: QueryOptions) throws -> QueryNode {
        let slot = try slot(path: path, set: table.set)
        var children: [QueryNode.Child] = []
        for item in options.expand {
            guard let relation = offline.schema.relation(of: table.set.name, item.navigation.name) else { continue }
            let target = try offline.schema.table(named: relation.targetSet)
            let below = path.isEmpty ? item.navigation.name : "\(path)/\(item.navigation.name)"
            children.append(
                .init(
                    navigation: item.navigation.name, relation: relation,
                    node: try node(path: below, table: target, options: item.options)))
        }
        let node = QueryNode(
            slot: slot, path: path, table: table, columns: columns(of: table, options: options), children: children)
        try db.execute(
            sql: #"UPDATE "$node" SET "columns" = ? WHERE "slot" = ? AND "columns" IS NOT ?"#,
            arguments: [node.columnNames, slot.number, node.columnNames])
        return node
    }

    private func columns(of table: LocalTable, options: QueryOptions) -> [LocalColumn] {
        let select = options.select ?? []
        guard !select.isEmpty, !select.contains(.all) else { return table.columns }
        var names: Set<String> = []
        for item in select {
            switch item {
            case .property(let path): if let first = path.first { names.insert(first.name) }
            case .path(let steps, _):
                for case .property(let property) in steps.prefix(2) { names.insert(property.name) }
            case .all, .navigation, .operation: break
            }
        }
        return table.columns.filter { $0.isKey || names.contains($0.property.name) }
    }

    private func slot(path: String, set: EntitySet) throws -> HolderSlot {
        if let known = try Int.fetchOne(
            db, sql: #"SELECT "slot" FROM "$node" WHERE "query" = ? AND "path" = ?"#, arguments: [query, path])
        {
            return HolderSlot(known)
        }
        let taken = try Set(Int.fetchAll(db, sql: #"SELECT "slot" FROM "$node""#))
        let slot = HolderSlot((0...taken.count).first { !taken.contains($0) } ?? taken.count)
        try db.execute(
            sql: #"INSERT INTO "$node" ("slot", "query", "path", "set") VALUES (?, ?, ?, ?)"#,
            arguments: [slot.number, query, path, set.name])
        try TableMaker(db: db, schema: offline.schema).makeHolderWords(upTo: slot.word)
        return slot
    }
}
