import ByteStreams
import HTTPTypes
import ODataTransport
import Synchronization

/// Responds to each request with the next of its responses and remembers what it was asked.
final class RecordingTransport: HTTPTransport {
    enum Response: Sendable {
        case status(Int, [String: String] = [:])
        case failure(TransportError.Code)
    }

    struct Sent: Sendable {
        var method: String
        var url: String
        var fields: HTTPFields
        var body: [UInt8]?
        var context: TransportContext

        func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
    }

    private let responses: Mutex<[Response]>
    private let record = Mutex<[Sent]>([])

    init(_ responses: [Response]) {
        self.responses = Mutex(responses)
    }

    var sent: [Sent] { record.withLock { $0 } }

    func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws -> TransportResponse {
        let bytes = try await body?.collect(upTo: 1 << 20)
        let url = "\(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "")"
        record.withLock {
            $0.append(
                Sent(
                    method: request.method.rawValue, url: url, fields: request.headerFields, body: bytes,
                    context: context))
        }
        let response = responses.withLock { $0.isEmpty ? Response.status(200) : $0.removeFirst() }
        switch response {
        case .failure(let code): throw TransportError(code, "as told")
        case .status(let status, let headers):
            var fields = HTTPFields()
            for (name, value) in headers {
                if let name = HTTPField.Name(name) { fields[name] = value }
            }
            return TransportResponse(head: HTTPResponse(status: .init(code: status), headerFields: fields))
        }
    }
}

extension HTTPRequest {
    static func to(_ url: String, _ method: Method = .get, _ headers: [String: String] = [:]) -> HTTPRequest {
        var request = HTTPRequest(method: method, scheme: nil, authority: nil, path: nil)
        request.absoluteURL = AbsoluteURL(url)
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { request.headerFields[name] = value }
        }
        return request
    }
}
