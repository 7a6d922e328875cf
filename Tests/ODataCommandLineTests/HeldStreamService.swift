import ByteStreams
import HTTPTypes
import OData
import ODataServer
import ODataService
import Synchronization

/// A service whose stream of one entity comes in two parts: the second one when ``goOn()`` is called.
struct HeldStreamService {
    private let server: ODataServer
    private let store: SQLiteStore
    private let giver: AsyncStream<Void>.Continuation

    var root: String { server.rootURL }

    /// - Parameters:
    ///   - path: A database with media entities in `Photos`.
    ///   - stream: The end of the path of the stream that is held.
    static func start(_ path: String, holding stream: String) async throws -> HeldStreamService {
        var configuration = SQLiteStore.Configuration()
        configuration.media = [MediaColumn(set: "Photos", column: "Content", contentType: "image/png")]
        let store = try SQLiteStore(path: path, configuration: configuration)
        let (gate, giver) = AsyncStream.makeStream(of: Void.self)
        let held = HeldResponder(next: ODataService(store: store), stream: stream, gate: gate)
        let server = try await ODataServer.start(service: held)
        return HeldStreamService(server: server, store: store, giver: giver)
    }

    func goOn() { giver.finish() }

    func stop() async throws {
        giver.finish()
        try await server.stop()
        try store.close()
    }
}

private struct HeldResponder: HTTPResponder {
    let next: ODataService
    let stream: String
    let gate: AsyncStream<Void>

    func respond(to request: HTTPRequest, body: ByteContent, root: String) async -> ServiceResponse {
        var response = await next.respond(to: request, body: body, root: root)
        guard request.path?.hasSuffix(stream) ?? false, let bytes = try? await response.body.collect(upTo: 1 << 20)
        else { return response }
        let half = bytes.count / 2
        let parts = Mutex([bytes[..<half], bytes[half...]][...])
        let chunks = ByteChunks { [gate] in
            guard let part = parts.withLock({ $0.popFirst() }) else { return nil }
            if part.startIndex > 0 { for await _ in gate {} }
            return Array(part)
        }
        response.body = ByteContent(chunks, length: Int64(bytes.count))
        return response
    }
}
