import HTTPTypes
import OData
import Synchronization

/// Counts the bytes that bodies of responses bring.
final class CountingTransport: HTTPTransport {
    private let next: any HTTPTransport
    private let total = Mutex(0)

    init(next: any HTTPTransport) {
        self.next = next
    }

    var bytes: Int { total.withLock { $0 } }

    func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws -> TransportResponse {
        let response = try await next.send(request, body: body, context: context)
        let iterator = try response.body.chunks().makeAsyncIterator()
        let chunks = ByteChunks { [self] in
            guard let chunk = try await iterator.next() else { return nil }
            total.withLock { $0 += chunk.count }
            return chunk
        }
        return TransportResponse(head: response.head, body: ByteContent(chunks, length: response.body.length))
    }
}
