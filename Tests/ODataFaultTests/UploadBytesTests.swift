import AsyncHTTPTransport
import ByteStreams
import HTTPTypes
import OData
import ODataServer
import ODataService
import Synchronization
import Testing

/// Over sockets of this machine, to a service that takes the first piece of a stream, and the rest when it is told to.
@Suite("The bytes of uploads while the service has not responded", .timeLimit(.minutes(5)))
struct UploadBytesTests {
    private static let transport = AsyncHTTPTransport()

    enum Way: CaseIterable { case whole, resumable }

    /// The last is more than the sockets hold.
    @Test("What is handed over is told before the response", arguments: Way.allCases, [5, 100_000, 32 << 20])
    func handedOver(way: Way, size: Int) async throws {
        let folder = try TemporaryFolder()
        let base = try SiteFile(in: folder).publish()
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let server = try await ODataServer.start(service: SlowService(next: ODataService(store: base), gate: gate))
        var configuration = OnlineStore.Configuration()
        configuration.uploadMethods["Photos"] = way == .whole ? .plain : .resumable
        configuration.resumableSize = 1
        let remote = try OnlineStore(
            serviceRoot: server.rootURL, transport: Self.transport, configuration: configuration)
        try await OfflineStore.opened(folder.path + "/store", remote) { store in
            try store.addQuery(DefiningQuery(name: "photos", query: "Photos"))
            try await store.download()
            let media = MediaContent(ByteContent([UInt8](repeating: 7, count: size)), contentType: "image/png")
            _ = try await store.change(ChangeRequest(try store.path("Photos(9001)"), .replaceStream(media)))
            let changes = store.transferChanges
            async let report = store.upload()
            var running: [TransferSnapshot] = []
            var last: TransferSnapshot?
            for await transfer in changes {
                last = transfer
                if transfer.state.isOver { break }
                guard transfer.state == .running else { continue }
                running.append(transfer)
                // The service goes on only when the board has some.
                if transfer.transferred > 0 { opener.finish() }
            }
            opener.finish()
            #expect(try await report.isComplete)
            let told = running.map(\.transferred)
            #expect(told == told.sorted() && told.last ?? 0 <= Int64(size))
            let first = try #require(running.first { $0.transferred > 0 })
            #expect(first.acknowledged == 0 && first.total == Int64(size))
            #expect(size < 1 << 20 || first.transferred < Int64(size))
            #expect(last?.state == .finished && last?.transferred == Int64(size))
        }
        try await server.stop()
        try base.close()
    }
}

/// Waits before the second piece, or the end, of a body that is a stream.
private struct SlowService: HTTPResponder {
    let next: ODataService
    let gate: AsyncStream<Void>

    func respond(
        to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
    ) async -> ServiceResponse {
        let isStream = request.method == .put || request.headerFields[.contentType] == "application/partial-upload"
        guard isStream, body.length != 0, let chunks = try? body.chunks().makeAsyncIterator() else {
            return await next.respond(to: request, body: body, root: root, context: context)
        }
        let isFirst = Mutex(true)
        let slow = ByteChunks {
            let mayPass = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if !mayPass { for await _ in gate {} }
            return try await chunks.next()
        }
        return await next.respond(
            to: request, body: ByteContent(slow, length: body.length), root: root, context: context)
    }
}
