#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Which stream the bytes of a partial stream belong to.
package struct PartialOrigin: Hashable, Sendable, Codable {
    /// As the service sent it, with its quotes.
    package var etag: String?
    /// `image/jpeg`
    package var contentType: String?
    /// The length of the whole stream in bytes, where known.
    package var totalLength: Int64?
    /// The SHA-256 of the whole stream, where the service reports it.
    package var digest: String?
    /// When the stream was written last, as the service sent it.
    package var lastModified: String?

    package init(
        etag: String? = nil, contentType: String? = nil, totalLength: Int64? = nil, digest: String? = nil,
        lastModified: String? = nil
    ) {
        self.etag = etag
        self.contentType = contentType
        self.totalLength = totalLength
        self.digest = digest
        self.lastModified = lastModified
    }

    /// The tag that a range may be conditional on; nil if there is none or it is weak (`W/"1"`).
    ///
    /// [RFC 9110, section 13.1.5]
    package var strongETag: String? {
        guard let etag, etag.hasPrefix("\"") else { return nil }
        return etag
    }

    /// `{"etag":"\"5\"","contentType":"image/png","totalLength":31337}`
    var json: [UInt8] { (try? Array(JSONEncoder().encode(self))) ?? [] }

    init?(json: [UInt8]) {
        guard let origin = try? JSONDecoder().decode(PartialOrigin.self, from: Data(json)) else { return nil }
        self = origin
    }
}
