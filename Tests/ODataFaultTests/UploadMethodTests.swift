import ByteStreams
import HTTPTypes
import OData
import Testing
import ToolSupport
import enum TestSupport.LongTests

@Suite("Uploads by tus, Graph, Dataverse and a method of the app's own, at services that refuse what does not fit")
struct UploadMethodTests {
    struct Cut: Sendable, CustomTestStringConvertible {
        var method: MethodDesk.Method
        var moment: Relay.Moment

        var testDescription: String { "\(method.rawValue) at \(moment)" }
    }

    /// Before each request and response, and in the middle of the bytes; some of each method but in long tests.
    static let cuts = MethodDesk.Method.allCases.flatMap { method in
        // A method of the app's own may have a request more, which ends the upload.
        let parts = [MethodDesk.Method.tus: 1, .graph: 2, .dataverse: 3, .own: 4][method] ?? 1
        let size = MethodDesk.content(of: method).count
        let turns = (0..<(2 * parts + 2)).map { Relay.Moment.turn($0) }
        let bytes = [size / 4, size / 2, size - 40_000].map(Relay.Moment.requestBytes)
        return LongTests.slice(turns, step: 3).map { Cut(method: method, moment: $0) }
            + LongTests.slice(bytes, step: 2).map { Cut(method: method, moment: $0) }
    }

    @Test("A cut costs at most a part, and the stream arrives once", arguments: cuts)
    func cut(_ cut: Cut) async throws {
        let desk = try await MethodDesk(cut.method)
        let store = try await desk.device()
        desk.relay.arm(cut.moment)
        try await complete(store, desk)
    }

    @Test("A process that is killed costs at most a part too", arguments: cuts)
    func kill(_ cut: Cut) async throws {
        let desk = try await MethodDesk(cut.method)
        let store = try await desk.device()
        desk.relay.arm(cut.moment) { desk.kill() }
        await #expect(throws: ODataError.self) { try await store.upload() }
        try store.close()
        try await complete(try await desk.nextRun(), desk)
    }

    @Test("What was carried out before a kill is known, though the content is lost since")
    func lostContent() async throws {
        let desk = try await MethodDesk(.tus)
        let store = try await desk.device()
        // The response to the last part.
        desk.relay.arm(.turn(3)) { desk.kill() }
        await #expect(throws: ODataError.self) { try await store.upload() }
        try store.close()
        let next = try await desk.nextRun(hasContent: false)
        #expect(try await next.errorEntries().map(\.code) == ["mediaNotInStore"])
        try await complete(next, desk)
    }

    @Test("A method of the app's own gives up what is deleted here meanwhile, and ends its session at the service")
    func givenUp() async throws {
        let desk = try await MethodDesk(.own)
        let store = try await desk.device()
        desk.relay.arm(.requestBytes(125_000)) {
            do { _ = try await store.change(ChangeRequest(try store.path("Photos(9001)"), .delete)) } catch {
                Issue.record(error)
            }
        }
        #expect(try await store.upload().givenUp.map(\.method) == ["PUT"])
        #expect(await desk.relay.disarm())
        let board = desk.uploading.board
        #expect(board.begun == 1 && board.executed == 0 && board.refusals.isEmpty)
        #expect(throws: UploadRefusal.self) { try board.upload("1") }
        #expect(try await store.upload().isComplete)
        #expect(try await store.queueEntries().isEmpty)
        try store.close()
        try await desk.stop()
    }

    private func complete(_ store: OfflineStore, _ desk: MethodDesk) async throws {
        var attempts = 0
        while try await !store.queueEntries().isEmpty, attempts < 3 {
            attempts += 1
            do { _ = try await store.upload() } catch is ODataError {
                // What became of the last part is found out by the next upload.
            }
        }
        #expect(await desk.relay.disarm())
        #expect(try await store.queueEntries().isEmpty)
        let served = try await desk.served()
        #expect(served == MethodDesk.content(of: desk.method))
        let board = desk.uploading.board
        #expect(board.executed == 1)
        if desk.method == .tus { #expect(board.received == served.count) }
        // Of tus an old request may still bring bytes when the next one asks where to go on; Graph forgets a session that
        // is complete.
        let allowed = desk.method == .tus ? 409 : 404
        #expect(board.refusals.allSatisfy { $0 == allowed }, "\(board.refusals)")
        try store.close()
        try await desk.stop()
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var method: MethodDesk.Method
        /// `PATCH /files/1`, after an upload was begun.
        var line: String
        var fields: [String: String]
        var count = 0
        var status: Int

        var testDescription: String { "\(method.rawValue): \(line) \(fields) \(status)" }
    }

    private static let tus = ["Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"]
    private static let chunk = ["x-ms-file-name": "a", "Content-Type": "application/octet-stream"]
    private static let column = "PATCH /Photos(9001)/$value?FileContinuationToken=1"

    private static func with(_ fields: [String: String], _ name: String, _ value: String) -> [String: String] {
        fields.merging([name: value]) { _, new in new }
    }

    static let refusals: [Refusal] = [
        Refusal(method: .tus, line: "PATCH /files/1", fields: with(tus, "Upload-Offset", "1"), count: 4, status: 409),
        Refusal(method: .tus, line: "PATCH /files/1", fields: with(tus, "Upload-Offset", "0"), count: 11, status: 413),
        Refusal(method: .tus, line: "PATCH /files/1", fields: ["Upload-Offset": "0"], count: 4, status: 412),
        Refusal(method: .tus, line: "PATCH /files/1", fields: ["Tus-Resumable": "1.0.0"], count: 4, status: 415),
        Refusal(method: .tus, line: "HEAD /files/2", fields: tus, status: 404),
        Refusal(method: .tus, line: "POST /files", fields: with(tus, "Upload-Metadata", "path %"), status: 400),
        Refusal(method: .graph, line: "PUT /up/1", fields: ["Content-Range": "bytes 4-9/10"], count: 6, status: 416),
        Refusal(method: .graph, line: "PUT /up/1", fields: ["Content-Range": "bytes 0-3/10"], count: 4, status: 400),
        Refusal(method: .graph, line: "PUT /up/1", fields: ["Content-Range": "bytes 0-9/10"], count: 6, status: 400),
        Refusal(method: .graph, line: "PUT /up/1", fields: [:], count: 6, status: 400),
        Refusal(method: .graph, line: "GET /up/1", fields: ["X-Secret": "s"], status: 401),
        Refusal(method: .graph, line: "GET /up/2", fields: [:], status: 404),
        Refusal(
            method: .dataverse, line: column, fields: with(chunk, "Content-Range", "bytes 4-9/10"), count: 6,
            status: 416),
        Refusal(
            method: .dataverse, line: column, fields: with(chunk, "Content-Range", "bytes 0-3/10"), count: 4,
            status: 400),
        Refusal(
            method: .dataverse, line: column, fields: ["Content-Range": "bytes 0-9/10"], count: 10, status: 400),
        Refusal(method: .own, line: "PUT /parts/1", fields: ["Content-Range": "bytes 4-9/10"], count: 6, status: 416),
        Refusal(method: .own, line: "PUT /parts/1", fields: ["Content-Range": "bytes 0-9/10"], count: 6, status: 400),
        Refusal(method: .own, line: "POST /parts/1", fields: [:], status: 409),
        Refusal(method: .own, line: "POST /parts", fields: [:], status: 400),
        Refusal(method: .own, line: "GET /parts/2", fields: [:], status: 404),
    ]

    @Test("What does not fit is refused by the services", arguments: refusals)
    func refusal(_ refusal: Refusal) async throws {
        let desk = try await MethodDesk(refusal.method)
        let begin: (line: String, fields: [String: String]) =
            switch refusal.method {
            case .tus:
                ("POST /files", Self.tus.merging(["Upload-Length": "10", "Upload-Metadata": "path eA=="]) { $1 })
            case .graph: ("POST /Photos(9001)/createUploadSession", [:])
            case .dataverse: ("PATCH /Photos(9001)/$value?x-ms-file-name=a", ["x-ms-transfer-mode": "chunked"])
            case .own: ("POST /parts", ["X-Target": "Photos(9001)/$value"])
            }
        #expect(await status(of: begin.line, begin.fields, 0, desk) / 100 == 2)
        #expect(await status(of: refusal.line, refusal.fields, refusal.count, desk) == refusal.status)
        #expect(desk.uploading.board.refusals == [refusal.status] && desk.uploading.board.received <= 10)
        try await desk.stop()
    }

    private func status(
        of line: String, _ fields: [String: String], _ count: Int, _ desk: MethodDesk
    ) async -> Int {
        let parts = line.split(separator: " ").map(String.init)
        let method = HTTPRequest.Method(rawValue: parts[0]) ?? .get
        var request = HTTPRequest(method: method, scheme: nil, authority: nil, path: parts[1])
        for (name, value) in fields {
            guard let name = HTTPField.Name(name) else { continue }
            request.headerFields[name] = value
        }
        let body = ByteContent(Array(repeating: UInt8(7), count: count))
        return await desk.uploading.respond(to: request, body: body, root: desk.relay.root).head.status.code
    }
}
