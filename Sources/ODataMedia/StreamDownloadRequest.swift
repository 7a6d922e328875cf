import MediaFiles
import ODataQuery
import ODataStores

/// A stream that is wanted in the media folder.
package struct StreamDownloadRequest: Sendable, Hashable {
    /// Names the partial stream: the same in every run, `Photos(1)/$value`.
    package var name: String
    /// A media entity, or its stream property.
    package var path: ResourcePath
    /// A media read link that the service gave, where it is not the conventional one.
    package var readLink: String?
    /// The ETag of the stream, where its entity told. A partial stream with another one is not continued.
    package var etag: String?
    /// Whom it comes from, as far as the link tells; empty for the service itself.
    package var host: String
    /// The greatest comes first; equal ones come in the order given.
    package var priority: Int

    package init(
        name: String, path: ResourcePath, readLink: String? = nil, etag: String? = nil, host: String = "",
        priority: Int = 0
    ) {
        self.name = name
        self.path = path
        self.readLink = readLink
        self.etag = etag
        self.host = host
        self.priority = priority
    }
}

extension StreamDownloadRequest {
    package var id: TransferSnapshot.ID { TransferSnapshot.ID("download \(name)") }
}

/// Some of the streams that are wanted: there may be any number.
package struct StreamDownloadBatch: Sendable {
    package var requests: [StreamDownloadRequest]
    /// How many fewer there are in all than was said at the beginning.
    package var fewer: Int

    package init(requests: [StreamDownloadRequest], fewer: Int = 0) {
        self.requests = requests
        self.fewer = fewer
    }
}

/// A stream that has come completely.
package struct DownloadedStream: Sendable, Hashable {
    package var media: StoredMedia
    /// Of a small stream; nil: it is in the folder.
    package var bytes: [UInt8]?
    package var contentType: String?
    /// As the service sent it with the stream.
    package var etag: String?
    /// When it was written last, as the service told with it.
    package var lastModified: String?
    /// Whether the service told its digest.
    package var hasDigest = false
    /// The bytes that were transferred in this run: fewer than the stream's if it was continued.
    package var transferred: Int64
}

/// How one requested stream ended.
package struct StreamDownloadResult: Sendable {
    package var request: StreamDownloadRequest
    package var outcome: Result<DownloadedStream, StreamDownloadError>

    /// Whether what came may be of use to the next run.
    var isContinued: Bool {
        guard case .failure(let error) = outcome else { return false }
        return !error.isMissing
    }
}
