import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// A node of a defining query's tree of expansions: its root, or an expanded navigation property.
///
/// Each node holds its rows separately: a row that two nodes hold stays until both have released it.
struct QueryNode: Sendable {
    struct Child: Sendable {
        /// `Items`, `NS.Car:Owner`: see ``BoundNavigation/name``.
        var navigation: String
        /// The type before the navigation property in the query.
        var cast: EdmQualifiedName?
        var storage: LocalNavigation
        /// Whether all entities of the navigation property are requested.
        var isWhole: Bool
        /// The SQL for those of the rows `p` of the parent that have the navigation property; nil where all may have
        /// it.
        var condition: String?
        var node: QueryNode

        /// The name of the navigation property.
        var name: String { BoundNavigation.plainName(of: navigation) }
    }

    var slot: HolderSlot
    /// `` for the root, `Items/Product` below.
    var path: String
    var table: LocalTable
    var asked: RequestedProperties
    var children: [Child]

    /// This node and all below it, outermost first.
    var all: [QueryNode] { [self] + children.flatMap(\.node.all) }

    /// The node that holds the entities of a child of the query's shape.
    func child(for child: RowShape.Child) -> Child? {
        children.first { $0.name == child.navigation.name && $0.cast == child.cast?.name }
    }

    /// Whether one of its navigation properties leads to `node` by links.
    func hasLinks(to node: QueryNode) -> Bool {
        all.contains { parent in
            parent.children.contains { child in
                if case .link = child.storage { child.node.slot == node.slot } else { false }
            }
        }
    }

    /// The table of its rows until they are published.
    var stage: String { "$stage$\(slot.number)" }
    /// The keys of entities that a delta removes.
    var gone: String { "$gone$\(slot.number)" }
    /// The rows of the live table that were received unchanged: see ``SeenRows``.
    var seen: String { "$marks$\(slot.number)" }
    /// The table that earlier releases used instead of ``seen``.
    var formerSeen: String { "$seen$\(slot.number)" }
    /// Stage rows of the parent whose related entities were received completely.
    var resent: String { "$resent$\(slot.number)" }
    /// Added and removed links from the parent, by the ids of the entities.
    var linkChanges: String { "$linkchanges$\(slot.number)" }
    /// The next links of collections that were not received completely with their entity.
    var more: String { "$more$\(slot.number)" }
    /// The tables that a download creates for the node.
    var stages: [String] { [stage, gone, seen, resent, linkChanges, more, stageLinks] }
    /// Links from the parent's stage rows to this node's, where the navigation property has no columns.
    var stageLinks: String { "$stagelinks$\(slot.number)" }
}

/// Creates the nodes of a query, with unused slots.
struct QueryNodeBuilder {
    let db: Database
    let offline: OfflineModel
    let query: Int64

    func tree(for bound: BoundQuery) throws -> QueryNode { try node(for: QueryPlace(bound, offline: offline)) }

    private func node(for place: QueryPlace) throws -> QueryNode {
        let own = try slot(path: place.path, set: place.table.set)
        let children = try place.children.map { child in
            QueryNode.Child(
                navigation: child.navigation, cast: child.cast, storage: child.storage,
                isWhole: child.isWhole,
                condition: offline.schema.typeCondition(
                    ofNavigation: child.navigation, of: place.table.set.name, row: "p"),
                node: try node(for: child.place))
        }
        let made = QueryNode(
            slot: own, path: place.path, table: place.table, asked: place.asked, children: children)
        try db.execute(
            sql: #"UPDATE \#(.node) SET "columns" = ? WHERE "slot" = ? AND "columns" IS NOT ?"#,
            arguments: [made.columnNames, own.number, made.columnNames])
        return made
    }

    private func slot(path: String, set: EdmEntitySet) throws -> HolderSlot {
        if let known = try Int.fetchOne(
            db, sql: #"SELECT "slot" FROM \#(.node) WHERE "query" = ? AND "path" = ?"#, arguments: [query, path])
        {
            return HolderSlot(known)
        }
        return try HolderSlots(db: db, schema: offline.schema).make(query: query, path: path, set: set.name)
    }
}
