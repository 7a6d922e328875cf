import ByteStreams
import HTTPTypes
import ODataService

/// A protocol that is nobody's but an app's: a part counts when it is whole, and the stream is put by a request of its own.
/// What has become of an upload is told until it is removed.
///
/// ```
/// POST /parts      X-Target: Photos(9001)/$value
/// 201              Location: http://127.0.0.1:8080/parts/1
/// PUT /parts/1     Content-Range: bytes 0-99999/250000
/// 204              X-Bytes: 100000   X-State: open
/// POST /parts/1
/// 204              X-Bytes: 250000   X-State: done
/// ```
struct PartsService: UploadProtocol {
    private static let parts = "/parts"

    func respond(
        _ request: HTTPRequest, _ body: ByteContent, root: String, _ board: UploadBoard
    ) async throws -> ServiceResponse? {
        let path = request.path ?? ""
        guard path.hasPrefix(Self.parts) else { return nil }
        let id = String(path.dropFirst(Self.parts.count + 1))
        switch request.method {
        case .post where id.isEmpty:
            guard let target = request.field("X-Target") else { throw UploadRefusal(status: 400) }
            let number = board.begin(.init(target: "/\(target)", contentType: "image/png"))
            return .plain(201, ["Location": "\(root)parts/\(number)"])
        case .put: try await append(request, body, id, board)
        case .post: try await put(id, root, board)
        case .get: break
        case .delete:
            try board.remove(id)
            return .plain(204)
        default: throw UploadRefusal(status: 405)
        }
        let upload = try board.upload(id)
        return .plain(204, ["X-Bytes": "\(upload.bytes.count)", "X-State": upload.isDone ? "done" : "open"])
    }

    private func append(
        _ request: HTTPRequest, _ body: ByteContent, _ id: String, _ board: UploadBoard
    ) async throws {
        let range = try PartRange(of: request)
        let bytes = try await body.collect(upTo: range.count)
        guard bytes.count == range.count else { throw UploadRefusal(status: 400) }
        try board.change(id) { upload in
            guard range.total == upload.length ?? range.total else { throw UploadRefusal(status: 400) }
            guard range.start == upload.bytes.count else { throw UploadRefusal(status: 416) }
            upload.length = range.total
            upload.bytes += bytes
        }
    }

    private func put(_ id: String, _ root: String, _ board: UploadBoard) async throws {
        let upload = try board.upload(id)
        guard upload.bytes.count == upload.length, !upload.isDone else { throw UploadRefusal(status: 409) }
        try await board.execute(id, root: root)
        try board.change(id) { $0.isDone = true }
    }
}
