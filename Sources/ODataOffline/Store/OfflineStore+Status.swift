import GRDB
import ODataStores

/// The content of an offline store and its waiting requests.
public struct StoreStatus: Sendable, Hashable {
    /// The root of the service that the store was opened with first, or has downloaded from since, without its query;
    /// nil for a store over something else than a service.
    public var service: String?
    /// Readable entities by entity set; empty sets are omitted.
    public var entities: [String: Int] = [:]
    /// Waiting requests, failed and held ones included.
    public var waitingRequests = 0
    /// Entries of the error archive.
    public var errors = 0
    /// Attachments with edits that were not posted.
    public var attachmentEdits = 0
    /// Streams in the media folder and their bytes.
    public var streams = 0
    /// The bytes of these streams; content that several entities share counts once.
    public var streamBytes: Int64 = 0
    /// Requests and edits of attachments whose content is lost: they are not sent. Such requests are in the error
    /// archive, with `mediaNotInStore`, until their streams are set again, to the same content or other.
    public var lostStreams = 0
    /// When the last complete download ended, in UTC: `2024-01-02T03:04:05`
    public var lastDownload: String?
}

extension OfflineStore {
    /// The version of the database's tables, which this release gives each store that it opens.
    package static var tableVersion: Int { StoreDatabase.version }

    /// The content of the store and its waiting requests.
    public var status: StoreStatus {
        get async throws {
            let (offline, database) = try working()
            return try await database.reading { try StoreStatus(db: $0, schema: offline.schema) }
        }
    }

    /// Removes all data, queries, streams, requests and attachments, also unsent requests and edits of attachments that
    /// were not posted: ``status`` counts them. The service's metadata stay, so the store can still be used, and so do
    /// the declaration of client-only sets and the events. The store's streams in a shared media folder are released.
    ///
    /// - Throws: ``ODataError`` `conflict` while a transfer runs, or a stream is being put into the store; if that
    ///   began meanwhile, only the data are removed: clear it again. `storage`.
    public func clear() throws {
        let time = StoreTime(date: configuration.now()).column
        try transferringNow("clearing") {
            try database.writeDurably { db in
                try streams.clearing {}
                try StoreTable.removeContent(in: db)
                try db.execute(sql: #"DELETE FROM \#(.store) WHERE "name" = 'downloaded'"#)
                try EventLog(db: db).add(.clear, at: time)
            }
            try streams.clear()
        }
    }

    /// Closes a store that was just created and is to be discarded: nothing of it is left in a shared media folder. The
    /// caller removes its own folder.
    ///
    /// - Returns: Whether it shares a media folder and no other store does.
    /// - Throws: ``ODataError`` `storage`.
    package func abandon() throws -> Bool {
        defer { try? close() }
        guard configuration.mediaFolder != nil else { return false }
        return try streams.mappingErrors { try media.leave() }
    }
}
