import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import Synchronization

/// The temporary keys of entities whose key the service generates: they are stored and identify their entities, but are
/// not visible as property values.
struct TemporaryKeys {
    let db: Database

    /// The entity without temporary keys.
    func hiding(_ entity: EdmEntity) throws -> EdmEntity {
        guard let set = entity.entitySet?.name, try hasAny(in: set), let key = entity.key?.urlText else {
            return entity
        }
        var entity = entity
        for name in try names(of: [key], in: set)[key] ?? [] { entity.properties[name] = nil }
        return entity
    }

    /// Removes temporary keys from rows and their expanded entities.
    ///
    /// - Returns: The ids of these rows.
    func hide(in block: inout RowBlock, _ shape: RowShape) throws -> [TemporaryID] {
        // Most often there are none.
        let shapes = [shape] + shape.related.map(\.shape)
        let sets = try Set(shapes.compactMap { $0.entitySet?.name }).filter { try hasAny(in: $0) }
        guard !sets.isEmpty else { return [] }
        var found: [TemporaryID] = []
        for (set, rows) in Self.rows(of: block, shape) where sets.contains(set) {
            let keyed = rows.compactMap { place, shape in
                block.key(row: place, shape: shape).map { (place: place, shape: shape, key: $0.urlText) }
            }
            let names = try names(of: Set(keyed.map(\.key)), in: set)
            for (place, shape, key) in keyed {
                guard let hidden = names[key] else { continue }
                found.append(TemporaryID(entitySet: set, key: key))
                for name in hidden {
                    if let slot = shape.slot(of: name) {
                        block.slots[Int(block.rows[place].firstSlot) + slot] = .absent
                    }
                }
            }
        }
        return found
    }

    /// The rows of a block by entity set, with their shapes.
    private static func rows(of block: RowBlock, _ shape: RowShape) -> [String: [(Int, RowShape)]] {
        var rows: [String: [(Int, RowShape)]] = [:]
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

    private func hasAny(in set: String) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: #"SELECT EXISTS (SELECT 1 FROM \#(.alias) WHERE "set" = ? AND "resolved" = 0)"#),
            arguments: [set])
            ?? false
    }

    /// The key properties with temporary values, by key.
    private func names(of keys: Set<String>, in set: String) throws -> [String: [String]] {
        let list = String(decoding: try JSONEncoder().encode(keys), as: UTF8.self)
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT a."key", a."properties" FROM json_each(?) AS k
                    CROSS JOIN \(.alias) AS a ON a."set" = ? AND a."key" = k."value" WHERE a."resolved" = 0
                    """), arguments: [list, set])
        return rows.reduce(into: [:]) { names, row in
            names[row["key"]] = (row["properties"] as String).split(separator: ",").map(String.init)
        }
    }
}

/// The id of an entity whose key is temporary.
struct TemporaryID: Sendable {
    var entitySet: String
    /// `(-2147483647)`
    var key: String

    /// `Orders(-2147483647)`
    var text: String { entitySet + key }
}

/// The temporary ids in the part of a result that was read.
final class TemporaryIDs: Sendable {
    private let found = Mutex<[String: TemporaryID]>([:])

    /// By text.
    var all: [String: TemporaryID] { found.withLock { $0 } }

    /// Removes temporary keys from the rows of a reader.
    var revision: RowRevision {
        { block, shape, db in
            let ids = try TemporaryKeys(db: db).hide(in: &block, shape)
            self.found.withLock { found in
                for id in ids { found[id.text] = id }
            }
        }
    }
}
