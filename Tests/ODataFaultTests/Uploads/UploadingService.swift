import ByteStreams
import Foundation
import HTTPTypes
import ODataService

/// A protocol of uploads beside OData's, as a service speaks it that refuses what does not fit.
protocol UploadProtocol: Sendable {
    /// Nil for a request that is none of the protocol's.
    ///
    /// - Throws: ``UploadRefusal``; what reading the body throws.
    func respond(
        _ request: HTTPRequest, _ body: ByteContent, root: String, _ board: UploadBoard
    ) async throws -> ServiceResponse?
}

struct UploadRefusal: Error {
    var status: Int
    var fields: [String: String] = [:]
}

/// An OData service whose streams can also be uploaded by another protocol.
final class UploadingService: HTTPResponder {
    let board: UploadBoard
    private let service: any HTTPResponder
    private let uploads: any UploadProtocol

    init(_ service: any HTTPResponder, _ uploads: any UploadProtocol) {
        self.service = service
        self.uploads = uploads
        board = UploadBoard(service)
    }

    func respond(
        to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
    ) async -> ServiceResponse {
        do {
            if let response = try await uploads.respond(request, body, root: root, board) { return response }
        } catch let refusal as UploadRefusal {
            board.note(refusal.status)
            return .plain(refusal.status, refusal.fields)
        } catch {
            // The body broke off: nobody waits for a response.
            return .plain(400)
        }
        return await service.respond(to: request, body: body, root: root, context: context)
    }
}

extension ServiceResponse {
    static func plain(_ status: Int, _ fields: [String: String] = [:]) -> ServiceResponse {
        var response = HTTPResponse(status: .init(code: status))
        for (name, value) in fields {
            guard let name = HTTPField.Name(name) else { continue }
            response.headerFields[name] = value
        }
        if status != 204 { response.headerFields[.contentLength] = "0" }
        return ServiceResponse(head: response)
    }

    static func json(_ status: Int, _ text: String) -> ServiceResponse {
        var response = HTTPResponse(status: .init(code: status))
        response.headerFields[.contentType] = "application/json"
        return ServiceResponse(head: response, body: ByteContent(Array(text.utf8)))
    }
}

extension HTTPRequest {
    func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { headerFields[$0] } }
}

/// `bytes 0-99999/250000`
struct PartRange: Hashable {
    let start: Int
    let end: Int
    let total: Int

    /// - Throws: 400 for anything else, also where the part is empty or beyond the total.
    init(of request: HTTPRequest) throws {
        let text = request.field("Content-Range") ?? ""
        let numbers = text.dropFirst("bytes ".count).split(whereSeparator: { $0 == "-" || $0 == "/" }).map { Int($0) }
        guard text.hasPrefix("bytes "), numbers.count == 3, let start = numbers[0], let last = numbers[1],
            let total = numbers[2], text == "bytes \(start)-\(last)/\(total)", start <= last, last < total
        else { throw UploadRefusal(status: 400) }
        (self.start, end, self.total) = (start, last + 1, total)
    }

    var count: Int { end - start }
    var isLast: Bool { end == total }
}
