import EncryptionKeys
import Foundation
import GRDB
import ODataModel
import ODataSQL
import ODataSQLite
import ODataStores
import SQLiteEncryption

extension OfflineStore {
    /// How a copy of a store is protected.
    public struct CopyProtection: Sendable {
        fileprivate enum Kind {
            case asStore
            case key(EncryptionKey)
            case none
        }
        fileprivate let kind: Kind

        /// With the key of the store, if that is encrypted.
        public static let asStore = CopyProtection(kind: .asStore)
        /// Nobody needs a key to read the copy.
        public static let none = CopyProtection(kind: .none)

        /// With another key.
        public static func key(_ key: EncryptionKey) -> CopyProtection { CopyProtection(kind: .key(key)) }
    }

    /// Makes a copy of the store in the folder `path`, for support: without media, and without the values of the
    /// properties in `properties`. It can be opened like a store.
    ///
    /// Omitted values are null; where a property must not be null, they are as many `x`, zero bytes, or zero. They are
    /// omitted from all versions of entities and from the bodies of waiting and refused requests. What stays: keys,
    /// URLs of defining queries and requests, headers, the service's own error messages, names and lengths of streams,
    /// and all other properties.
    ///
    /// - Parameters:
    ///   - path: A folder that does not exist or is empty.
    ///   - properties: `Orders/Note`: an entity set and a property.
    ///   - protection: Whose key opens the copy.
    /// - Throws: ``ODataError`` `badRequest` if a property is unknown or part of a key, `storage`.
    public func export(
        to path: String, omitting properties: [String] = [], protection: CopyProtection = .asStore
    ) async throws {
        let omission = try Omission(properties, schema: offlineModel().schema)
        let manager = FileManager.default
        do {
            try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
            guard try manager.contentsOfDirectory(atPath: path).isEmpty else {
                throw ODataError(.badRequest, "\(path) is not empty: give a folder of its own for the copy.")
            }
            let raw = path + "/.copy.sqlite"
            defer { try? manager.removeItem(atPath: raw) }
            if case .key = protection.kind { try EncryptedDatabase.activate() }
            // What is to be omitted must not be on the device in plain text.
            let copied = try await copy(database.pool, to: raw, key: isEncrypted ? .random() : nil)
            try await copied.write { db in try omission.apply(in: db) }
            // Once more: what was omitted must not stand in free pages.
            try await copy(copied, to: path + "/store.sqlite", key: try key(for: protection, in: path)).close()
            try copied.close()
        } catch let error as DatabaseError {
            throw ODataError(database: error)
        } catch let error as EncryptionError {
            throw ODataError(encryption: error)
        } catch let error as ODataError {
            throw error
        } catch {
            throw ODataError(.storage, "The copy cannot be made in \(path): \(error)", cause: error)
        }
    }

    /// The key of a copy's data, with the file in the copy's folder that holds it.
    private func key(for protection: CopyProtection, in path: String) throws -> EncryptionKey? {
        switch protection.kind {
        case .none: return nil
        case .key(let key): return try StoreKeys(folder: path).create(for: key)
        case .asStore:
            if isEncrypted { try folder.keys.copy(to: path) }
            return folder.key
        }
    }

    /// - Parameter key: Of the copy; nil for plain text.
    @discardableResult
    private func copy(
        _ database: any DatabaseWriter, to path: String, key: EncryptionKey?
    ) async throws -> DatabaseQueue {
        // The open connection makes SQLite encrypt what is written to this path.
        let copy = try EncryptedDatabase.openQueue(path: path, key: key, configuration: StoreDatabase.configuration)
        try await database.writeWithoutTransaction { db in
            try db.execute(sql: "VACUUM INTO ?", arguments: [path])
        }
        return copy
    }
}

/// Takes the values of properties out of a copy of a store.
struct Omission: Sendable {
    private let columns: [(table: LocalTable, column: LocalColumn)]

    init(_ properties: [String], schema: LocalSchema) throws {
        columns = try properties.map { path in
            let parts = path.split(separator: "/").map(String.init)
            guard parts.count == 2, let table = schema.tables[parts[0]], let column = table.column(of: parts[1]) else {
                throw ODataError(.badRequest, "\(path) is no property of an entity set: Orders/Note.")
            }
            guard !column.isKey else {
                throw ODataError(.badRequest, "\(path) is part of the key: keys are in URLs and cannot be omitted.")
            }
            return (table, column)
        }
    }

    func apply(in db: Database) throws {
        for (table, column) in columns {
            let name = quoted(column.name)
            for version in try table.versions(in: db) {
                try db.execute(
                    sql: """
                        UPDATE \(quoted(version)) SET \(name) = \(column.property.isNullable ? "NULL" : Self.mask(name))
                        WHERE \(name) IS NOT NULL
                        """)
            }
        }
        for set in Set(columns.map(\.table.set.name)) { try omitBodies(of: set, in: db) }
    }

    /// A value of the same length.
    private static func mask(_ column: String) -> String {
        """
        CASE typeof(\(column)) WHEN 'text' THEN replace(hex(zeroblob(length(\(column)))), '00', 'x')
        WHEN 'blob' THEN zeroblob(length(\(column))) ELSE 0 END
        """
    }

    private func omitBodies(of set: String, in db: Database) throws {
        let names = Set(columns.filter { $0.table.set.name == set }.map(\.column.property.name))
        for (table, entry) in [("$queue", "id"), ("$error", "entry")] {
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT b."id", CAST(b."body" AS BLOB) AS "body" FROM \(quoted(table)) b
                    JOIN "$queue" q ON q."id" = b.\(quoted(entry)) WHERE q."set" = ? AND b."body" IS NOT NULL
                    """, arguments: [set])
            for row in rows {
                let less = try Self.body(row["body"], without: names)
                // As the column keeps it: bytes in the queue, text in the archive.
                let value = table == "$queue" ? less.databaseValue : String(decoding: less, as: UTF8.self).databaseValue
                try db.execute(
                    sql: "UPDATE \(quoted(table)) SET \"body\" = ? WHERE \"id\" = ?",
                    arguments: [value, row["id"] as Int64])
            }
        }
    }

    private static func body(_ body: Data, without names: Set<String>) throws -> Data {
        guard var members = try JSONSerialization.jsonObject(with: body) as? [String: Any] else { return body }
        for name in names where members[name] != nil { members[name] = NSNull() }
        return try JSONSerialization.data(withJSONObject: members, options: .sortedKeys)
    }
}

extension LocalTable {
    /// The tables that are there of the set's rows: live, shadow and stage tables.
    func versions(in db: Database) throws -> [String] {
        let slots = try Int.fetchAll(db, sql: #"SELECT "slot" FROM "$node" WHERE "set" = ?"#, arguments: [set.name])
        return try ([name, baseName, theirsName] + slots.map { "$stage$\($0)" }).filter { try db.tableExists($0) }
    }
}
