import EncryptionKeys
import Foundation
import GRDB
import ODataFormats
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores
import SQLiteEncryption

extension OfflineStore {
    /// The protection of a copy of a store.
    public struct CopyProtection: Sendable {
        fileprivate enum Kind {
            case asStore
            case key(EncryptionKey)
            case none
        }
        fileprivate let kind: Kind

        /// With the key of the store, if it is encrypted.
        public static let asStore = CopyProtection(kind: .asStore)
        /// The copy is not encrypted.
        public static let none = CopyProtection(kind: .none)

        /// With another key.
        public static func key(_ key: EncryptionKey) -> CopyProtection { CopyProtection(kind: .key(key)) }
    }

    /// Copies the store to the folder `path`, for support: without media, and without the values of the properties in
    /// `properties`. It can be opened as a read-only store: its requests are those of this device, so changes,
    /// downloads and uploads are refused.
    ///
    /// Omitted values are null; where a property must not be null, they are as many `x`, zero bytes, or zero. They are
    /// omitted from all versions of entities and from the bodies of waiting and refused requests; from the arguments of
    /// actions, whatever they are bound to, at any depth. Retained are keys, URLs of defining queries and requests,
    /// headers, the service's own error messages, names and lengths of streams, and all other properties. With omitted
    /// properties the copy has no attachments.
    ///
    /// - Parameters:
    ///   - path: A folder that does not exist or is empty.
    ///   - properties: `Orders/Note`: an entity set and a property.
    ///   - protection: How the copy is encrypted.
    /// - Throws: ``ODataError`` `badRequest` if a property is unknown or part of a key, `storage`.
    public func export(
        to path: String, omitting properties: [String] = [], protection: CopyProtection = .asStore
    ) async throws {
        let (offline, database) = try working()
        let omission = try Omission(properties, offline: offline)
        let manager = FileManager.default
        var isFolder: ObjCBool = false
        guard !manager.fileExists(atPath: path, isDirectory: &isFolder) || isFolder.boolValue else {
            throw ODataError(.badRequest, "\(path) is a file: give a folder of its own for the copy.")
        }
        do {
            try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
            guard try manager.contentsOfDirectory(atPath: path).isEmpty else {
                throw ODataError(.badRequest, "\(path) is not empty: give a folder of its own for the copy.")
            }
            OwnerAccess.restrict(path)
            let raw = path + "/.copy.sqlite"
            defer { try? manager.removeItem(atPath: raw) }
            if case .key = protection.kind { try EncryptedDatabase.activate() }
            // Omitted values must not be written to the device in plain text.
            let copied = try await copy(database.pool, to: raw, key: isEncrypted ? .random() : nil)
            try await copied.write { db in
                try omission.apply(in: db)
                try StoreValues(db: db).markCopy()
            }
            // Vacuum again: omitted values must not remain in free pages.
            try await copy(copied, to: path + "/store.sqlite", key: try key(for: protection, in: path)).close()
            try copied.close()
        } catch let error as DatabaseError {
            throw ODataError(database: error)
        } catch let error as EncryptionError {
            throw ODataError(encryption: error)
        } catch let error as ODataError {
            throw error
        } catch {
            throw ODataError(.storage, "The copy cannot be made in \(path): \(error.fileReason).", cause: error)
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
        if key == nil { OwnerAccess.makeFile(path) }
        // The open connection makes SQLite encrypt what is written to this path.
        let copy = try EncryptedDatabase.openQueue(path: path, key: key, configuration: StoreDatabase.configuration)
        try await database.writeWithoutTransaction { db in
            try db.execute(sql: "VACUUM INTO ?", arguments: [path])
        }
        return copy
    }
}

/// Removes the values of properties from a copy of a store.
struct Omission: Sendable {
    private let offline: OfflineModel
    private let columns: [(table: LocalTable, column: LocalColumn)]

    init(_ properties: [String], offline: OfflineModel) throws {
        self.offline = offline
        columns = try properties.map { path in
            let parts = path.split(separator: "/").map(String.init)
            guard parts.count == 2, let table = offline.schema.tables[parts[0]], let column = table.column(of: parts[1])
            else {
                throw ODataError(.badRequest, "\(path) is not a property of an entity set: Orders/Note.")
            }
            guard !column.isKey else {
                throw ODataError(.badRequest, "\(path) is part of the key: keys are in URLs and cannot be omitted.")
            }
            return (table, column)
        }
    }

    func apply(in db: Database) throws {
        // The URL of an upload may suffice to write to it.
        try db.execute(sql: #"DELETE FROM "$transfer""#)
        let search = LocalSearch(db: db, schema: offline.schema)
        for set in offline.schema.tables.keys { try search.remove(of: set) }
        for name in MediaPlace.values {
            try db.execute(sql: #"DELETE FROM "$store" WHERE "name" = ?"#, arguments: [name])
        }
        // The streams are not there.
        try db.execute(sql: #"DELETE FROM "$media""#)
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
        guard !columns.isEmpty else { return }
        try omitBodies(in: db)
        // Names and keywords, which back ends take from any property.
        try db.execute(sql: #"DELETE FROM "$attachment""#)
        // The greatest value of a property that tells of changes.
        for name in Set(columns.map(\.column.property.name)) {
            try db.execute(sql: #"UPDATE "$query" SET "since" = NULL WHERE "changedSince" = ?"#, arguments: [name])
        }
    }

    /// A value of the same length.
    private static func mask(_ column: String) -> String {
        """
        CASE typeof(\(column)) WHEN 'text' THEN replace(hex(zeroblob(length(\(column)))), '00', 'x')
        WHEN 'blob' THEN zeroblob(length(\(column))) ELSE 0 END
        """
    }

    private func omitBodies(in db: Database) throws {
        for record in try RequestQueue(db: db).all() {
            for (table, id) in [("$queue", "id"), ("$error", "entry")] {
                let condition = "WHERE \(quoted(id)) = ?"
                let text = try String.fetchOne(
                    db, sql: "SELECT \"body\" FROM \(quoted(table)) \(condition)", arguments: [record.id])
                guard let text else { continue }
                try db.execute(
                    sql: "UPDATE \(quoted(table)) SET \"body\" = ? \(condition)",
                    arguments: [body(text, of: record, in: db), record.id])
            }
        }
    }

    /// The body without values; nil if it cannot be read.
    private func body(_ text: String, of record: QueueRecord, in db: Database) -> String? {
        var record = record
        record.body = Data(text.utf8)
        let line = RequestLine(db: db, offline: offline)
        if record.operation == .call {
            // Arguments are matched to properties by name.
            let names = Set(columns.map { $0.column.property.name.lowercased() })
            guard let arguments = try? line.arguments(of: record) else { return nil }
            return String(decoding: Self.without(names, in: .complex(arguments)).jsonText, as: UTF8.self)
        }
        guard let set = offline.schema.tables[record.set]?.set,
            var payload = try? RequestLine.read(Data(text.utf8), of: set, offline)
        else { return nil }
        for (table, column) in columns where table.set.name == record.set {
            if payload.properties[column.property.name] != nil { payload.properties[column.property.name] = .null }
        }
        return String(
            decoding: JSONPayload.bytes(payload, type: set.type, model: offline.model), as: UTF8.self)
    }

    private static func without(_ names: Set<String>, in value: EdmValue) -> EdmValue {
        switch value {
        case .collection(let values): .collection(values.map { without(names, in: $0) })
        case .complex(let complex):
            .complex(
                EdmComplexValue(
                    complex.members.map { member in
                        let isOmitted = names.contains(member.name.lowercased())
                        return .init(name: member.name, value: isOmitted ? .null : without(names, in: member.value))
                    }))
        default: value
        }
    }
}

extension LocalTable {
    /// The tables that are there of the set's rows: live, shadow and stage tables.
    func versions(in db: Database) throws -> [String] {
        let slots = try Int.fetchAll(db, sql: #"SELECT "slot" FROM "$node" WHERE "set" = ?"#, arguments: [set.name])
        return try ([name, baseName, theirsName] + slots.map { "$stage$\($0)" }).filter { try db.tableExists($0) }
    }
}
