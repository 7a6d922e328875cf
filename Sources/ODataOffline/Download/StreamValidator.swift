import ODataMedia
import ODataStores

/// Distinguishes versions of a stream whose entity does not have an ETag for it, as stored in `"$streamtag"`.
enum StreamValidator: Hashable, Sendable {
    /// `"5"`, as it was sent with the stream.
    case etag(String)
    /// `Last-Modified`, as it was sent with the stream.
    case modified(String)
    /// The digest of the content, as the service returns it.
    case digest

    private static let modifiedPrefix = "modified:"
    private static let digestText = "digest:"

    /// Nil if the response had neither.
    init?(_ stream: DownloadedStream) {
        if let etag = stream.etag {
            self = .etag(etag)
        } else if stream.hasDigest {
            self = .digest
        } else if let date = stream.lastModified {
            self = .modified(date)
        } else {
            return nil
        }
    }

    init(text: String) {
        if text == Self.digestText {
            self = .digest
        } else if text.hasPrefix(Self.modifiedPrefix) {
            self = .modified(String(text.dropFirst(Self.modifiedPrefix.count)))
        } else {
            self = .etag(text)
        }
    }

    /// The text for the column; an ETag is unchanged.
    var text: String {
        switch self {
        case .etag(let etag): etag
        case .modified(let date): Self.modifiedPrefix + date
        case .digest: Self.digestText
        }
    }

    /// Makes the request conditional on another version.
    func condition(_ request: inout StreamRequest) {
        switch self {
        case .etag(let etag): request.ifNoneMatch = etag
        case .modified(let date): request.ifModifiedSince = date
        case .digest: break
        }
    }

    /// Whether a response to such a request means that the stored stream is current.
    ///
    /// - Parameter digest: The digest of the stored content.
    func isSame(_ result: StreamResult, as digest: String) -> Bool {
        if result.isNotModified { return true }
        if let told = result.digest { return told == digest }
        return switch self {
        case .etag(let etag): result.etag == etag
        case .modified(let date): result.lastModified == date
        case .digest: false
        }
    }
}
