import MediaFiles
import ODataQuery
import ODataStores

/// A stream to download into the media folder.
package struct StreamDownloadRequest: Sendable, Hashable {
    /// Names the partial stream: the same in every run, `Photos(1)/$value`.
    package var name: String
    /// A media entity, or its stream property.
    package var path: ResourcePath
    /// A media read link that the service gave, where it is not the conventional one.
    package var readLink: String?
    /// The ETag of the stream, if its entity has one. A partial stream with another one is not continued.
    package var etag: String?
    /// The host of the stream's link; empty for the service itself.
    package var host: String
    /// The greatest is first; equal ones are in the order given.
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

/// The streams to download, in portions: there may be any number.
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
    /// The service's `Last-Modified`.
    package var lastModified: String?
    /// Whether the service has sent its digest.
    package var hasDigest = false
    /// The bytes that were transferred in this run: fewer than the stream's if it was continued.
    package var transferred: Int64
}

/// How one requested stream ended.
package struct StreamDownloadResult: Sendable {
    package var request: StreamDownloadRequest
    package var outcome: Result<DownloadedStream, StreamDownloadError>

    /// Whether the next run may continue the received bytes.
    var isContinued: Bool {
        guard case .failure(let error) = outcome else { return false }
        return !error.isMissing
    }
}
