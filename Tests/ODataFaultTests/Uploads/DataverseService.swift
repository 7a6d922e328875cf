import ByteStreams
import HTTPTypes
import ODataService

/// File columns in chunks as Dataverse has them. It does not report how far an upload has come, and takes the last chunk once
/// more; one that is cut does not count.
struct DataverseService: UploadProtocol {
    private static let token = "FileContinuationToken="
    let chunkSize: Int

    func respond(
        _ request: HTTPRequest, _ body: ByteContent, root: String, _ board: UploadBoard
    ) async throws -> ServiceResponse? {
        guard request.method == .patch, let path = request.path,
            let mark = path.firstIndex(of: "?"), path[..<mark].hasSuffix("/$value")
        else { return nil }
        let query = path[path.index(after: mark)...]
        if query.hasPrefix(Self.token) {
            return try await append(request, body, String(query.dropFirst(Self.token.count)), root, board)
        }
        guard request.field("x-ms-transfer-mode") == "chunked", query.hasPrefix("x-ms-file-name="),
            try await body.collect(upTo: 1).isEmpty
        else { throw UploadRefusal(status: 400) }
        let id = board.begin(.init(target: String(path[..<mark]), contentType: "image/png"))
        return .plain(
            200,
            [
                "Location": "\(root)\(path[..<mark].dropFirst())?\(Self.token)\(id)", "x-ms-chunk-size": "\(chunkSize)",
                "Accept-Ranges": "bytes",
            ])
    }

    private func append(
        _ request: HTTPRequest, _ body: ByteContent, _ id: String, _ root: String, _ board: UploadBoard
    ) async throws -> ServiceResponse {
        let range = try PartRange(of: request)
        guard request.field("x-ms-file-name") != nil, request.field("Content-Type") == "application/octet-stream",
            range.count <= chunkSize, range.isLast || range.count == chunkSize
        else { throw UploadRefusal(status: 400) }
        let bytes = try await body.collect(upTo: range.count)
        guard bytes.count == range.count else { throw UploadRefusal(status: 400) }
        try board.change(id) { upload in
            guard range.total == upload.length ?? range.total else { throw UploadRefusal(status: 400) }
            upload.length = range.total
            if range.end == upload.bytes.count { return }
            guard range.start == upload.bytes.count else { throw UploadRefusal(status: 416) }
            upload.bytes += bytes
        }
        guard range.isLast else { return .plain(206) }
        try await board.execute(id, root: root)
        try board.remove(id)
        return .plain(204)
    }
}
