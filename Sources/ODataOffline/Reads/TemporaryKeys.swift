import GRDB
import ODataModel
import ODataQuery
import ODataSQLite

/// The keys that entities have or had on this device alone. Temporary ones are stored and identify their entities, but
/// are not visible as property values; the first key of an entity stays its id in lists.
struct TemporaryKeys {
    let db: Database
    let schema: LocalSchema

    /// Removes temporary keys from the rows that a query reads, and notes the first ids of those that had others.
    static func revision(_ schema: LocalSchema) -> RowRevision {
        { block, shape, db in try TemporaryKeys(db: db, schema: schema).revise(&block, shape) }
    }

    /// The entity without temporary keys.
    func hiding(_ entity: EdmEntity, of row: EntityRow) throws -> EdmEntity {
        guard let aliases = try aliases(of: row) else { return entity }
        var entity = entity
        entity.firstID = firstID(aliases, in: row.table)
        guard let key = entity.key?.urlText else { return entity }
        for name in aliases.first(where: { $0.isTemporary(key) })?.properties ?? [] { entity.properties[name] = nil }
        return entity
    }

    /// The id that an entity had first; nil where it has never had another one.
    func firstID(of row: EntityRow) throws -> String? {
        try aliases(of: row).flatMap { firstID($0, in: row.table) }
    }

    /// `Orders(-2147483647)`
    private func firstID(_ aliases: [Alias], in table: LocalTable) -> String? {
        aliases.first.map { ResourcePath(table.set).url + $0.key }
    }

    private func revise(_ block: inout RowBlock, _ shape: RowShape) throws {
        // Most often no entity has had another key.
        let shapes = [shape] + shape.related.map(\.shape)
        let tables = try Set(shapes.compactMap { $0.entitySet?.name }).compactMap { schema.tables[$0] }
            .filter { try hasAny(in: $0) }
        guard !tables.isEmpty else { return }
        for (set, rows) in Self.rows(of: block, shape) {
            guard let table = tables.first(where: { $0.set.name == set }) else { continue }
            let known = try aliases(of: rows.map { block.rows[$0.place].rowID })
            for (place, shape) in rows {
                guard let aliases = known[block.rows[place].rowID] else { continue }
                if let id = firstID(aliases, in: table) { block.rows[place].firstID = block.append(text: id) }
                guard let key = block.key(row: place, shape: shape)?.urlText else { continue }
                for name in aliases.first(where: { $0.isTemporary(key) })?.properties ?? [] {
                    if let slot = shape.slot(of: name) {
                        block.slots[Int(block.rows[place].firstSlot) + slot] = .absent
                    }
                }
            }
        }
    }

    /// The rows of a block by entity set, with their shapes.
    private static func rows(of block: RowBlock, _ shape: RowShape) -> [String: [(place: Int, shape: RowShape)]] {
        var rows: [String: [(place: Int, shape: RowShape)]] = [:]
        var trail: [RowShape] = []
        for place in block.rows.indices {
            let header = block.rows[place]
            let depth = Int(header.depth)
            guard depth <= trail.count else { continue }
            trail.removeSubrange(depth...)
            let own = depth == 0 ? shape : trail[depth - 1].children[Int(header.child)].shape
            trail.append(own)
            if let set = own.entitySet?.name { rows[set, default: []].append((place, own)) }
        }
        return rows
    }

    /// Whether an entity of the table has or had another key. Contained entities have none: they are not created here.
    private func hasAny(in table: LocalTable) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: #"SELECT EXISTS (SELECT 1 FROM \#(.alias) WHERE "set" = ?)"#),
            arguments: [table.set.name]) ?? false
    }

    /// A key that a row has or had on this device alone.
    private struct Alias {
        /// `(-2147483647)`
        var key: String
        /// The parts of the key that the store has made.
        var properties: [String]
        var isResolved: Bool

        /// Whether it is what the row has, with parts that only the store knows.
        func isTemporary(_ current: String) -> Bool { !isResolved && key == current }
    }

    private func aliases(of row: EntityRow) throws -> [Alias]? {
        try hasAny(in: row.table) ? aliases(of: [row.id])[row.id] : nil
    }

    /// By row, the first ones first.
    private func aliases(of rows: [Int64]) throws -> [Int64: [Alias]] {
        let list = "[\(rows.map(String.init).joined(separator: ","))]"
        let found = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT a."row", a."key", a."properties", a."resolved" FROM json_each(?) AS r
                    CROSS JOIN \(.alias) AS a ON a."row" = r."value" ORDER BY a.rowid
                    """), arguments: [list])
        return found.reduce(into: [:]) { aliases, row in
            let properties: String = row["properties"]
            aliases[row["row"], default: []].append(
                Alias(
                    key: row["key"], properties: properties.split(separator: ",").map(String.init),
                    isResolved: row["resolved"]))
        }
    }
}
