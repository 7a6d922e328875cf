import EncryptionKeys
import Foundation
import MediaIndexes
import ODataModel
import ODataStores

extension OfflineStore {
    /// How a store works.
    public struct Configuration: Sendable {
        /// Entities per page of local reads; nil: whole results.
        public var pageSize: Int?
        /// Entities per page that the service is asked for in a download (`Prefer: maxpagesize`).
        public var downloadPageSize = 1000
        /// Whether a download that reads all entities of a defining query asks with the first page how many there are, for
        /// ``DownloadProgress/totalEntities``, as `$count=true` in the query does (V2: `$inlinecount=allpages`). Not where
        /// the metadata say that they cannot be counted; a service that refuses is asked again without. Some services
        /// count anew for each page. [OData-Protocol, section 11.2.6.5]
        public var countsEntities = false
        /// How many defining queries are downloaded at a time.
        public var parallelQueries = 2
        /// How many media streams are downloaded at a time.
        public var parallelStreams = 4
        /// How many of them come from one host, where media links lead to several; nil: all.
        public var parallelStreamsPerHost: Int?
        /// By the name of a defining query: whose streams are fetched first, after those that are pinned. The greatest
        /// is first; 0 where not named.
        public var streamPriorities: [String: Int] = [:]
        /// In how many parts at a time a large stream is downloaded, where the service gives ranges under a strong ETag;
        /// 1: in one.
        public var streamParts = 1
        /// The least bytes of such a part.
        public var streamPartLength: Int64 = 16 * 1024 * 1024
        /// Whether a change made here has reached the disk when its call returns. If not, it survives the end of the
        /// process at any moment, but the last ones may be lost where the device loses power; changes take a fraction
        /// of the time then.
        public var changesSurvivePowerLoss = true
        /// Whether changes of the same entity become one request before they are sent; a change may say otherwise.
        public var combinesRequests = true
        /// Decides where an entity with changes that wait was changed or deleted at the service.
        public var conflictResolver = ConflictResolver.hold
        /// By the name of the entity set, where it is another one than ``conflictResolver``.
        public var conflictResolvers: [String: ConflictResolver] = [:]
        /// The most requests that are sent in one `$batch`; 1: each by itself. Only requests that do not depend on
        /// each other go together.
        public var batchSize = 100
        /// How a new entity that was made with others nested in it is sent. The event of the upload says which form it had.
        public var deepInserts = DeepInsertForm.automatic
        /// How many requests or batches are on their way at a time in an upload. Above 1 requests that do not depend
        /// on each other may reach the service in another order than they were made.
        public var parallelUploads = 1
        /// What makes sure that the service executes each request once.
        public var exactlyOnce = ExactlyOnce.automatic
        /// Decides of a request whose response was lost, where nothing else can tell what became of it.
        public var unconfirmed: @Sendable (UnconfirmedRequest) async -> UnconfirmedRequest.Decision = { _ in .hold }
        /// Entity sets of the app's own, as a metadata document: ``OfflineStore/addLocalSets(csdl:)`` with each opening.
        public var localSets: String?
        /// A folder for the streams of several stores, which need not be in one process: the same content is there once.
        /// Nil: the store has a folder of its own. A store is always opened with the same one, which it knows by the id in
        /// the folder's index, wherever the folder was moved to; before a store's own folder is removed,
        /// ``OfflineStore/clear()`` gives its streams up.
        public var mediaFolder: String?
        /// Whether the shared folder that the store had is gone for good, and ``mediaFolder`` takes its place, made if it
        /// does not exist: its streams are fetched again by the next download, and what was not sent is in the error
        /// archive (`mediaNotInStore`). To be said once: else another folder, or none at its place, is refused.
        public var replacesMediaFolder = false
        /// The key of ``mediaFolder``, the same for all its stores: an encrypted store needs one. A `KeyFile` can hold it.
        public var mediaKey: EncryptionKey?
        /// The bytes that the streams in the media folder may have together with their thumbnails and with what has come of
        /// streams that are not complete (``OfflineStore/mediaUse``); nil: any. Where there are more, those streams go that
        /// were not used for the longest time, their thumbnails before them, and are fetched again when they are read, not
        /// by a refresh. What is not sent, attachments, and what is pinned (``OfflineStore/pin(_:)``) stay even beyond it,
        /// without their thumbnails; so does what has come of streams, which the next download completes or drops.
        public var mediaQuota: Int64?
        /// Decides which streams may be fetched and sent now; nil: all.
        public var networkPolicy: (any NetworkPolicy)?
        /// Makes small images of streams. Nil: ImageIO on Apple platforms; on Linux `vipsthumbnail` or
        /// `gdk-pixbuf-thumbnailer`, if one is installed.
        public var thumbnailer: (any ThumbnailMaker)?
        /// Before a broken stream is asked for again.
        public var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
        /// The time, for `Repeatability-First-Sent` and the times in the queue and the error archive.
        public var now: @Sendable () -> Date = { Date() }
        /// Random bits, for request ids and temporary keys.
        public var random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
        /// Streams of up to so many bytes are rows of the media folder's index.
        package var smallStreams = FolderIndex.defaultRowLimit
        /// Whether a download asks for the next page while the one before is written.
        package var readsAhead = true
        /// How many downloads of streams that wait are known at a time, about.
        package var transferBatch = 1_000

        /// As the defaults above say: conflicts and lost responses are held for the app, and media have no quota.
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
        guard let other = EdmDateTimeOffset(column + "Z") else { return self }
        return StoreTime(date: max(date, Date(timeIntervalSince1970: Double(other.secondsSinceEpoch))))
    }

    /// In whole seconds.
    var instant: EdmDateTimeOffset {
        EdmDateTimeOffset(secondsSinceEpoch: Int64(date.timeIntervalSince1970.rounded(.down)))
    }

    /// For columns of instants: `2024-01-02T03:04:05`
    var column: String { String("\(instant)".dropLast()) }
}
