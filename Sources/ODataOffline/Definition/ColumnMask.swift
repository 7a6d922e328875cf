import Foundation
import GRDB
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// The received properties of each row of a set whose defining queries request different properties.
///
/// A property that none of the queries of a row requests is absent for readers, not null: its value is unknown or not
/// kept up to date. All properties of rows that were created on the device are known, and so are values that were set
/// on the device.
struct ColumnMask {
    let schema: LocalSchema

    /// The schema with the presence of properties; unchanged if all queries request all properties.
    func applied(in db: Database) throws -> LocalSchema {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT "slot", "set", "columns" FROM \(.node)
                WHERE "set" IN (SELECT "set" FROM \(.node) WHERE "columns" IS NOT NULL)
                """)
        guard !rows.isEmpty else { return schema }
        var masked = schema
        for (set, nodes) in Dictionary(grouping: rows, by: { $0["set"] as String }) {
            guard let table = schema.tables[set] else { continue }
            masked.knowledge[set] = Self.conditions(of: table, nodes.map(Node.init))
        }
        return masked
    }

    private struct Node {
        var slot: HolderSlot
        /// Nil: all.
        var properties: Set<String>?

        init(_ row: Row) {
            slot = HolderSlot(row["slot"])
            let text: String? = row["columns"]
            properties = text.flatMap { try? JSONDecoder().decode(Set<String>.self, from: Data($0.utf8)) }
        }
    }

    private static func conditions(of table: LocalTable, _ nodes: [Node]) -> [String: SQLFragment] {
        var conditions: [String: SQLFragment] = [:]
        for column in table.columns where !column.isKey {
            let asking = nodes.filter { $0.properties?.contains(column.property.name) ?? true }
            guard asking.count < nodes.count else { continue }
            var masks: [String: Int64] = [:]
            for node in asking { masks[node.slot.column, default: 0] |= node.slot.bit }
            let state = SQLFragment.row(.state)
            var terms: [SQLFragment] = [
                "\(state) & \(LocalState.madeHere.rawValue) <> 0",
                "(\(state) & \(LocalState.pending.rawValue) <> 0 AND \(.row(column.name)) IS NOT NULL)",
            ]
            terms += masks.sorted { $0.key < $1.key }.map { "\(.row($0.key)) & \($0.value) <> 0" }
            conditions[column.property.name] = terms.joined(" OR ").parenthesised
        }
        return conditions
    }
}

extension OfflineModel {
    /// The executor of reads: properties that were not received are absent, entities have the instance annotations that
    /// the request prefers, and `$search` uses the existing full-text tables.
    ///
    /// - Parameter sets: The sets of the request's query.
    func executor(for request: ReadRequest, _ sets: QuerySets, in db: Database) throws -> QueryExecutor {
        var schema = annotatingSchema(request.annotations) ?? schema
        schema.searchTables = try LocalSearch(db: db, schema: schema).tables(for: sets.searched)
        return QueryExecutor(model: model, mapping: try ColumnMask(schema: schema).applied(in: db))
    }
}
