import EncryptionKeys
import Foundation
import Logging
import MediaIndexes
import ODataModel
import ODataStores

extension OfflineStore {
    /// The configuration of a store.
    public struct Configuration: Sendable {
        /// Entities per page of local reads; nil for results without pages.
        public var pageSize: Int?
        /// Entities per page that a download requests (`Prefer: maxpagesize`).
        public var downloadPageSize = 1000
        /// Whether a download that reads all entities of a defining query requests their number with the first page,
        /// for ``DownloadProgress/totalEntities``, as `$count=true` in the query does (V2: `$inlinecount=allpages`).
        /// Not if the metadata exclude counting; if the service refuses, the request is repeated without it. Some
        /// services count again for each page. [OData-Protocol, section 11.2.6.5]
        public var countsEntities = false
        /// The number of defining queries that are downloaded at a time.
        public var parallelQueries = 2
        /// The number of media streams that are downloaded at a time.
        public var parallelStreams = 4
        /// The maximum number from one host, if media links lead to several hosts; nil for no limit.
        public var parallelStreamsPerHost: Int?
        /// The priority of streams by the name of their defining query, the greatest first, after pinned streams; 0 for
        /// other queries.
        public var streamPriorities: [String: Int] = [:]
        /// The number of parts in which a large stream is downloaded concurrently, if the service supports ranges with
        /// a strong ETag; 1 for no parts.
        public var streamParts = 1
        /// The minimum number of bytes of such a part.
        public var streamPartLength: Int64 = 16 * 1024 * 1024
        /// Whether a change has been written to the disk when its call returns. Otherwise it survives the end of the
        /// process, but the last changes may be lost if the device loses power; changes are then much faster.
        public var changesSurvivePowerLoss = true
        /// Whether changes of the same entity are combined into one request before they are sent; ``RequestOptions`` of
        /// a change take precedence.
        public var combinesRequests = true
        /// Resolves conflicts: entities with waiting changes that the service has changed or deleted.
        public var conflictResolver = ConflictResolver.hold
        /// Resolvers by the name of the entity set, for sets that do not use ``conflictResolver``.
        public var conflictResolvers: [String: ConflictResolver] = [:]
        /// The maximum number of requests in one `$batch`; 1 to send each separately. Only independent requests are
        /// sent together.
        public var batchSize = 100
        /// How a new entity with nested entities is sent. The event of the upload names the form that was used.
        public var deepInserts = DeepInsertForm.automatic
        /// The number of requests or batches that an upload sends at a time. Above 1, independent requests may reach
        /// the service in another order than they were made.
        public var parallelUploads = 1
        /// The mechanism that ensures that the service executes each request once.
        public var exactlyOnce = ExactlyOnce.automatic
        /// Decides the outcome of a request whose response was lost, if it cannot be determined otherwise.
        public var unconfirmed: @Sendable (UnconfirmedRequest) async -> UnconfirmedRequest.Decision = { _ in .hold }
        /// The app's own entity sets, as a metadata document: ``OfflineStore/addLocalSets(csdl:)`` with each opening.
        public var localSets: String?
        /// A folder for the streams of several stores, also of different processes, which stores the same content once.
        /// Nil for a separate folder of the store. A store is always opened with the same folder, which it recognises
        /// by the id in the folder's index, even if it was moved; before a store's own folder is removed,
        /// ``OfflineStore/clear()`` releases its streams.
        public var mediaFolder: String?
        /// Whether the store's previous shared folder is lost and ``mediaFolder`` replaces it, created if it does not
        /// exist: the next download fetches its streams again, and requests with unsent streams are in the error
        /// archive (`mediaNotInStore`). To be set once: otherwise another or a missing folder is refused.
        public var replacesMediaFolder = false
        /// The key of ``mediaFolder``, the same for all its stores: an encrypted store needs one. A `KeyFile` can hold it.
        public var mediaKey: EncryptionKey?
        /// The maximum number of bytes of the streams in the media folder, their thumbnails and partial streams
        /// (``OfflineStore/mediaUse``); nil for no limit. Above it, the least recently used streams are evicted, their
        /// thumbnails first, and are fetched again when they are read, not by a refresh. Unsent streams, attachments
        /// and pinned streams (``OfflineStore/pin(_:)``) stay even beyond it, without their thumbnails; so do partial
        /// streams, which the next download completes or discards.
        public var mediaQuota: Int64?
        /// Decides which streams may be fetched and sent now; nil for all.
        public var networkPolicy: (any NetworkPolicy)?
        /// Creates small images of streams. Nil: ImageIO on Apple platforms; on Linux `vipsthumbnail` or
        /// `gdk-pixbuf-thumbnailer`, if one is installed.
        public var thumbnailer: (any ThumbnailMaker)?
        /// Gets a line for each operation of the event log that begins or ends, for conflicts and for retries; silent by
        /// default. Values of entities are not in it: ``OfflineStore/events()`` has the messages of errors.
        public var logger = Logger(label: "OfflineStore") { _ in SwiftLogNoOpLogHandler() }
        /// The delays before an interrupted stream is requested again.
        public var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
        /// The clock for `Repeatability-First-Sent` and the times in the queue and the error archive.
        public var now: @Sendable () -> Date = { Date() }
        /// Random bits, for request ids and temporary keys.
        public var random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
        /// The maximum number of bytes of streams that are rows of the media folder's index.
        package var smallStreams = FolderIndex.defaultRowLimit
        /// Whether a download requests the next page while the previous one is written.
        package var readsAhead = true
        /// The approximate number of waiting downloads of streams that are known at a time.
        package var transferBatch = 1_000

        /// The defaults: conflicts and lost responses are held for the app, and media have no quota.
        public init() {}
    }
}

/// The configured source of random bits as a generator.
struct RandomSource: RandomNumberGenerator {
    let source: @Sendable () -> UInt64

    mutating func next() -> UInt64 { source() }
}

/// Times in the forms that the store writes.
struct StoreTime {
    let date: Date

    /// This time, or the later one that a column holds.
    func notBefore(_ column: String) -> StoreTime {
        Self.date(of: column).map { StoreTime(date: max(date, $0)) } ?? self
    }

    /// What ``column`` stands for; nil for other text.
    static func date(of column: String) -> Date? {
        EdmDateTimeOffset(column + "Z").map { Date(timeIntervalSince1970: Double($0.secondsSinceEpoch)) }
    }

    /// In whole seconds.
    var instant: EdmDateTimeOffset {
        EdmDateTimeOffset(secondsSinceEpoch: Int64(date.timeIntervalSince1970.rounded(.down)))
    }

    /// For columns of instants: `2024-01-02T03:04:05`
    var column: String { String("\(instant)".dropLast()) }
}
