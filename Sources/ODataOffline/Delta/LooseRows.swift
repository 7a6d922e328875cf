import GRDB
import ODataSQL
import ODataSQLite

/// Records expanded entities that a change outside of their query's download may release: a response of the service, a
/// removal, the publication of another query.
///
/// A record is a claim of the node that holds the entity (`"$claim"`): the next changes of its query determine whether
/// the entity is still reachable, as for entities that were created on the device.
struct LooseRows {
    let db: Database
    let schema: LocalSchema

    /// What happens to the rows of a set.
    enum Event {
        /// They may lead to other entities from now on.
        case change
        case removal
    }

    /// A navigation property that a defining query expands.
    private struct Expansion {
        var storage: LocalNavigation
        var parent: LocalTable
        var child: LocalTable
        /// Of the expanded entities.
        var slot: HolderSlot

        /// The columns of the parents, or of the children, that make the navigation property and may change.
        func columns(ofParents: Bool) -> [String] {
            guard case .columns(let pairs, _, _) = storage else { return [] }
            return ofParents
                ? pairs.map(\.source).filter { $0 != HiddenColumn.id.name && !parent.keyColumns.contains($0) }
                : pairs.map(\.target).filter { $0 != HiddenColumn.id.name && !child.keyColumns.contains($0) }
        }
    }

    /// To be called before it happens.
    func note(_ event: Event, of row: EntityRow) throws {
        try note(event, of: "SELECT \(row.id) AS \"row\"", in: row.table)
    }

    /// As ``note(_:of:)``, for the rows that `rows` selects as `row`: they, and what they lead to, by the service's
    /// version too where they have changes made here.
    func note(_ event: Event, of rows: String, in table: LocalTable) throws {
        for expansion in try expansions() {
            if expansion.child.set.name == table.set.name, !expansion.columns(ofParents: false).isEmpty {
                try claim(rows, by: expansion)
            }
            guard expansion.parent.set.name == table.set.name,
                event == .removal || !expansion.columns(ofParents: true).isEmpty
            else { continue }
            for version in [table.name, table.baseName] where try db.tableExists(version) {
                try claim(expansion.storage.related(of: version, expansion.child, from: "(\(rows))"), by: expansion)
            }
        }
    }

    /// The columns of a table that make navigation properties which are expanded, and may change.
    func navigationColumns(of table: LocalTable) throws -> Set<String> {
        let name = table.set.name
        return try expansions().reduce(into: []) { columns, expansion in
            if expansion.parent.set.name == name { columns.formUnion(expansion.columns(ofParents: true)) }
            if expansion.child.set.name == name { columns.formUnion(expansion.columns(ofParents: false)) }
        }
    }

    /// Records the far ends of removed links.
    func note(linksOf link: LinkTable, where condition: String) throws {
        for expansion in try expansions() {
            guard case .link(link, let isReversed) = expansion.storage else { continue }
            let far = isReversed ? "source" : "target"
            try claim("SELECT \(quoted(far)) AS \"row\" FROM \(quoted(link.name)) WHERE \(condition)", by: expansion)
        }
    }

    private func claim(_ rows: String, by expansion: Expansion) throws {
        let slot = expansion.slot
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO \(.claim) ("slot", "row") SELECT \(slot.number), h.\(.id) FROM (\(rows)) AS n
                CROSS JOIN \(quoted(expansion.child.name)) AS h ON h.\(.id) = n."row"
                WHERE h.\(quoted(slot.column)) & \(slot.bit) <> 0
                """)
    }

    private func expansions() throws -> [Expansion] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT c."slot", c."set", c."path", p."path" AS "parentPath", p."set" AS "parentSet" FROM \(.node) AS c
                JOIN \(.node) AS p ON p."query" = c."query" AND p."slot" <> c."slot"
                AND (p."path" = '' OR substr(c."path", 1, length(p."path") + 1) = p."path" || '/')
                WHERE c."path" <> ''
                """)
        return try Row.fetchAll(statement).compactMap { node in
            let (path, above): (String, String) = (node["path"], node["parentPath"])
            let navigation = String(path.dropFirst(above.isEmpty ? 0 : above.count + 1))
            guard !navigation.contains("/"), let parent = schema.tables[node["parentSet"]],
                let child = schema.tables[node["set"]],
                let storage = schema.storage(of: parent.set.name, navigation), try db.tableExists(child.name)
            else { return nil }
            if case .link(let link, _) = storage, try !db.tableExists(link.name) { return nil }
            return Expansion(storage: storage, parent: parent, child: child, slot: HolderSlot(node["slot"]))
        }
    }
}

extension LocalNavigation {
    /// Selects, as `row`, what rows of the table `parent` lead to.
    ///
    /// - Parameter rows: A table or subquery with their ids as `row`.
    func related(of parent: String, _ child: LocalTable, from rows: String) -> String {
        switch self {
        case .columns(let pairs, _, _):
            let equal = pairs.map { "c.\(quoted($0.target)) = p.\(quoted($0.source))" }.joined(separator: " AND ")
            return """
                SELECT c.\(.id) AS "row" FROM \(rows) AS t CROSS JOIN \(quoted(parent)) AS p ON p.\(.id) = t."row"
                CROSS JOIN \(quoted(child.name)) AS c ON \(equal)
                """
        case .link(let link, let isReversed):
            let (near, far) = isReversed ? ("target", "source") : ("source", "target")
            return """
                SELECT k.\(quoted(far)) AS "row" FROM \(rows) AS t CROSS JOIN \(quoted(link.name)) AS k
                ON k.\(quoted(near)) = t."row"
                """
        }
    }
}
