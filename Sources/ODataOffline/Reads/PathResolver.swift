import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// Replaces temporary keys in paths and references by the keys of the service.
struct PathResolver {
    let db: Database
    let schema: LocalSchema

    /// `Orders(-2147483647)/Items` → `Orders(11078)/Items` once the order was uploaded.
    func resolve(_ path: ResourcePath) throws -> ResourcePath {
        var set: EdmEntitySet? = path.rootSet
        let segments = try path.segments.map { segment -> ResourcePath.Segment in
            switch segment {
            case .navigation(_, let target): set = target
            case .key(let key):
                if let set, let current = try currentKey(key, of: set) { return .key(current) }
            default: break
            }
            return segment
        }
        return ResourcePath(root: path.root, segments: segments)
    }

    /// The current key of the row with the temporary key `key`; nil if `key` is not temporary.
    func currentKey(_ key: EntityKey, of set: EdmEntitySet) throws -> EntityKey? {
        guard let table = schema.tables[set.name], let row = try row(of: key, in: set.name) else { return nil }
        let lookup = RowLookup(db: db, table: table)
        // Another entity may have the key now, if the service has changed it.
        if try lookup.id(of: key).map({ $0 != row }) == true { return nil }
        return try lookup.key(of: row)
    }

    /// The row that was given the temporary key `key`.
    func row(of key: EntityKey, in set: String) throws -> Int64? { try row(of: key.urlText, in: set) }

    /// - Parameter key: `(-2147483647)`
    func row(of key: String, in set: String) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(sql: #"SELECT "row" FROM \#(.alias) WHERE "set" = ? AND "key" = ?"#),
            arguments: [set, key])
    }
}

extension OfflineModel {
    /// The key in an entity id of the service: `Orders(1)`, `http://host/service/Orders(1)`.
    func key(inID id: String, of set: EdmEntitySet) -> EntityKey? {
        var id = id
        if let start = id.range(of: "/\(set.name)(", options: .backwards) {
            id = String(id[id.index(after: start.lowerBound)...])
        }
        guard let path = parser.entityPath(ofAnyVersion: id, serviceRoot: nil),
            case .key(let key)? = path.segments.last, path.entitySet?.name == set.name
        else { return nil }
        return key
    }

    /// The table of the entities that a path leads to; nil if the store has no table for them.
    func table(at path: ResourcePath) -> LocalTable? {
        var set = path.rootSet?.name
        var type = path.rootSet?.type
        for segment in path.segments {
            switch segment {
            case .cast(let cast): type = cast
            case .navigation(let navigation, let target):
                let storage = set.flatMap { set in
                    type.map { schema.storage(of: set, navigation.name, as: $0) }
                        ?? schema.storage(of: set, navigation.name)
                }
                set = storage?.targetSet ?? target?.name
                type = model.target(of: navigation)
            default: break
            }
        }
        return set.flatMap { schema.tables[$0] }
    }
}

extension LocalSchema {
    /// The set and the key of a path `Orders(1)`: its row is found without translating a query. Nil for all other
    /// paths.
    func tableAndKey(of path: ResourcePath) -> (LocalTable, EntityKey)? {
        guard case .entitySet(let set) = path.root, path.segments.count == 1, case .key(let key) = path.segments[0],
            let table = tables[set.name], key.components.count == set.type.key.count,
            key.components.allSatisfy({ $0.name.isEmpty || set.type.key.contains($0.name) })
        else { return nil }
        return (table, key)
    }
}
