import GRDB
import ODataStores

extension OfflineStore {
    /// The streams of all entities in the store, by entity set.
    ///
    /// - Throws: ``ODataError`` `storage` if the database or the media folder cannot be read.
    public func streamEntries() async throws -> [StreamEntry] {
        let (offline, database) = try working()
        // Those that another store let go have no mark yet.
        let evicted = try streams.mappingErrors { try media.evicted }
        let (thumbnails, partials) = try streams.mappingErrors {
            (try media.derivedLengths, try media.folder.partialLengths)
        }
        return try await database.reading { [media] db in
            try StreamList(
                db: db, schema: offline.schema, media: media, evicted: evicted, thumbnails: thumbnails,
                partials: partials
            ).entries()
        }
    }

    /// The bytes in the media folder.
    ///
    /// - Throws: ``ODataError`` `storage` if the folder cannot be read, `cancelled` if the store is closed.
    public var mediaUse: MediaUse {
        get async throws {
            try checkOpen()
            let use = try streams.mappingErrors { try media.use }
            return MediaUse(streams: use.streams, thumbnails: use.derived, partialStreams: use.partials)
        }
    }

    /// Removes the streams without a reference from an entity, request or attachment. The store does so itself after
    /// each operation that releases streams, and for the leftovers of an ended process when it is opened. Nothing is
    /// removed while streams are being stored.
    ///
    /// - Returns: The number of removed streams, and their bytes.
    /// - Throws: ``ODataError`` `storage`.
    @discardableResult
    public func collectStreams() async throws -> (streams: Int, bytes: Int64) {
        try await working().database.writing { db in
            let before = try MediaIndex(db: db, schema: nil).total
            try self.streams.collect(in: db)
            let after = try MediaIndex(db: db, schema: nil).total
            return (streams: before.streams - after.streams, bytes: before.bytes - after.bytes)
        }
    }
}
