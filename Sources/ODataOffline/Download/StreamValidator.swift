import ODataMedia
import ODataStores

/// What tells one version of a stream from another where its entity tells no ETag, as kept in `"$streamtag"`.
enum StreamValidator: Hashable, Sendable {
    /// `"5"`, as it was sent with the stream.
    case etag(String)
    /// `Last-Modified`, as it was sent with the stream.
    case modified(String)
    /// The service tells the digest of the content.
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

    /// For the column; an ETag as it is.
    var text: String {
        switch self {
        case .etag(let etag): etag
        case .modified(let date): Self.modifiedPrefix + date
        case .digest: Self.digestText
        }
    }

    /// Lets the request be answered only with another version.
    func condition(_ request: inout StreamRequest) {
        switch self {
        case .etag(let etag): request.ifNoneMatch = etag
        case .modified(let date): request.ifModifiedSince = date
        case .digest: break
        }
    }

    /// Whether a response to such a request tells that the stream is the one that is here.
    ///
    /// - Parameter digest: Of the content that is here.
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
