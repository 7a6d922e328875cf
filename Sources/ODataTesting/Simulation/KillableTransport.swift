import ByteStreams
import HTTPTypes
import ODataTransport

/// The connection of a process that may be killed: nothing is sent through it afterwards.
struct KillableTransport: HTTPTransport {
    let next: any HTTPTransport
    let killSwitch: KillSwitch

    func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws -> TransportResponse {
        guard let number = killSwitch.request() else { throw Self.end }
        var response = try await next.send(request, body: body, context: context)
        guard killSwitch.mayRead(responseTo: number) else { throw Self.end }
        let killable = KillableBody(response.body, killSwitch)
        response.body = ByteContent(ByteChunks { try await killable.next() }, length: response.body.length)
        return response
    }

    fileprivate static var end: TransportError { TransportError(.interrupted, "The process was killed.") }
}

private actor KillableBody {
    private let body: ByteContent
    private let killSwitch: KillSwitch
    private var iterator: ByteChunks.AsyncIterator?

    init(_ body: ByteContent, _ killSwitch: KillSwitch) {
        self.body = body
        self.killSwitch = killSwitch
    }

    func next() async throws -> [UInt8]? {
        let iterator = try iterator ?? body.chunks().makeAsyncIterator()
        self.iterator = iterator
        guard let chunk = try await iterator.next() else { return nil }
        guard killSwitch.responseBytes(chunk.count) == chunk.count else { throw KillableTransport.end }
        return chunk
    }
}
