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
    /// Links from the parent's stage rows to this node's, where the relation has no columns.
    var stageLinks: String { "$stagelinks$\(slot.number)" }
}

/// Makes the nodes of a query, with slots that no other node has.
struct QueryNodeBuilder {
    let db: Database
    let offline: OfflineModel
    let query: Int64

    func tree(for bound: BoundQuery) throws -> QueryNode {
        guard let set = bound.path.entitySet else {
            throw ODataError(.badRequest, "A defining query must lead to the entities of a set.")
        }
        return try node(path: "", set: set, options: bound.options)
    }

    private func node(path: String, set: EntitySet, options: QueryOptions) throws -> QueryNode {
        let table = try offline.schema.table(of: set)
        let slot = try slot(path: path, set: set)
        var children: [QueryNode.Child] = []
        for item in options.expand {
            guard let target = item.targetSet,
                let relation = offline.schema.relation(of: set.name, item.navigation.name)
            else { continue }
            let below = path.isEmpty ? item.navigation.name : "\(path)/\(item.navigation.name)"
            children.append(
                .init(
                    navigation: item.navigation.name, relation: relation,
                    node: try node(path: below, set: target, options: item.options)))
        }
        return QueryNode(
            slot: slot, path: path, table: table, columns: columns(of: table, options: options), children: children)
    }

    private func columns(of table: LocalTable, options: QueryOptions) -> [LocalColumn] {
        let select = options.select ?? []
        guard !select.isEmpty, !select.contains(.all) else { return table.columns }
        var names: Set<String> = []
        for case .property(let path) in select { if let first = path.first { names.insert(first.name) } }
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
