import EncryptionKeys
import Foundation
import GRDB
import ODataStores
import SQLiteEncryption

/// Copies a store for support: see ``OfflineStore/export(to:omitting:protection:)``.
struct StoreExport {
    let folder: StoreFolder
    let source: StoreDatabase
    let protection: OfflineStore.CopyProtection

    /// - Parameters:
    ///   - path: A folder that does not exist or is empty.
    ///   - omit: Takes out of the copy what is to be omitted.
    func write(to path: String, omit: @escaping @Sendable (Database) throws -> Void) async throws {
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
            // What is to be omitted must not be on the device in plain text.
            let copied = try await copy(source.pool, to: raw, key: folder.key == nil ? nil : .random())
            try await copied.write(omit)
            // Once more: what was omitted must not stand in free pages.
            try await copy(copied, to: path + "/store.sqlite", key: try key(in: path)).close()
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
    private func key(in path: String) throws -> EncryptionKey? {
        switch protection.kind {
        case .none: return nil
        case .key(let key): return try StoreKeys(folder: path).create(for: key)
        case .asStore:
            if folder.key != nil { try folder.keys.copy(to: path) }
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
