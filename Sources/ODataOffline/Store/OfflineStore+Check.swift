import EncryptionKeys
import ODataStores

/// What a check of a store has found.
public struct StoreCheck: Hashable, Sendable {
    /// What SQLite says of the database; empty if it is sound.
    public var database: [String] = []
    /// Digests of streams that are not in the media folder.
    public var missingStreams: Set<String> = []
    /// Digests of streams of other bytes than they had.
    public var damagedStreams: Set<String> = []

    /// Digests of streams that were set here and not sent, and that are missing or damaged: no download brings them back.
    public var lostStreams: Set<String> = []

    /// Whether nothing at all was found; what ``lostStreams`` names cannot be mended by a download.
    public var isSound: Bool {
        database.isEmpty && missingStreams.isEmpty && damagedStreams.isEmpty && lostStreams.isEmpty
    }
}

extension OfflineStore {
    /// Looks for damage in the database and the media folder, and changes nothing. Missing streams and those of another
    /// length are noted when the store is opened, those with other bytes when they are read or sent, or by
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

    /// Lets the next download fetch again what a check has found damaged. What was set here and not sent stays as it is:
    /// only this device has it.
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
