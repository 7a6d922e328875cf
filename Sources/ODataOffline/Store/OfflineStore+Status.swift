import GRDB
import ODataStores

/// What an offline store holds and what waits.
public struct StoreStatus: Sendable, Hashable {
    /// Entities that can be read, by entity set; sets that the store has nothing of are left out.
    public var entities: [String: Int] = [:]
    /// Requests that wait to be sent, failed and held ones among them.
    public var waitingRequests = 0
    /// Entries of the error archive.
    public var errors = 0
    /// Attachments with edits that were not posted.
    public var attachmentEdits = 0
    /// Streams in the media folder and their bytes.
    public var streams = 0
    /// The bytes of these streams; content that several entities share counts once.
    public var streamBytes: Int64 = 0
    /// Requests whose streams are lost, and edits of attachments whose content is: they are not sent. Such requests are in
    /// the error archive, with `mediaNotInStore`, until their streams are set again, to the same content or other.
    public var lostStreams = 0
    /// When the last complete download ended, in UTC: `2024-01-02T03:04:05`
    public var lastDownload: String?
}

extension OfflineStore {
    /// The version of the database's tables: of each store that this release has opened.
    package static var tableVersion: Int { StoreDatabase.version }

    /// What the store holds and what waits.
    public var status: StoreStatus {
        get async throws {
            let (offline, database) = try working()
            return try await database.reading { try StoreStatus(db: $0, schema: offline.schema) }
        }
    }

    /// Removes all data, queries, streams, requests and attachments, also requests that were not sent and edits of
    /// attachments that were not posted: ``status`` tells of them. The service's metadata stays, so the store can be used
    /// on, and so do the declaration of client-only sets and the events. A media folder that the store shares with others
    /// has nothing for it any more.
    ///
    /// - Throws: ``ODataError`` `conflict` while a transfer runs, or a stream is being put into the store; where that began
    ///   meanwhile, only the data are gone: to be cleared again. `storage`.
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

    /// Closes a store that was just made and is not to be after all: nothing of it is left in a media folder that it shares.
    /// Its own folder is the caller's to remove.
    ///
    /// - Returns: Whether it shares a media folder and no other store does.
    /// - Throws: ``ODataError`` `storage`.
    package func abandon() throws -> Bool {
        defer { try? close() }
        guard configuration.mediaFolder != nil else { return false }
        return try streams.mappingErrors { try media.leave() }
    }
}
