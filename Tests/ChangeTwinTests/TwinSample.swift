import Foundation
import GRDB
import ODataFormats
import ODataMetadata
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores
import Synchronization

/// The entities that all stores begin with, in one of the two layouts of tables.
struct TwinSample: Sendable {
    /// Creates the file at the path.
    let create: @Sendable (String) async throws -> Void
    /// Opens the file at the path.
    let open: @Sendable (String) throws -> SQLiteStore
    /// All entities: what a device downloads, and what the stores are compared by.
    let queries: [String]
    /// Sets whose entities are changed only by requests that name them, and by deletions.
    let independent: Set<String>

    /// The tables of ``TwinModel``.
    static let declared = TwinSample(
        create: { path in
            let store = try openDeclared(path)
            try await load(TwinModel.entities, into: store)
            try store.close()
        }, open: openDeclared, queries: TwinModel.queries,
        independent: ["Orders", "Photos", "Things", "Rates", "Settings", "Logo"])

    /// The tables of another program: ``PublishedTables``.
    static let published = TwinSample(
        create: { path in
            let queue = try DatabaseQueue(path: path)
            try await queue.write { try $0.execute(sql: PublishedTables.sql) }
            try queue.close()
        },
        open: { path in
            var configuration = SQLiteStore.Configuration()
            configuration.media = [MediaColumn(set: "Photos", column: "Image", contentType: "text/plain")]
            return try SQLiteStore(path: path, configuration: configuration)
        }, queries: PublishedTables.queries, independent: [])

    private static let model = Result { try CSDL.read(xml: Array(TwinModel.metadata.utf8)).model }

    private static let openDeclared: @Sendable (String) throws -> SQLiteStore = { path in
        let keys = TwinKeys()
        var rules = TableRules()
        rules.computed = ["Products/Version": .version]
        var configuration = SQLiteStore.Configuration()
        configuration.newGuid = { EdmGuid(high: keys.next(), low: 0) }
        return try SQLiteStore(model: model.get(), path: path, rules: rules, configuration: configuration)
    }

    private static func load(_ entities: [(set: String, json: String)], into store: SQLiteStore) async throws {
        let model = try await store.model()
        let reader = TwinRequestReader(store: store, model: model)
        let stored = try entities.map { entity in
            let path = try QueryParser(model: model).path(entity.set)
            let payload = try reader.payload(entity.json, at: path, isUpdate: false)
            var stored = StoredEntity(entity.set, payload)
            let stream = StoredEntity.Stream(Array("content of \(entity.set)".utf8), contentType: "text/plain")
            if model.entitySet(named: entity.set)?.type.hasStream == true { stored.media = stream }
            if payload.type != nil { stored.streams["Plan"] = stream }
            return stored
        }
        try await store.load(stored)
    }
}

/// The GUIDs that a service or a device makes, the same in each run: `abcd0000-…`
final class TwinKeys: Sendable {
    private let count = Mutex<UInt64>(0xABCD_0000_0000_0000)

    func next() -> UInt64 {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
