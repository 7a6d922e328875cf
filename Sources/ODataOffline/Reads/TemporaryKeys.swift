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
        guard try hasAny(in: row.table) else { return entity }
        var entity = entity
        let known = try aliases(of: [row.id])[row.id] ?? []
        entity.firstID = try firstID(of: row)
        guard let key = entity.key?.urlText else { return entity }
        for name in known.first(where: { $0.isTemporary(key) })?.properties ?? [] { entity.properties[name] = nil }
        return entity
    }

    /// The id that an entity had first; nil where it has never had another one.
    func firstID(of row: EntityRow) throws -> String? {
        guard try hasAny(in: row.table) else { return nil }
        var names = FirstNames(keys: self, known: try aliases(of: [row.id]))
        return try names.id(of: row.id, in: row.table)
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
            var names = FirstNames(keys: self, known: known)
            for (place, shape) in rows {
                let row = block.rows[place].rowID
                guard row != 0 else { continue }
                if let id = try names.id(of: row, in: table) { block.rows[place].firstID = block.append(text: id) }
                guard let aliases = known[row], let key = block.key(row: place, shape: shape)?.urlText else { continue }
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

    /// Whether an entity of the table, or one that contains such entities, has or had another key.
    private func hasAny(in table: LocalTable) throws -> Bool {
        let hasOwn = try Bool.fetchOne(
            db.cachedStatement(sql: #"SELECT EXISTS (SELECT 1 FROM \#(.alias) WHERE "set" = ?)"#),
            arguments: [table.set.name])
        if hasOwn == true { return true }
        guard let above = table.container.flatMap({ schema.tables[$0.set] }) else { return false }
        return try hasAny(in: above)
    }

    /// A key that a row has or had on this device alone.
    fileprivate struct Alias {
        /// `(-2147483647)`
        var key: String
        /// The parts of the key that the store has made.
        var properties: [String]
        var isResolved: Bool

        /// Whether it is what the row has, with parts that only the store knows.
        func isTemporary(_ current: String) -> Bool { !isResolved && key == current }
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

    fileprivate func firstKey(of row: Int64) throws -> String? { try aliases(of: [row])[row]?.first?.key }
}

/// The ids that rows had first.
private struct FirstNames {
    let keys: TemporaryKeys
    let known: [Int64: [TemporaryKeys.Alias]]
    /// Of containing entities: the id, and whether it is another one than now.
    private var above: [Int64: (id: String, isOther: Bool)] = [:]

    init(keys: TemporaryKeys, known: [Int64: [TemporaryKeys.Alias]]) { (self.keys, self.known) = (keys, known) }

    /// Nil where the row has never had another one.
    mutating func id(of row: Int64, in table: LocalTable) throws -> String? {
        let first = known[row]?.first?.key
        guard first != nil || table.container != nil else { return nil }
        let (id, isOther) = try name(of: row, first, in: table)
        return isOther ? id : nil
    }

    /// `Orders(-2147483647)`, `Orders(-2147483647)/Items(2)`
    private mutating func name(
        of row: Int64, _ first: String?, in table: LocalTable
    ) throws -> (id: String, isOther: Bool) {
        let isOne = table.container.map { !$0.navigation.isCollection } ?? (table.set.kind == .singleton)
        let key = isOne ? "" : try first ?? RowLookup(db: keys.db, table: table).key(of: row)?.urlText ?? ""
        guard let container = table.container, let containing = keys.schema.tables[container.set] else {
            return (ResourcePath(table.set).url + key, first != nil)
        }
        let parent = try Int64.fetchOne(
            keys.db.cachedStatement(sql: "SELECT \(.parent) FROM \(table.sqlName) WHERE \(.id) = ?"), arguments: [row])
        guard let parent else { return (key, false) }
        let owner = try above[parent] ?? name(of: parent, keys.firstKey(of: parent), in: containing)
        above[parent] = owner
        return (owner.id + container.path + key, owner.isOther || first != nil)
    }
}
