import EncryptionKeys
import Foundation
import ODataStores
import SQLiteEncryption

/// The file `keys` of a store's folder, which makes the store an encrypted one.
struct StoreKeys {
    private let folder: String
    private let file: KeyFile

    init(folder: String) {
        self.folder = folder
        file = KeyFile(path: folder + "/keys")
    }

    /// The key of the store's data, which is made for a new store that is given the app's key.
    ///
    /// - Parameter key: The app's; nil for a store that is not encrypted.
    /// - Throws: ``ODataError`` `wrongKey`, `keyNeeded`, `unusableStore` if the store is not encrypted and a key is
    ///   given, or if the file is damaged or missing, `storage`.
    func open(with key: EncryptionKey?, database: String) throws -> EncryptionKey? {
        try ODataError.mappingEncryption {
            let isMade = FileManager.default.fileExists(atPath: database)
            guard file.exists else {
                guard try !EncryptedDatabase.isEncrypted(path: database) else {
                    throw ODataError(
                        .unusableStore,
                        "\(file.path) is missing, without which the store cannot be read. Restore it from a backup.")
                }
                guard let key else { return nil }
                guard !isMade else {
                    throw ODataError(
                        .unusableStore,
                        "The store in \(folder) is not encrypted, and a key was given: open it without one.")
                }
                return try file.create(for: key)
            }
            guard let key else {
                throw ODataError(.keyNeeded, "The store in \(folder) is encrypted: open it with its key.")
            }
            return try file.open(with: key)
        }
    }

    /// From now on the app's key is `key`.
    func wrap(_ inner: EncryptionKey, for key: EncryptionKey) throws {
        try ODataError.mappingEncryption { try file.wrap(inner, for: key) }
    }

    /// Makes the file of a copy of the store.
    func create(for key: EncryptionKey) throws -> EncryptionKey {
        try ODataError.mappingEncryption { try file.create(for: key) }
    }

    /// The same file for a copy of the store, for which the same keys are good.
    func copy(to folder: String) throws {
        try ODataError.mappingEncryption { try file.copy(to: KeyFile(path: folder + "/keys")) }
    }
}

extension OfflineStore {
    /// Whether the store was made with a key.
    public var isEncrypted: Bool { folder.key != nil }

    /// Makes `key` the one that opens the store, and the one before useless: one small write, whatever the store's
    /// size. After a crash at any moment one of the two opens the store, so keep both until this has returned.
    ///
    /// - Throws: ``ODataError`` `badRequest` if the store is not encrypted, `conflict` while a transfer runs, `storage`:
    ///   then either key may be the one after a power cut.
    public func rekey(to key: EncryptionKey) async throws {
        try await transferring("change of key") {
            guard let inner = folder.key else {
                throw ODataError(
                    .badRequest, "The store is not encrypted: make a new one with a key, and download into it.")
            }
            try await workLog.recording(.keyChange) { [keys = folder.keys] _ in try keys.wrap(inner, for: key) }
        }
    }
}

extension ODataError {
    /// What an error of something encrypted means.
    package init(encryption error: EncryptionError) {
        let code: Code =
            switch error.code {
            case .wrongKey: .wrongKey
            case .keyNeeded: .keyNeeded
            case .unusableKey: .badRequest
            case .inputOutput: .storage
            default: .unusableStore
            }
        self.init(code, error.message, cause: error)
    }

    static func mappingEncryption<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as EncryptionError { throw ODataError(encryption: error) }
    }
}
