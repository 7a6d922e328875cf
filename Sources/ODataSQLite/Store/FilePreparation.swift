import Foundation
import GRDB
import ODataStores
import SQLiteEncryption

/// Scans a file when it is opened, and creates the store's own tables in it.
struct FilePreparation {
    let path: String
    let configuration: SQLiteStore.Configuration
    let changeLog: ChangeLog?
    /// Nil for another program's file.
    var declared: DeclaredModel?

    /// - Parameter commits: Detects later commits.
    func run(in pool: DatabasePool, watching commits: ExternalCommitDetector) throws -> PublishedSchema {
        guard !configuration.isReadOnly else {
            return try pool.readNow { db in
                _ = try commits.isNews(db)
                return try published(db)
            }
        }
        try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
        return try pool.write { db in
            try commits.look(db)
            return try prepared(db)
        }
    }

    /// The schema that can be served without a change of the file.
    func published(_ db: Database) throws -> PublishedSchema {
        var schema = try publish(db, streamVersions: try StreamVersions.contents(in: db))
        if declared == nil { try schema.takeSearchIndexes(in: db, makes: false) }
        schema.version = try Self.schemaVersion(db)
        return schema
    }

    /// The schema, with the store's own tables in the file.
    func prepared(_ db: Database) throws -> PublishedSchema {
        var schema = try publish(
            db, streamVersions: .versionsAndTypes, makesIndexes: configuration.createsIndexes)
        try schema.makeTables(in: db)
        if declared == nil { try schema.takeSearchIndexes(in: db, makes: configuration.indexesText) }
        let tables = schema.tables.values.sorted { $0.name < $1.name }
        if tables.contains(where: { !$0.allStreams.isEmpty }) || changeLog != nil {
            try StreamVersions.createTable(in: db)
        }
        try RepeatabilityLog.createTable(in: db)
        try UploadTable.create(in: db)
        try RepeatabilityLog.expire(before: configuration.now(), in: db)
        try changeLog?.prepare(tables, in: db)
        schema.version = try Self.schemaVersion(db)
        return schema
    }

    /// A number that changes with the file's schema.
    static func schemaVersion(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "PRAGMA main.schema_version") ?? 0
    }

    private func publish(
        _ db: Database, streamVersions: StreamVersions.Contents, makesIndexes: Bool = false
    ) throws -> PublishedSchema {
        if let declared {
            let versions: RowSourceBuilder.Versions =
                changeLog != nil ? .complete : streamVersions != .nothing ? .ofOwnChanges : .none
            var builder = DeclaredSchemaBuilder(
                declared, versions: versions, keepsTypes: streamVersions == .versionsAndTypes)
            return try builder.schema()
        }
        StoredForm.install(on: db)
        defer { StoredForm.remove(from: db) }
        var publisher = SchemaPublisher(
            db: db, configuration: configuration, streamVersions: streamVersions,
            hasTriggers: changeLog != nil, makesIndexes: makesIndexes)
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        return try publisher.publish(as: name)
    }
}
