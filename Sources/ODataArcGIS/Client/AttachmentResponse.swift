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
        return try await file(request, listed: listed, fields: fields) { response in
            let attachment = try attachmentResponse(response, wanted: offset)
            guard attachment.offset == 0 else { return attachment }
            let (looked, error) = try await Self.look(at: attachment, size: listed.size)
            if let error { throw self.completed(error, response, request) }
            return looked
        }
    }

    /// Whether the response is an HTML page: services send one in place of a file to report an error.
    static func isPage(_ response: TransportResponse, for listed: RemoteAttachment) -> Bool {
        func isHTML(_ type: String?) -> Bool { type?.lowercased().hasPrefix("text/html") == true }
        guard response.head.status != .partialContent, isHTML(response.head.headerFields[.contentType]),
            !isHTML(listed.details.contentType)
        else { return false }
        return listed.size == nil || response.body.length != listed.size
    }

    private func attachmentResponse(_ response: TransportResponse, wanted: Int64) throws -> AttachmentResponse {
        let fields = response.head.headerFields
        if let encoding = fields[.contentEncoding], encoding.lowercased() != "identity" {
            throw ODataError(.invalidResponse, "The file has the encoding \(encoding), which was not requested.")
        }
        var attachment = AttachmentResponse(
            offset: 0, etag: EntityTag.checked(fields[.eTag]), contentType: fields[.contentType],
            totalLength: response.body.length,
            beginning: [], chunks: try response.body.chunks().makeAsyncIterator())
        guard response.head.status == .partialContent else { return attachment }
        guard let range = fields[.contentRange].flatMap(ContentRange.init), range.first == wanted else {
            throw ODataError(.invalidResponse, "The service sent another part of the file than was asked for.")
        }
        (attachment.offset, attachment.totalLength) = (range.first, range.total)
        return attachment
    }

    /// Whether an error has come in place of a file: `{"error":{"code":498,…}}`.
    private static func look(at attachment: AttachmentResponse, size: Int64?) async throws -> (
        AttachmentResponse, ODataError?
    ) {
        var attachment = attachment
        var bytes: [UInt8] = []
        if let length = attachment.totalLength, length > maxErrorBytes { return (attachment, nil) }
        while bytes.count <= maxErrorBytes {
            guard let chunk = try await attachment.chunks.next() else {
                attachment.chunks = ByteChunks { nil }.makeAsyncIterator()
                guard size != Int64(bytes.count), let node = try? JSONParser.parse(bytes[...]) else {
                    return (attachment, nil)
                }
                return (attachment, ODataError(response: node))
            }
            attachment.beginning.append(chunk)
            bytes += chunk
            // All but JSON is no error.
            let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
            if let first, first != UInt8(ascii: "{") { break }
        }
        return (attachment, nil)
    }
}
