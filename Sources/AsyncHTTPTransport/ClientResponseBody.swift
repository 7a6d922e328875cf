import AsyncHTTPClient
import ByteStreams
import HTTPTypes
import NIOCore
import ODataTransport
import Synchronization

extension TransportResponse {
    init(_ response: HTTPClientResponse, to request: HTTPRequest, connections: Connections) {
        var fields = HTTPFields()
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        let status = HTTPResponse.Status(code: Int(response.status.code), reasonPhrase: response.status.reasonPhrase)
        self.init(head: HTTPResponse(status: status, headerFields: fields))
        let hasBody = request.method != .head && ![204, 304].contains(status.code)
        let length = hasBody ? fields[.contentLength].flatMap { Int64($0) } : 0
        let incoming = ClientResponseBody(response.body, expected: length, request: request, connections: connections)
        body = ByteContent(ByteChunks { try await incoming.next() }, length: length)
    }
}

/// The body of a response while it arrives, counted.
///
/// Unchecked, because the client's iterator is not `Sendable`: it is touched only between taking and giving back
/// `isBusy`, so never by two tasks at once.
private final class ClientResponseBody: @unchecked Sendable {
    private var iterator: HTTPClientResponse.Body.AsyncIterator
    private var received: Int64 = 0
    private let expected: Int64?
    private let request: HTTPRequest
    private let connections: Connections
    private let isBusy = Mutex(false)

    init(_ body: HTTPClientResponse.Body, expected: Int64?, request: HTTPRequest, connections: Connections) {
        iterator = body.makeAsyncIterator()
        self.expected = expected
        self.request = request
        self.connections = connections
    }

    func next() async throws -> [UInt8]? {
        guard take() else {
            throw TransportError(.interrupted, "A response's body is read by two tasks at once.")
        }
        defer { isBusy.withLock { $0 = false } }
        do {
            return try await nextChunk()
        } catch let error as TransportError {
            throw error
        } catch {
            throw failure(error)
        }
    }

    private func nextChunk() async throws -> [UInt8]? {
        while let buffer = try await iterator.next() {
            guard buffer.readableBytes > 0 else { continue }
            received += Int64(buffer.readableBytes)
            return buffer.withUnsafeReadableBytes { Array($0) }
        }
        if Task.isCancelled { throw CancellationError() }
        if let expected, received != expected { throw truncated(expected) }
        return nil
    }

    private func failure(_ error: any Error) -> TransportError {
        let wrapped = TransportError.wrap(error, request: request)
        guard wrapped.code == .interrupted, let expected, received < expected else { return wrapped }
        return truncated(expected, cause: error)
    }

    private func truncated(_ expected: Int64, cause: (any Error)? = nil) -> TransportError {
        let message = "The connection ended after \(received) of the \(expected) bytes of Content-Length."
        return TransportError(.truncated, message, cause: cause)
    }

    private func take() -> Bool {
        isBusy.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
    }
}
