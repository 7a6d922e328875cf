import EncryptionKeys
import ODataStores

/// The result of a store's check.
public struct StoreCheck: Hashable, Sendable {
    /// SQLite's findings about the database; empty if it is intact.
    public var database: [String] = []
    /// Digests of streams that are not in the media folder.
    public var missingStreams: Set<String> = []
    /// Digests of streams whose bytes have changed.
    public var damagedStreams: Set<String> = []

    /// Digests of unsent streams that are missing or damaged: no download can restore them.
    public var lostStreams: Set<String> = []

    /// Whether no damage was found; a download cannot repair ``lostStreams``.
    public var isSound: Bool {
        database.isEmpty && missingStreams.isEmpty && damagedStreams.isEmpty && lostStreams.isEmpty
    }
}

extension OfflineStore {
    /// Checks the database and the media folder for damage without changing anything. Missing streams and those of
    /// another length are recorded when the store is opened, those with other bytes when they are read or sent, or by
    /// ``noteDamage(_:)``; the next download fetches them again, but for ``StoreCheck/lostStreams``.
    ///
    /// - Parameters:
    ///   - readsStreams: Whether all streams are read to compare their bytes, which takes as long as reading the media
    ///     folder; else only their lengths are compared.
    ///   - onProgress: Called with the bytes of streams that were read, and those that are to be.
    /// - Throws: ``ODataError`` `unusableStore` if the database cannot be read at all, `cancelled`.
    public func check(
        readsStreams: Bool = true, onProgress: (@Sendable (_ bytes: Int64, _ total: Int64) -> Void)? = nil
    ) async throws -> StoreCheck {
        try checkOpen()
        var check = StoreCheck()
        try await check.run(database, media, readsStreams: readsStreams, onProgress: onProgress)
        return check
    }

    /// Makes the next download fetch the damaged streams of a check again. Unsent streams are not changed: only this
    /// device has them.
    ///
    /// - Throws: ``ODataError`` `methodNotAllowed` if the store was opened for reading only, `storage`.
    public func noteDamage(_ check: StoreCheck) async throws {
        let (offline, database) = try working()
        try await database.writing { db in
            let index = MediaIndex(db: db, schema: offline.schema)
            try index.forgetContent(of: check.damagedStreams.subtracting(index.made))
        }
    }

    /// The requests that were not sent, as far as they can still be read in a damaged store. No process may have the
    /// store open.
    ///
    /// - Parameters:
    ///   - folder: That of the store.
    ///   - key: Of an encrypted store.
    /// - Throws: ``ODataError`` `unusableStore` if not even the list of requests can be found, `wrongKey`, `keyNeeded`.
    public static func rescueQueue(folder: String, key: EncryptionKey? = nil) throws -> [QueueEntry] {
        try RequestQueue.rescued(from: StoreFolder(path: folder, key: key, isReadOnly: true))
    }
}
