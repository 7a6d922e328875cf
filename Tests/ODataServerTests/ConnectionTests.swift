import ByteStreams
import HTTPTypes
import ODataModel
import ODataServer
import ODataService
import ODataStores
import Testing

@Suite("Requests on one connection", .timeLimit(.minutes(5)))
struct ConnectionTests {
    /// The responses in what a connection gave.
    private func responses(_ text: String) -> [String] {
        text.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: true).map(String.init)
    }

    @Test("each goes to the root that its Host names, or is refused for it")
    func hosts() async throws {
        try await withServer(of: NumberStore()) { port in
            let hosts = ["localhost:\(port)", "127.0.0.1", "evil.example", "localhost:\(port)", "a b", "127.0.0.1"]
            let requests = hosts.enumerated().map { index, host in
                "GET / HTTP/1.1\nHost: \(host)\n" + (index == hosts.count - 1 ? "Connection: close\n\n" : "\n")
            }
            let all = responses(try await RawConnection.exchange(requests.joined(), port: port))
            #expect(all.map { String($0.prefix(3)) } == ["200", "200", "421", "200", "400", "200"])
            for (host, response) in zip(hosts, all) where response.hasPrefix("200") {
                #expect(response.contains("\"@odata.context\":\"http://\(host)/$metadata\""), "\(response)")
            }
        }
    }

    @Test("get their own responses in their order, with and without a body, whole or in chunks")
    func order() async throws {
        try await withServer(of: NumberStore()) { port in
            let lines = [
                "GET /Numbers(7)", "HEAD /Numbers(7)", "GET /Numbers", "GET /$metadata", "GET /Nothing",
                "GET /Numbers?$top=0", "POST /Numbers(1)", "GET /Numbers(8)",
            ]
            let requests = lines.enumerated().map { index, line in
                "\(line) HTTP/1.1\nHost: localhost\n" + (index == lines.count - 1 ? "Connection: close\n\n" : "\n")
            }
            let all = responses(try await RawConnection.exchange(requests.joined(), port: port))
            #expect(all.map { String($0.prefix(3)) } == ["200", "200", "200", "200", "404", "200", "405", "200"])
            #expect(all.first?.hasSuffix("\"ID\":7}") == true)
            #expect(all.last?.hasSuffix("\"ID\":8}") == true)
            #expect(all[1].hasSuffix("\n\n"))
            #expect(all[2].contains("transfer-encoding: chunked"))
            #expect(all[5].contains("Content-Length: "))
            #expect(all.allSatisfy { $0.contains("\nDate: ") })
        }
    }

    @Test("The first rows of a collection leave before the last one is read")
    func streaming() async throws {
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        let store = NumberStore { for await _ in arrived {} }
        try await withServer(of: store) { port in
            let response = try await RawConnection.exchange(
                "GET /Numbers HTTP/1.1\nHost: localhost\nConnection: close\n\n", port: port,
                arrival: { arrival.finish() })
            #expect(response.contains("transfer-encoding: chunked"))
            #expect(response.contains("\"value\":[{\"ID\":1}"))
            #expect(response.contains(",{\"ID\":2},{\"ID\":3}"))
        }
    }

    @Test(
        "A response that is longer than what is sent at once arrives whole",
        arguments: [65_535, 65_536, 65_537, 1 << 20])
    func long(count: Int) async throws {
        let body = Array((0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) })
        let server = try await ODataServer.start(service: BodyResponder(body: body))
        let port = try #require(Int(server.rootURL.dropLast().split(separator: ":").last ?? ""))
        for end in ["Content-Length: \(count)", "transfer-encoding: chunked"] {
            let path = end.hasPrefix("Content") ? "/length" : "/"
            let response = try await RawConnection.exchange(
                "GET \(path) HTTP/1.1\nHost: localhost\nConnection: close\n\n", port: port)
            #expect(response.contains(end))
            let letters = response.split(separator: "\n\n", maxSplits: 1).last ?? ""
            let payload = path == "/" ? chunks(letters) : String(letters)
            #expect(payload == String(decoding: body, as: UTF8.self))
        }
        try await server.stop()
    }

    /// The content of a chunked body.
    private func chunks(_ text: Substring) -> String {
        text.split(separator: "\n").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }.joined()
    }
}

/// Responds with a body in memory, with or without its length.
private struct BodyResponder: HTTPResponder {
    let body: [UInt8]

    func respond(
        to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
    ) async -> ServiceResponse {
        var head = HTTPResponse(status: .ok)
        if request.path == "/length" { head.headerFields[.contentLength] = "\(self.body.count)" }
        return ServiceResponse(head: head, body: ByteContent(self.body))
    }
}

/// A store of one set of numbers: 1, and after a while 2 and 3; any number by its key.
private final class NumberStore: ODataStore {
    private let model: EdmModel?
    private let wait: @Sendable () async -> Void

    init(wait: @escaping @Sendable () async -> Void = {}) {
        let name = EdmQualifiedName("Test.Number")
        let type = EdmStructuredTypeDeclaration(
            name: name, key: ["ID"], properties: [EdmProperty(name: "ID", type: .int32, isNullable: false)])
        model = try? EdmModel(schemas: [
            EdmSchema(
                namespace: "Test", types: [type], container: "Container",
                entitySets: [EdmEntitySetDeclaration(name: "Numbers", type: name)])
        ])
        self.wait = wait
    }

    func model() async throws -> EdmModel { try #require(model) }

    func read(_ request: ReadRequest) async throws -> ReadResult {
        let model = try await model()
        let set = try #require(model.entitySet(named: "Numbers"))
        let shape = RowShape(model: model, entitySet: set, type: set.type)
        func block(_ numbers: Int64...) -> RowBlock {
            let entities = numbers.map { number in
                var entity = EdmEntity(type: set.type)
                entity.properties["ID"] = .integer(number)
                return entity
            }
            return EntityRows(entities, shape: shape).block
        }
        if case .key(let key) = request.query.path.segments.first, case .integer(let number) = key["ID"] {
            return ReadResult(.entities(RowBlocks([block(number)], shape: shape)))
        }
        if request.query.options.top == 0 { return ReadResult(.entities(RowBlocks([], shape: shape))) }
        return ReadResult(.entities(SlowRows([block(1), block(2, 3)], shape: shape, wait: wait)))
    }

    private static let refusal = ODataError(.notImplemented, "The numbers do not change.")

    func change(_ request: ChangeRequest) async throws -> ChangeResult { throw Self.refusal }
    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { throw Self.refusal }
    func readStream(_ request: StreamRequest) async throws -> StreamResult { throw Self.refusal }
}

/// Rows of which all but the first are waited for.
private actor SlowRows: EntityReader {
    nonisolated let shape: RowShape
    private var blocks: ArraySlice<RowBlock>
    private let wait: @Sendable () async -> Void

    init(_ blocks: [RowBlock], shape: RowShape, wait: @escaping @Sendable () async -> Void) {
        self.blocks = blocks[...]
        self.shape = shape
        self.wait = wait
    }

    func next() async throws -> RowBlock? {
        if blocks.startIndex > 0 { await wait() }
        return blocks.popFirst()
    }
}
