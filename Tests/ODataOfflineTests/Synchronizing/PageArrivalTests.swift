import ByteStreams
import HTTPTypes
import ODataOffline
import ODataOnline
import ODataService
import ODataStores
import ODataTesting
import ODataTransport
import Synchronization
import Testing

@Suite("Progress while a page arrives")
struct PageArrivalTests {
    /// Hands the response to a read of entities over in pieces; each waits until the one before was reported.
    private final class PiecewiseTransport: HTTPTransport {
        private let next: any HTTPTransport
        private let counts: [Int]
        private let stream: AsyncStream<Void>
        private let signal: AsyncStream<Void>.Continuation

        /// - Parameter counts: Where the pieces begin that wait, in hundredths of the body.
        init(_ next: any HTTPTransport, waitingAt counts: [Int]) {
            (self.next, self.counts) = (next, counts)
            (stream, signal) = AsyncStream.makeStream()
        }

        func proceed() { signal.yield() }

        func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws
            -> TransportResponse
        {
            var response = try await next.send(request, body: body, context: context)
            guard request.path?.contains("Orders") == true else { return response }
            let bytes = try await response.body.collect(upTo: 1 << 24)
            // Small pieces, since what is complete is read with the next one.
            let pieces = stride(from: 0, to: bytes.count, by: max(1, bytes.count / 100)).map {
                Array(bytes[$0..<min($0 + max(1, bytes.count / 100), bytes.count)])
            }
            let given = Mutex(0)
            response.body = ByteContent(
                ByteChunks { [stream, counts] in
                    let index = given.withLock { given in
                        defer { given += 1 }
                        return given
                    }
                    guard index < pieces.count else { return nil }
                    if counts.contains(index) { for await _ in stream { break } }
                    return pieces[index]
                }, length: response.body.length)
            return response
        }
    }

    @Test(
        "Bytes are reported before the first entity is complete, and entities before the page is",
        .timeLimit(.minutes(1)))
    func slowPage() async throws {
        // The reader takes several kilobytes at a time.
        let service = try SampleService(more: [
            """
            WITH RECURSIVE n(i) AS (VALUES (100) UNION ALL SELECT i + 1 FROM n WHERE i < 5099)
            INSERT INTO Orders SELECT i, 'A', 1, '2024-01-02 03:04:05', 'note' FROM n
            """
        ])
        let folder = try TemporaryFolder()
        let transport = PiecewiseTransport(
            InProcessTransport(service: ODataService(store: service.store)), waitingAt: [2, 90])
        let remote = try OnlineStore(serviceRoot: "http://service.test/", transport: transport)
        let configuration = Device.configuration(pageSize: 10_000)
        let store = try OfflineStore(folder: folder.path + "/store", remote: remote, configuration: configuration)
        try await store.open()
        try store.addQuery(.init(name: "orders", query: "Orders"))
        let stops = Mutex<[DownloadProgress]>([])
        try await store.download { progress in
            guard progress.phase == .reading, progress.pages == 0 else { return }
            let isStop = stops.withLock { stops in
                let isNext =
                    stops.isEmpty
                    ? progress.receivedBytes > 0 && progress.entities == 0
                    : stops.count == 1 && progress.entities > 0
                if isNext { stops.append(progress) }
                return isNext
            }
            if isStop { transport.proceed() }
        }
        let seen = stops.withLock { $0 }
        #expect(seen.count == 2 && seen[0].receivedBytes < seen[1].receivedBytes)
        #expect(seen.map(\.bytes) != [0, 0])
        #expect(try await store.status.entities == ["Orders": SampleService.orders + 5000])
        try store.close()
    }
}
