import ByteStreams
import HTTPTypes
import ODataTransport
import Synchronization

/// Responds to every request with the same bytes, and keeps the bodies that came.
final class FixedTransport: HTTPTransport {
    private let bytes: [UInt8]
    private let contentType: String
    private let sent = Mutex(0)
    private let bodies = Mutex<[String]>([])

    init(_ text: String, contentType: String = "text/plain") {
        bytes = Array(text.utf8)
        self.contentType = contentType
    }

    var count: Int { sent.withLock { $0 } }
    /// The bodies of requests that came whole.
    var received: [String] { bodies.withLock { $0 } }

    func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws -> TransportResponse {
        sent.withLock { $0 += 1 }
        if let text = try await body?.collect(upTo: 1 << 20) {
            bodies.withLock { $0.append(String(decoding: text, as: UTF8.self)) }
        }
        let headers: HTTPFields = [.contentLength: "\(bytes.count)", .contentType: contentType]
        return TransportResponse(head: HTTPResponse(status: .ok, headerFields: headers), body: ByteContent(bytes))
    }
}

extension HTTPRequest {
    static func test(_ method: HTTPRequest.Method, _ path: String) -> HTTPRequest {
        HTTPRequest(method: method, scheme: "http", authority: "service.test", path: path)
    }
}
