import EncryptionKeys
import ODataStores

extension OfflineStore {
    /// The protection of a copy of a store.
    public struct CopyProtection: Sendable {
        enum Kind {
            case asStore
            case key(EncryptionKey)
            case none
        }
        let kind: Kind

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
        try await StoreExport(folder: folder, source: database, protection: protection).write(to: path) { db in
            try omission.apply(in: db)
            try StoreValues(db: db).markCopy()
        }
    }
}
