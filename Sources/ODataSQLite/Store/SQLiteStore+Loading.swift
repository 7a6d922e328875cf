import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

/// An entity to load into a store with a declared model, with values that clients cannot set.
public struct StoredEntity: Sendable {
    /// The content of a stream.
    public struct Stream: Sendable {
        /// All of it, in memory.
        public var bytes: [UInt8]
        /// `image/jpeg`: the media type that the service returns. It is not compared with the bytes.
        public var contentType: String

        /// - Parameters:
        ///   - bytes: The whole content.
        ///   - contentType: Its media type.
        public init(_ bytes: [UInt8], contentType: String) {
            self.bytes = bytes
            self.contentType = contentType
        }
    }

    /// The name of the entity set, without container.
    public var set: String
    /// Bindings refer to entities that are loaded together with this one, or that exist already.
    public var payload: EntityPayload
    /// The stream of a media entity.
    public var media: Stream?
    /// Stream properties by name.
    public var streams: [String: Stream] = [:]

    /// - Parameters:
    ///   - set: The name of the entity set.
    ///   - payload: Properties and bindings, with values that clients cannot set.
    ///   - media: Only for a media entity.
    ///   - streams: Stream properties by name.
    public init(_ set: String, _ payload: EntityPayload, media: Stream? = nil, streams: [String: Stream] = [:]) {
        self.set = set
        self.payload = payload
        self.media = media
        self.streams = streams
    }
}

extension SQLiteStore {
    /// Inserts entities into the tables of a declared model, in one transaction and in any order.
    ///
    /// - Parameters:
    ///   - entities: With their streams.
    ///   - replacesAll: Whether all existing rows are deleted first.
    /// - Throws: ``ODataError``; nothing has changed then. `unusableStore` for another program's file.
    public func load(_ entities: [StoredEntity], replacesAll: Bool = true) async throws {
        guard declared != nil, !configuration.isReadOnly else {
            throw ODataError(.unusableStore, "Only the tables of a declared model can be loaded.")
        }
        do {
            try await write { [self] db in
                try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
                if replacesAll {
                    for table in schema.tables.values.sorted(by: { $0.name < $1.name }) {
                        try db.execute(sql: "DELETE FROM \(quoted(table.name))")
                    }
                }
                var transaction = ChangeTransaction(access: access(db))
                transaction.isLoading = true
                let located = try entities.map { try transaction.load($0) }
                for (entity, row) in zip(entities, located) {
                    try transaction.bindDependents(entity.payload.bindings, of: row)
                }
                try streamFiles?.collectReleased(in: db)
            }
            await removeReleasedFiles()
        } catch { throw ODataError.change(error, schema: schema) }
    }

    /// Whether the tables of the model have no entities.
    public func isEmpty() async throws -> Bool {
        do {
            return try await reading { [self] db in
                try schema.tables.values.allSatisfy { table in
                    try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM \(quoted(table.name)))") ?? true
                }
            }
        } catch { throw ODataError.storage(error) }
    }
}

extension ChangeTransaction {
    fileprivate func load(_ entity: StoredEntity) throws -> LocatedEntity {
        guard let table = schema.tables[entity.set] else {
            throw ODataError(.badRequest, "There is no entity set \(entity.set).")
        }
        var payload = entity.payload
        let type = try table.declared.map { try newType(payload, of: table, $0, path: nil) }
        payload.bindings = try payload.bindings.filter {
            try relation($0.navigation, of: table, as: type).isDependent
        }
        let located = try insert(payload, into: table)
        if let media = table.media, let stream = entity.media { try load(stream, media, at: located) }
        for stream in table.streams {
            if let content = stream.property.flatMap({ entity.streams[$0] }) { try load(content, stream, at: located) }
        }
        return located
    }

    private func load(_ content: StoredEntity.Stream, _ stream: PublishedStream, at located: LocatedEntity) throws {
        var assignments = ColumnAssignments()
        assignments[stream.column] = .value(Data(content.bytes).databaseValue)
        try set(assignments, at: located)
        try StreamVersions.renew(stream, of: located.table, at: located.row, type: content.contentType, in: db)
    }
}
