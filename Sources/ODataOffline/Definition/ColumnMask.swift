import Foundation
import GRDB
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores
import Synchronization

/// The received properties of each row of a set whose defining queries request different properties.
///
/// A property that none of the queries of a row requests is absent for readers, not null: its value is unknown or not
/// kept up to date. All properties of rows that were created on the device are known, and so are values that were set
/// on the device.
struct ColumnMask {
    let schema: LocalSchema

    /// The nodes of the sets for which ``applied(_:)`` says what was received; none if all queries request all properties.
    static func nodes(in db: Database) throws -> [Node] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT "slot", "set", "columns" FROM \(.node)
                WHERE "set" IN (SELECT "set" FROM \(.node) WHERE "columns" IS NOT NULL)
                ORDER BY "slot"
                """)
        return try Row.fetchAll(statement).map { Node(slot: $0["slot"], set: $0["set"], columns: $0["columns"]) }
    }

    /// The schema with the presence of properties.
    func applied(_ nodes: [Node]) -> LocalSchema {
        var masked = schema
        for (set, nodes) in Dictionary(grouping: nodes, by: \.set) {
            guard let table = schema.tables[set] else { continue }
            masked.knowledge[set] = Self.conditions(of: table, nodes.map(NodeProperties.init))
        }
        return masked
    }

    /// What a node requests of the rows of a set.
    struct Node: Hashable, Sendable {
        let slot: Int
        let set: String
        /// A list of properties in JSON; nil for all.
        let columns: String?
    }

    private struct NodeProperties {
        var slot: HolderSlot
        /// Nil: all.
        var properties: Set<String>?

        init(_ node: Node) {
            slot = HolderSlot(node.slot)
            properties = node.columns.flatMap { try? JSONDecoder().decode(Set<String>.self, from: Data($0.utf8)) }
        }
    }

    private static func conditions(of table: LocalTable, _ nodes: [NodeProperties]) -> [String: SQLFragment] {
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
        let choice = ReadExecutors.Choice(
            annotations: request.annotations,
            searchTables: try LocalSearch(db: db, schema: schema).tables(for: sets.searched),
            nodes: try ColumnMask.nodes(in: db))
        guard choice.isSpecial else { return executor }
        return readExecutors.executor(for: choice) {
            var schema = annotatingSchema(choice.annotations) ?? schema
            schema.searchTables = choice.searchTables
            return QueryExecutor(model: model, mapping: ColumnMask(schema: schema).applied(choice.nodes))
        }
    }
}

/// The executors of reads whose tables differ from those of the model, so that translated statements are not lost.
final class ReadExecutors: Sendable {
    /// What the tables of a read depend on.
    struct Choice: Hashable, Sendable {
        var annotations: String?
        var searchTables: [String: String]
        var nodes: [ColumnMask.Node]

        var isSpecial: Bool { annotations != nil || !searchTables.isEmpty || !nodes.isEmpty }
    }

    private static let most = 16
    private let executors = Mutex<[Choice: QueryExecutor]>([:])

    func executor(for choice: Choice, _ make: () -> QueryExecutor) -> QueryExecutor {
        if let known = executors.withLock({ $0[choice] }) { return known }
        let made = make()
        executors.withLock { executors in
            if executors.count >= Self.most { executors = [:] }
            executors[choice] = made
        }
        return made
    }
}
