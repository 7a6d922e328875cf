import ByteStreams
import HTTPTypes
import ODataAttachments
import ODataModel
import ODataOnline
import ODataStores
import ODataTransport

/// A file that is arriving.
struct AttachmentResponse: Sendable {
    /// The offset of the first byte received.
    var offset: Int64
    var etag: String?
    var contentType: String?
    /// In bytes, of the whole file.
    var totalLength: Int64?
    /// The first bytes received, to be read before ``chunks``.
    var beginning: [[UInt8]]
    var chunks: ByteChunks.AsyncIterator
}

extension ArcGISClient {
    /// The longest error in place of a file.
    static let maxErrorBytes = 64 * 1024

    /// Opens a file, from a byte on where the service can.
    ///
    /// ```
    /// GET …/FeatureServer/0/12/attachments/409
    /// Range: bytes=1000-
    /// If-Range: "5"
    /// ```
    ///
    /// - Parameter listed: What the service says of the file: what has its length is the file, also JSON and pages.
    func open(
        _ request: ArcGISRequest, listed: RemoteAttachment, from offset: Int64 = 0, ifRange etag: String? = nil
    ) async throws -> AttachmentResponse {
        var fields = HTTPFields()
        if offset > 0, let etag {
            fields[.range] = "bytes=\(offset)-"
            fields[.ifRange] = etag
        }
        return try await file(request, listed: listed, fields: fields) { reply in
            let answer = try self.answer(reply, wanted: offset)
            guard answer.offset == 0 else { return answer }
            let (looked, error) = try await Self.look(at: answer, size: listed.size)
            if let error { throw self.completed(error, reply, request) }
            return looked
        }
    }

    /// Whether the response is an HTML page: services send one in place of a file to report an error.
    static func isPage(_ reply: TransportResponse, for listed: RemoteAttachment) -> Bool {
        func isHTML(_ type: String?) -> Bool { type?.lowercased().hasPrefix("text/html") == true }
        guard reply.response.status != .partialContent, isHTML(reply.response.headerFields[.contentType]),
            !isHTML(listed.details.contentType)
        else { return false }
        return listed.size == nil || reply.body.length != listed.size
    }

    private func answer(_ reply: TransportResponse, wanted: Int64) throws -> AttachmentResponse {
        let fields = reply.response.headerFields
        if let encoding = fields[.contentEncoding], encoding.lowercased() != "identity" {
            throw ODataError(.invalidResponse, "The file has the encoding \(encoding), which was not requested.")
        }
        var answer = AttachmentResponse(
            offset: 0, etag: EntityTag.checked(fields[.eTag]), contentType: fields[.contentType],
            totalLength: reply.body.length,
            beginning: [], chunks: try reply.body.chunks().makeAsyncIterator())
        guard reply.response.status == .partialContent else { return answer }
        guard let range = fields[.contentRange].flatMap(ContentRange.init), range.first == wanted else {
            throw ODataError(.invalidResponse, "The service sent another part of the file than was asked for.")
        }
        (answer.offset, answer.totalLength) = (range.first, range.total)
        return answer
    }

    /// Whether an error has come in place of a file: `{"error":{"code":498,…}}`.
    private static func look(at answer: AttachmentResponse, size: Int64?) async throws -> (
        AttachmentResponse, ODataError?
    ) {
        var answer = answer
        var bytes: [UInt8] = []
        if let length = answer.totalLength, length > maxErrorBytes { return (answer, nil) }
        while bytes.count <= maxErrorBytes {
            guard let chunk = try await answer.chunks.next() else {
                answer.chunks = ByteChunks { nil }.makeAsyncIterator()
                guard size != Int64(bytes.count), let node = try? JSONParser.parse(bytes[...]) else {
                    return (answer, nil)
                }
                return (answer, ODataError(answer: node))
            }
            answer.beginning.append(chunk)
            bytes += chunk
            // All but JSON is no error.
            let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
            if let first, first != UInt8(ascii: "{") { break }
        }
        return (answer, nil)
    }
}
