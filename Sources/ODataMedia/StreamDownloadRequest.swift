import MediaFiles
import ODataQuery

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
    /// The greatest comes first; equal ones come in the order given.
    package var priority: Int

    package init(
        name: String, path: ResourcePath, readLink: String? = nil, etag: String? = nil, priority: Int = 0
    ) {
        self.name = name
        self.path = path
        self.readLink = readLink
        self.etag = etag
        self.priority = priority
    }
}

/// A stream that has come completely.
package struct DownloadedStream: Sendable, Hashable {
    package var media: StoredMedia
    package var contentType: String?
    /// As the service sent it with the stream.
    package var etag: String?
    /// The bytes that were transferred in this run: fewer than the stream's if it was continued.
    package var transferred: Int64
}

/// How one requested stream ended.
package struct StreamDownloadResult: Sendable {
    package var request: StreamDownloadRequest
    package var outcome: Result<DownloadedStream, StreamDownloadError>
}
