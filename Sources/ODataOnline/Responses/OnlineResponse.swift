import ByteStreams
import HTTPTypes
import ODataFormats
import ODataStores
import ODataTransport

/// The response of a service, whose body is still arriving.
struct OnlineResponse: Sendable {
    let request: OutgoingRequest
    let head: HTTPResponse
    let body: ByteContent
    /// The request was sent more than once, and an earlier attempt may have been carried out.
    var mayHaveActedBefore = false
    /// A redirect led to another host, which sent it.
    var isOfOtherHost = false
    /// The headers of the request in the end; nil where they were not recorded.
    var sentFields: HTTPFields?
    /// Whether the body is what the cache had: because it was asked for, or the service confirmed it with 304.
    var isCached = false

    var status: Int { head.status.code }
    var etag: String? { head.headerFields.entityTag }

    /// `application/json` of `Application/JSON;odata.metadata=minimal`
    var mediaType: String? {
        head.headerFields[.contentType].map { type in
            type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        }
    }

    /// Whether the body claims to be JSON, or claims nothing.
    var isJSON: Bool {
        guard let mediaType else { return true }
        return mediaType == "application/json" || mediaType == "text/json" || mediaType.hasSuffix("+json")
    }

    /// The whole body.
    func bytes(upTo limit: Int) async throws -> [UInt8] {
        try checkEncoding()
        do {
            return try await body.collect(upTo: limit)
        } catch {
            throw ODataError(reading: error, of: request)
        }
    }

    /// The format of a body in V1 to V3; nil for services of V4.
    var legacyFormat: LegacyFormat? {
        guard request.dialect.isLegacy else { return nil }
        guard let type = head.headerFields[.contentType] else { return request.dialect.format }
        return LegacyFormat(contentType: type)
    }

    /// Whether the body is in a format that data come in: JSON, or before V4 Atom too.
    var isData: Bool { request.dialect.isLegacy ? legacyFormat != nil : isJSON }

    /// - Throws: ``ODataError`` with code `invalidResponse` if the body is not ``isData``.
    func checkFormat() async throws {
        try checkEncoding()
        guard isData else { throw unexpected(beginning: await beginning()) }
    }

    /// - Throws: ``ODataError`` with code `invalidResponse` if the body is compressed without a request for that.
    func checkEncoding() throws {
        guard let encoding = head.headerFields[.contentEncoding], encoding.lowercased() != "identity" else {
            return
        }
        throw invalid("The service sent a body with the encoding \(encoding), which was not asked for.")
    }

    /// The first bytes of the body, for messages.
    func beginning() async -> [UInt8] {
        guard let chunks = try? body.chunks() else { return [] }
        var bytes: [UInt8] = []
        let iterator = chunks.makeAsyncIterator()
        while bytes.count < 4096, let chunk = try? await iterator.next() { bytes += chunk.prefix(4096) }
        return bytes
    }
}
