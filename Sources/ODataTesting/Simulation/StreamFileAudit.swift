import Foundation
import GRDB

/// Compares the files of a store's media folder with what its databases refer to.
package struct StreamFileAudit {
    private let folder: String

    /// - Parameter folder: Of an offline store that is not encrypted; it may be open.
    package init(folder: String) {
        self.folder = folder
    }

    /// Files that belong to nothing, and streams without a file; empty if all is well.
    package var problems: [String] {
        get async throws {
            let (known, used) = try await digests()
            let files = Set(try files()).union(try await rows())
            return files.subtracting(used).sorted().map { "The file \($0) of the media folder belongs to nothing" }
                + used.subtracting(files).sorted().map { "The stream \($0) has no file" }
                + known.symmetricDifference(used).sorted().map { "The stream \($0) is known or used, and not both" }
        }
    }

    /// `ab/abcd…` holds the stream with the digest `abcd…`. The index is not a stream.
    private func files() throws -> [String] {
        let media = URL(fileURLWithPath: folder + "/media")
        let keys: [URLResourceKey] = [.isRegularFileKey]
        let found = FileManager.default.enumerator(at: media, includingPropertiesForKeys: keys)
        return try (found?.compactMap { $0 as? URL } ?? [])
            .filter { try $0.resourceValues(forKeys: Set(keys)).isRegularFile == true }
            .map(\.lastPathComponent).filter { !$0.hasPrefix("index.sqlite") }
    }

    /// The streams that are rows of the folder's index.
    private func rows() async throws -> Set<String> {
        let path = folder + "/media/index.sqlite"
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let queue = try DatabaseQueue(path: path)
        let digests = try await queue.read { db in
            try String.fetchSet(db, sql: "SELECT digest FROM content JOIN file ON id = file")
        }
        try queue.close()
        return digests
    }

    /// The streams that the databases list, and those that rows, their base versions and requests have.
    private func digests() async throws -> (known: Set<String>, used: Set<String>) {
        var known: Set<String> = []
        var used: Set<String> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".sqlite") {
            let queue = try DatabaseQueue(path: "\(folder)/\(name)")
            let found = try await queue.read { db in
                let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
                let users = tables.filter { $0 != "$media" && !$0.hasPrefix("$theirs$") && !$0.hasPrefix("$stage") }
                return (
                    try Self.digests(in: tables.filter { $0 == "$media" }, db), try Self.digests(in: users, db)
                )
            }
            known.formUnion(found.0)
            used.formUnion(found.1)
            try queue.close()
        }
        return (known, used)
    }

    private static func digests(in tables: [String], _ db: Database) throws -> Set<String> {
        var digests: Set<String> = []
        for table in tables {
            for column in try db.columns(in: table).map(\.name) where column.hasSuffix("digest") {
                let (name, source) = (column.quotedDatabaseIdentifier, table.quotedDatabaseIdentifier)
                let sql = "SELECT \(name) FROM \(source) WHERE \(name) IS NOT NULL"
                digests.formUnion(try String.fetchAll(db, sql: sql))
            }
        }
        return digests
    }
}
