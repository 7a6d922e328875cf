import GRDB
import ODataStores

/// The single values that a store keeps: `"$store"`.
struct StoreValues {
    let db: Database

    func text(_ name: String) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: #"SELECT "value" FROM \#(.store) WHERE "name" = ?"#), arguments: [name])
    }

    func integer(_ name: String) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(sql: #"SELECT "value" FROM \#(.store) WHERE "name" = ?"#), arguments: [name])
    }

    func set(_ name: String, _ value: (any DatabaseValueConvertible)?) throws {
        try db.executeCached(
            sql: #"INSERT INTO \#(.store) VALUES (?, ?) ON CONFLICT ("name") DO UPDATE SET "value" = excluded."value""#,
            arguments: [name, value])
    }

    /// The root of the service that was downloaded last; nil if it has none, or no download was made since it is kept.
    var service: String? {
        get throws { try text("service") }
    }

    /// Keeps the root of a service without its query, which may have a secret.
    func set(service: any ODataStore) throws {
        guard let root = (service as? any LearningStore)?.serviceRoot.prefix(while: { $0 != "?" }) else { return }
        if try self.service != String(root) { try set("service", String(root)) }
    }

    /// The last row id that was given out. Ids are never used again.
    var counter: Int64 {
        get throws { try integer("counter") ?? 0 }
    }

    /// Whether the store is a copy for support, whose requests are those of another device.
    var isCopy: Bool {
        get throws { try integer("isCopy") == 1 }
    }

    func markCopy() throws { try set("isCopy", 1) }

    /// The next row id.
    func nextID() throws -> Int64 {
        let id = try counter + 1
        try set("counter", id)
        return id
    }

    /// The number of the download that runs or was last.
    var download: Int64 {
        get throws { try integer("download") ?? 0 }
    }

    /// How many words of holder bits each row has.
    var holderWords: Int {
        get throws { Int(try integer("holderWords") ?? 1) }
    }
}
