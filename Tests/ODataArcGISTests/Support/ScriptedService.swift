import AsyncHTTPTransport
import ByteStreams
import HTTPTypes
import ODataArcGIS
import ODataServer
import ODataService
import ODataTransport
import Synchronization

/// A service over HTTP on a loopback port that responds by a script and keeps what it was asked.
final class ScriptedService: HTTPResponder {
    struct Received: Sendable {
        /// `GET /s/FeatureServer/0?f=json`
        var line: String
        var fields: HTTPFields
        var body: String
    }

    struct Response: Sendable {
        var status = 200
        var text: String
        var fields: HTTPFields = [:]
        /// Where the body breaks off.
        var cut: Int?

        init(_ text: String, status: Int = 200, fields: HTTPFields = [:], cut: Int? = nil) {
            self.text = text
            self.status = status
            self.fields = fields
            self.cut = cut
        }
    }

    private struct Cut: Error {}

    private let script: @Sendable (Received) -> Response
    private let requests = Mutex<[Received]>([])

    private init(script: @escaping @Sendable (Received) -> Response) { self.script = script }

    var received: [Received] { requests.withLock { $0 } }

    /// Method and path without parameters of all requests, and the form of those that have one.
    var lines: [String] {
        received.map { $0.line + ($0.body.isEmpty || $0.body.hasPrefix("--") ? "" : " \($0.body)") }
    }

    func respond(
        to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
    ) async -> ServiceResponse {
        let bytes = (try? await body.collect(upTo: 1 << 20)) ?? []
        let received = Received(
            line: "\(request.method) \(request.path ?? "")", fields: request.headerFields,
            body: String(decoding: bytes, as: UTF8.self))
        requests.withLock { $0.append(received) }
        let scripted = script(received)
        var response = HTTPResponse(status: .init(code: scripted.status), headerFields: scripted.fields)
        let text = Array(scripted.text.utf8)
        response.headerFields[.contentLength] = "\(text.count)"
        guard let cut = scripted.cut else { return ServiceResponse(head: response, body: ByteContent(text)) }
        let pieces = Mutex([Array(text.prefix(cut))])
        let chunks = ByteChunks {
            let piece = pieces.withLock { $0.popLast() }
            guard let piece else { throw Cut() }
            return piece
        }
        return ServiceResponse(head: response, body: ByteContent(chunks, length: Int64(text.count)))
    }

    /// Does `body` with a client of a service that responds by `script`.
    static func run(
        _ configuration: ArcGISClient.Configuration = .init(),
        _ script: @escaping @Sendable (Received) -> Response,
        _ body: (ArcGISClient, ScriptedService) async throws -> Void
    ) async throws {
        let service = ScriptedService(script: script)
        let server = try await ODataServer.start(service: service)
        let transport = AsyncHTTPTransport()
        do {
            let client = try ArcGISClient(
                serviceURL: server.rootURL + "s/FeatureServer", transport: transport, configuration: configuration)
            try await body(client, service)
        } catch {
            try? await transport.shutdown()
            try? await server.stop()
            throw error
        }
        try await transport.shutdown()
        try await server.stop()
    }
}
