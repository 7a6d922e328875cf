import ByteStreams
import HTTPTypes
import ODataTransport
import Synchronization

/// Answers every request with the same bytes, and counts them.
final class FixedTransport: HTTPTransport {
    private let bytes: [UInt8]
    private let sent = Mutex(0)

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var count: Int { sent.withLock { $0 } }

    func send(_ request: HTTPRequest, body: ByteContent?) async throws -> HTTPReply {
        sent.withLock { $0 += 1 }
        let headers: HTTPFields = [.contentLength: "\(bytes.count)"]
        return HTTPReply(response: HTTPResponse(status: .ok, headerFields: headers), body: ByteContent(bytes))
    }
}

extension HTTPRequest {
    static func test(_ method: HTTPRequest.Method, _ path: String) -> HTTPRequest {
        HTTPRequest(method: method, scheme: "http", authority: "service.test", path: path)
    }
}
