import ByteStreams
import HTTPTypes
import OData
import ODataServer
import ODataService
import Synchronization

/// A service some of whose responses wait until they are told to go on: with ``next()`` one, or one part of one, with
/// ``goOn()`` all of them.
struct HeldService {
    private let server: ODataServer
    private let store: SQLiteStore
    private let giver: AsyncStream<Void>.Continuation

    var root: String { server.rootURL }

    /// `127.0.0.1:8080`
    var host: String { root.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

    /// - Parameters:
    ///   - path: A database with media entities in `Photos`.
    ///   - held: A part of the request lines whose responses are held, as `GET /Photos(9000)`. No two come at a time.
    ///   - parts: How many parts their bodies come in. Of several the first one comes at once.
    ///   - pageSize: The most entities of a page.
    static func start(
        _ path: String, holding held: String, parts: Int = 2, pageSize: Int? = nil
    ) async throws -> HeldService {
        var configuration = SQLiteStore.Configuration()
        configuration.media = [MediaColumn(set: "Photos", column: "Content", contentType: "image/png")]
        let store = try SQLiteStore(path: path, configuration: configuration)
        var settings = ODataService.Configuration()
        settings.limits.pageSize = pageSize
        let (gate, giver) = AsyncStream.makeStream(of: Void.self)
        let responder = HeldResponder(
            service: ODataService(store: store, configuration: settings), held: held, parts: parts, gate: gate)
        let server = try await ODataServer.start(service: responder)
        return HeldService(server: server, store: store, giver: giver)
    }

    func next() { giver.yield() }

    func goOn() { giver.finish() }

    func stop() async throws {
        giver.finish()
        try await server.stop()
        try store.close()
    }
}

private struct HeldResponder: HTTPResponder {
    let service: ODataService
    let held: String
    let parts: Int
    let gate: AsyncStream<Void>

    func respond(
        to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
    ) async -> ServiceResponse {
        var response = await service.respond(to: request, body: body, root: root, context: context)
        guard "\(request.method.rawValue) \(request.path ?? "")".contains(held) else { return response }
        guard parts > 1 else {
            await turn()
            return response
        }
        guard let bytes = try? await response.body.collect(upTo: 1 << 20) else { return response }
        response.body = inParts(bytes)
        return response
    }

    private func turn() async { for await _ in gate { break } }

    private func inParts(_ bytes: [UInt8]) -> ByteContent {
        let given = Mutex(0)
        let chunks = ByteChunks {
            let number = given.withLock { given in
                defer { given += 1 }
                return given
            }
            guard number < parts else { return nil }
            if number > 0 { await turn() }
            return Array(bytes[bytes.count * number / parts..<bytes.count * (number + 1) / parts])
        }
        return ByteContent(chunks, length: Int64(bytes.count))
    }
}
