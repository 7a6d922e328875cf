import ByteStreams
import Foundation
import HTTPTypes
import ODataService

/// Upload sessions as Microsoft Graph has them. Their places are at another host, which wants to know nothing of who asks;
/// a part that is cut does not count.
struct GraphService: UploadProtocol {
    private static let unit = 327_680
    private static let limit = 60 * 1024 * 1024
    private static let creation = "/createUploadSession"
    private static let sessions = "/up/"

    func respond(
        _ request: HTTPRequest, _ body: ByteContent, root: String, _ board: UploadBoard
    ) async throws -> ServiceResponse? {
        let path = request.path ?? ""
        if request.method == .post, path.hasSuffix(Self.creation) {
            return try await create(item: String(path.dropLast(Self.creation.count)), body, root, board)
        }
        guard path.hasPrefix(Self.sessions) else { return nil }
        guard request.field("Authorization") == nil, request.field("X-Secret") == nil else {
            throw UploadRefusal(status: 401)
        }
        let id = String(path.dropFirst(Self.sessions.count))
        switch request.method {
        case .get: return state(200, of: try board.upload(id))
        case .put: return try await append(request, body, id, root, board)
        case .delete:
            try board.remove(id)
            return .plain(204)
        default: throw UploadRefusal(status: 405)
        }
    }

    private func create(
        item: String, _ body: ByteContent, _ root: String, _ board: UploadBoard
    ) async throws -> ServiceResponse {
        let text = try await body.collect(upTo: 1 << 16)
        if !text.isEmpty {
            let json = try? JSONSerialization.jsonObject(with: Data(text)) as? [String: Any]
            guard json?["item"] is [String: Any] else { throw UploadRefusal(status: 400) }
        }
        let id = board.begin(.init(target: "\(item)/$value", contentType: "image/png"))
        let place = root.replacing("127.0.0.1", with: "localhost") + Self.sessions.dropFirst() + id
        return .json(200, #"{"uploadUrl":"\#(place)","nextExpectedRanges":["0-"]}"#)
    }

    private func state(_ status: Int, of upload: UploadBoard.Upload) -> ServiceResponse {
        .json(status, #"{"nextExpectedRanges":["\#(upload.bytes.count)-"]}"#)
    }

    private func append(
        _ request: HTTPRequest, _ body: ByteContent, _ id: String, _ root: String, _ board: UploadBoard
    ) async throws -> ServiceResponse {
        let range = try PartRange(of: request)
        guard range.count <= Self.limit else { throw UploadRefusal(status: 413) }
        guard range.isLast || range.count.isMultiple(of: Self.unit) else { throw UploadRefusal(status: 400) }
        let bytes = try await body.collect(upTo: range.count)
        guard bytes.count == range.count else { throw UploadRefusal(status: 400) }
        let upload = try board.change(id) { upload in
            guard range.total == upload.length ?? range.total else { throw UploadRefusal(status: 400) }
            guard range.start == upload.bytes.count else { throw UploadRefusal(status: 416) }
            upload.length = range.total
            upload.bytes += bytes
            return upload
        }
        guard range.isLast else { return state(202, of: upload) }
        try await board.execute(id, root: root)
        try board.remove(id)
        return .json(200, #"{"id":"1","name":"content"}"#)
    }
}
