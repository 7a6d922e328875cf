import ByteStreams
import Foundation
import HTTPTypes
import ODataService

/// tus with its extensions *creation* and *termination*: what has come before a cut counts.
///
/// [tus resumable upload protocol 1.0.0]
struct TusService: UploadProtocol {
    private static let files = "/files"
    private static let version = ["Tus-Resumable": "1.0.0"]

    func respond(
        _ request: HTTPRequest, _ body: ByteContent, root: String, _ board: UploadBoard
    ) async throws -> ServiceResponse? {
        let path = request.path ?? ""
        guard path.hasPrefix(Self.files) else { return nil }
        guard request.field("Tus-Resumable") == "1.0.0" else {
            throw UploadRefusal(status: 412, fields: ["Tus-Version": "1.0.0"])
        }
        let id = String(path.dropFirst(Self.files.count + 1))
        switch request.method {
        case .post where id.isEmpty: return try create(request, root, board)
        case .head:
            let upload = try board.upload(id)
            return plain(
                200,
                [
                    "Upload-Offset": "\(upload.bytes.count)", "Upload-Length": "\(upload.length ?? 0)",
                    "Cache-Control": "no-store",
                ])
        case .patch: return try await append(request, body, id, root, board)
        case .delete:
            try board.remove(id)
            return plain(204)
        default: throw UploadRefusal(status: 405)
        }
    }

    private func plain(_ status: Int, _ fields: [String: String] = [:]) -> ServiceResponse {
        .plain(status, fields.merging(Self.version) { own, _ in own })
    }

    private func create(_ request: HTTPRequest, _ root: String, _ board: UploadBoard) throws -> ServiceResponse {
        let metadata = try metadata(request.field("Upload-Metadata") ?? "")
        guard let length = request.field("Upload-Length").flatMap({ Int($0) }), length >= 0,
            let path = metadata["path"]
        else { throw UploadRefusal(status: 400) }
        let target = path.hasSuffix("/$value") ? "/\(path)" : "/\(path)/$value"
        let type = metadata["filetype"] ?? "application/octet-stream"
        let id = board.begin(.init(target: target, contentType: type, length: length))
        return plain(201, ["Location": "\(root)files/\(id)"])
    }

    /// `path UGhvdG9zKDEp,filetype aW1hZ2UvcG5n`
    private func metadata(_ text: String) throws -> [String: String] {
        var found: [String: String] = [:]
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = pair.split(separator: " ", omittingEmptySubsequences: false)
            guard sides.count == 2, let value = Data(base64Encoded: String(sides[1])), found[String(sides[0])] == nil
            else { throw UploadRefusal(status: 400) }
            found[String(sides[0])] = String(decoding: value, as: UTF8.self)
        }
        return found
    }

    private func append(
        _ request: HTTPRequest, _ body: ByteContent, _ id: String, _ root: String, _ board: UploadBoard
    ) async throws -> ServiceResponse {
        guard request.field("Content-Type") == "application/offset+octet-stream" else {
            throw UploadRefusal(status: 415)
        }
        guard let offset = request.field("Upload-Offset").flatMap({ Int($0) }) else { throw UploadRefusal(status: 400) }
        let turn = try board.change(id) { upload in
            guard offset == upload.bytes.count else { throw UploadRefusal(status: 409) }
            upload.turn += 1
            return upload.turn
        }
        for try await chunk in try body.chunks() {
            try board.change(id) { upload in
                guard upload.turn == turn else { throw UploadRefusal(status: 409) }
                guard upload.bytes.count + chunk.count <= upload.length ?? 0 else { throw UploadRefusal(status: 413) }
                upload.bytes += chunk
            }
        }
        let upload = try board.upload(id)
        if upload.bytes.count == upload.length, offset < upload.bytes.count {
            try await board.execute(id, root: root)
        }
        return plain(204, ["Upload-Offset": "\(upload.bytes.count)"])
    }
}
