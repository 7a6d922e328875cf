import Foundation
import GRDB
import ODataStores

/// Looks at a file when it is opened, and makes the tables that the store keeps in it.
struct FilePreparation {
    let path: String
    let configuration: SQLiteStore.Configuration
    let changeLog: ChangeLog?

    func run(in pool: DatabasePool) throws -> PublishedSchema {
        guard !configuration.isReadOnly else {
            return try pool.read { db in
                try publish(db, hasStreamVersions: try StreamVersions.exist(in: db))
            }
        }
        try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
        return try pool.write { db in
            let schema = try publish(db, hasStreamVersions: true)
            let tables = schema.tables.values.sorted { $0.name < $1.name }
            if tables.contains(where: { !$0.allStreams.isEmpty }) || changeLog != nil {
                try StreamVersions.createTable(in: db)
            }
            try RepeatabilityLog.createTable(in: db)
            try RepeatabilityLog.expire(before: configuration.now(), in: db)
            try changeLog?.prepare(tables, in: db)
            return schema
        }
    }

    private func publish(_ db: Database, hasStreamVersions: Bool) throws -> PublishedSchema {
        StoredForm.install(on: db)
        defer { StoredForm.remove(from: db) }
        var publisher = SchemaPublisher(
            db: db, configuration: configuration, hasStreamVersions: hasStreamVersions,
            hasTriggers: changeLog != nil)
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        return try publisher.publish(as: name)
    }
}
