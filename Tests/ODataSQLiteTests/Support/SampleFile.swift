import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataStores

@testable import ODataSQLite

/// A database file in a folder of its own, which goes with the value.
final class SampleFile: Sendable {
    let folder: URL
    let path: String

    init(_ sql: String = "", name: String = "sample.db") throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("odata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent(name).path
        if !sql.isEmpty { try execute(sql) }
    }

    /// A copy of the Northwind sample.
    init(northwind: URL) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("odata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("northwind.db").path
        try Data(contentsOf: northwind).write(to: URL(fileURLWithPath: path))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// As another program that knows nothing of the store.
    func execute(_ sql: String) throws {
        try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
    }

    func values(_ sql: String) throws -> [String] {
        try DatabaseQueue(path: path).read { db in
            try Row.fetchAll(db, sql: sql).map { row in
                row.databaseValues.map { $0.isNull ? "-" : String.fromDatabaseValue($0) ?? "\($0)" }
                    .joined(separator: "|")
            }
        }
    }

    func value(_ sql: String) throws -> String? { try values(sql).first }

    /// A store that keeps the file.
    func store(_ configure: (inout SQLiteStore.Configuration) -> Void = { _ in }) throws -> SQLiteStore {
        var configuration = SQLiteStore.Configuration()
        configure(&configuration)
        let now = configuration.now
        configuration.now = { withExtendedLifetime(self) { now() } }
        return try SQLiteStore(path: path, configuration: configuration)
    }
}

extension SampleFile {
    var bytes: Data { get throws { try Data(contentsOf: URL(fileURLWithPath: path)) } }
}
