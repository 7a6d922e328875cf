import GRDB
import MediaFiles
import MediaIndexes
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// A stream of an entity in an offline store: of a media entity, or a stream property with content.
public struct StreamEntry: Hashable, Sendable {
    /// The location of a stream's content.
    public enum State: String, Hashable, Sendable {
        /// On the device, in the service's version.
        case inStore
        /// Not on the device: no query with streams holds it, it was not downloaded yet, or it was lost.
        case missing
        /// Evicted, or too large for the quota: fetched when it is read, not by a refresh.
        case evicted
        /// Set on the device and not sent.
        case unsent
    }

    /// `Photos(1)`, `Customers('A')/Logo`
    public var path: String
    /// `image/jpeg`, where known.
    public var contentType: String?
    /// In bytes; nil where the stream is not on the device.
    public var length: Int64?
    /// The SHA-256 of its bytes; nil if they were never received. ``StoreCheck`` identifies streams by it.
    public var digest: String?
    /// Whether a read needs the service, and whether an upload has something to send.
    public var state: State
    /// Whether it is never evicted: ``OfflineStore/pin(_:)``.
    public var isPinned: Bool
    /// The bytes of its thumbnails.
    public var thumbnailBytes: Int64 = 0
    /// The bytes of its partial content, or that of another version, which a download continues.
    public var partialBytes: Int64 = 0
}

/// The bytes in the media folder, also those of other stores that share it, which count for
/// ``OfflineStore/Configuration/mediaQuota``.
public struct MediaUse: Hashable, Sendable {
    /// Of complete streams.
    public var streams: Int64
    /// Of their thumbnails.
    public var thumbnails: Int64
    /// Of partial streams.
    public var partialStreams: Int64

    /// All three in bytes.
    public init(streams: Int64 = 0, thumbnails: Int64 = 0, partialStreams: Int64 = 0) {
        self.streams = streams
        self.thumbnails = thumbnails
        self.partialStreams = partialStreams
    }

    /// The sum of the three, which ``OfflineStore/Configuration/mediaQuota`` is compared with.
    public var total: Int64 { streams + thumbnails + partialStreams }
}

extension OfflineStore {
    /// The streams of all entities in the store, by entity set.
    ///
    /// - Throws: ``ODataError`` `storage` if the database or the media folder cannot be read.
    public func streamEntries() async throws -> [StreamEntry] {
        let (offline, database) = try working()
        // Those that another store let go have no mark yet.
        let evicted = try mappingMediaErrors { try media.evicted }
        let (thumbnails, partials) = try mappingMediaErrors {
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
            let use = try mappingMediaErrors { try media.use }
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
            try self.collectMedia(in: db)
            let after = try MediaIndex(db: db, schema: nil).total
            return (streams: before.streams - after.streams, bytes: before.bytes - after.bytes)
        }
    }
}

private struct StreamList {
    let db: Database
    let schema: LocalSchema
    let media: FolderIndex
    let evicted: Set<String>
    /// By the digest of the stream.
    let thumbnails: [String: Int64]
    /// By the name of the partial stream in the folder.
    let partials: [String: Int64]

    func entries() throws -> [StreamEntry] {
        var entries: [StreamEntry] = []
        for table in schema.tables.values.sorted(by: { $0.name < $1.name }) where try db.tableExists(table.name) {
            for stream in table.streams { try add(stream, of: table, to: &entries) }
        }
        return entries
    }

    private func add(_ stream: LocalStream, of table: LocalTable, to entries: inout [StreamEntry]) throws {
        let pinned = try Int64.fetchSet(
            db, sql: #"SELECT "row" FROM "$pin" WHERE "set" = ? AND "stream" = ?"#,
            arguments: [table.set.name, stream.property ?? ""])
        let cursor = try Row.fetchCursor(
            db,
            sql: """
                SELECT * FROM \(quoted(table.name)) WHERE "$state" & \(LocalState.deletedHere.rawValue) = 0
                AND (\(quoted(stream.digest)) IS NOT NULL OR \(isAtService(stream))) ORDER BY "$id"
                """)
        let paths = RowPath(db: db, schema: schema)
        while let row = try cursor.next() {
            guard let path = try paths.path(of: stream, of: row, in: table) else { continue }
            entries.append(entry(of: stream, at: path.url, row, isPinned: pinned.contains(row["$id"])))
        }
    }

    /// The content was never received, and the service has not returned that this version has none.
    private func isAtService(_ stream: LocalStream) -> String {
        let version = "coalesce(\(quoted(stream.etag)), \"$etag\", '')"
        let isOpen = "\(quoted(stream.changed)) = 0 AND \(quoted(stream.fetched)) IS NOT \(version)"
        // For a stream property without control information this is unknown before a request.
        let known = stream.control.map { "\(quoted($0)) IS NOT NULL" }.joined(separator: " OR ")
        return stream.property == nil ? isOpen : "\(isOpen) AND (\(known))"
    }

    private func entry(of stream: LocalStream, at path: String, _ row: Row, isPinned: Bool) -> StreamEntry {
        let digest: String? = row[stream.digest]
        let length = digest.flatMap { media.length(digest: $0) }
        let (isChanged, isMarked): (Bool?, Bool?) = (row[stream.changed], row[stream.evicted])
        let state: StreamEntry.State =
            if length != nil {
                isChanged == true ? .unsent : .inStore
            } else {
                isMarked == true || digest.map(evicted.contains) == true ? .evicted : .missing
            }
        return StreamEntry(
            path: path, contentType: row[stream.type], length: length, digest: digest, state: state,
            isPinned: isPinned, thumbnailBytes: digest.flatMap { thumbnails[$0] } ?? 0,
            partialBytes: partials.isEmpty ? 0 : partials[media.folder.partialName(for: path)] ?? 0)
    }
}
