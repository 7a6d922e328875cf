import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import Synchronization

/// The keys that were made here for entities whose key the service makes: they are stored and lead to their entities,
/// but are no property values that anybody sees.
struct TemporaryKeys: Sendable {
    /// By set and text of the key: the names of the properties that were made up.
    private var names: [String: [String: Set<String>]] = [:]

    init(in db: Database) throws {
        let rows = try Row.fetchAll(db, sql: #"SELECT "set", "key", "properties" FROM "$alias" WHERE "resolved" = 0"#)
        for row in rows {
            let properties = (row["properties"] as String).split(separator: ",").map(String.init)
            names[row["set"], default: [:]][row["key"]] = Set(properties)
        }
    }

    var isEmpty: Bool { names.isEmpty }

    /// The ids that were made here, by their text.
    var ids: [String: TemporaryID] {
        names.reduce(into: [:]) { ids, names in
            for key in names.value.keys {
                let id = TemporaryID(entitySet: names.key, key: key)
                ids[id.text] = id
            }
        }
    }

    func hides(anythingOf set: String?) -> Bool { set.map { names[$0] != nil } ?? false }

    func hidden(_ key: EntityKey, of set: String) -> Set<String>? { names[set]?[key.urlText] }

    /// The entity without keys that were made up.
    func hiding(_ entity: Entity) -> Entity {
        var entity = entity
        if let set = entity.entitySet?.name, let key = entity.key, let hidden = hidden(key, of: set) {
            for name in hidden { entity.properties[name] = nil }
        }
        return entity
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

/// Passes rows on without keys that were made up.
final class TemporaryKeyReader: EntityReader {
    private let base: any EntityReader
    private let keys: TemporaryKeys
    var shape: RowShape { base.shape }

    init(_ base: any EntityReader, hiding keys: TemporaryKeys) {
        self.base = base
        self.keys = keys
    }

    func next() async throws -> RowBlock? {
        guard var block = try await base.next() else { return nil }
        var trail: [RowShape] = []
        for row in block.rows.indices {
            let header = block.rows[row]
            let depth = Int(header.depth)
            guard depth <= trail.count else { continue }
            trail.removeSubrange(depth...)
            let shape = depth == 0 ? base.shape : trail[depth - 1].children[Int(header.child)].shape
            trail.append(shape)
            if let set = shape.entitySet?.name, keys.hides(anythingOf: set) { hide(row, in: &block, shape, set) }
        }
        return block
    }

    private func hide(_ row: Int, in block: inout RowBlock, _ shape: RowShape, _ set: String) {
        guard let key = block.key(row: row, shape: shape), let hidden = keys.hidden(key, of: set) else { return }
        for name in hidden {
            if let slot = shape.slot(of: name) { block.slots[Int(block.rows[row].firstSlot) + slot] = .absent }
        }
    }
}
