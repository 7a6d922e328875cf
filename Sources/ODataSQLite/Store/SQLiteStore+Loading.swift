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
                let changes = DirectChangeSet(access(db), isLoading: true)
                let located = try entities.map { try changes.load($0) }
                for (entity, row) in zip(entities, located) {
                    try changes.link(row, entity.payload.bindings)
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

extension DirectChangeSet {
    /// Inserts an entity with its foreign keys and its streams.
    fileprivate func load(_ entity: StoredEntity) throws -> LocatedEntity {
        guard let set = rows.schema.entitySet(named: entity.set) else {
            throw ODataError(.badRequest, "There is no entity set \(entity.set).")
        }
        var executor = DirectChangeExecutor(rows: rows)
        let plan = try planner.plan(loading: entity.payload, into: set)
        try executor.carryOut(plan)
        guard let row = try plan.subject.map(executor.located) else {
            throw ODataError.noResult(of: "The insertion into \(entity.set)")
        }
        if let media = row.table.media, let stream = entity.media { try executor.load(stream, media, of: row) }
        for stream in row.table.streams {
            if let content = stream.property.flatMap({ entity.streams[$0] }) {
                try executor.load(content, stream, of: row)
            }
        }
        return row
    }

    /// Makes the links of an entity to others, which are all inserted by now.
    fileprivate func link(_ row: LocatedEntity, _ bindings: [EntityPayload.Binding]) throws {
        var executor = DirectChangeExecutor(rows: rows)
        try executor.carryOut(planner.plan(linking: row, bindings))
    }
}

extension DirectChangeExecutor {
    fileprivate func load(_ content: StoredEntity.Stream, _ stream: PublishedStream, of row: LocatedEntity) throws {
        var columns = ColumnAssignments()
        columns[stream.column] = .value(Data(content.bytes).databaseValue)
        try set(columns, of: row)
        try StreamVersions.renew(stream, of: row.table, at: row.row, type: content.contentType, in: db)
    }
}
