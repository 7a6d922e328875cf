import ODataModel
import ODataOffline
import ODataStores
import Synchronization
import Testing

@Suite("Reads beside each other")
struct ParallelReadTests {
    @Test("The next page is asked for, once, before the one at hand is written", .timeLimit(.minutes(1)))
    func ahead() async throws {
        let watch = ReadWatch()
        let device = try await Device([.init(name: "orders", query: "Orders")], pageSize: 10) {
            WatchedStore($0, watch) { link, watch in if let link { await watch.asked(link) } }
        }
        let pages = Mutex<[Int]>([])
        try await device.store.download { step in pages.withLock { $0.append(step.pages) } }
        #expect(try await device.count("Orders") == SampleService.orders)
        #expect(pages.withLock { Set($0) } == [0, 1, 2, 3])
        #expect(watch.links.count == 3)
        #expect(Set(watch.links).count == 3)
    }

    @Test("Queries are read side by side, as many as the app allows", .timeLimit(.minutes(1)), arguments: [1, 2])
    func queries(limit: Int) async throws {
        let watch = ReadWatch()
        let device = try await Device(
            [.init(name: "orders", query: "Orders"), .init(name: "customers", query: "Customers")]
        ) {
            WatchedStore($0, watch) { _, watch in if limit == 2 { await watch.asked(count: 2) } }
        } configure: {
            $0.parallelQueries = limit
        }
        try await device.store.download()
        #expect(watch.mostAtOnce == limit)
        #expect(try await device.count("Orders") == SampleService.orders)
        #expect(try await device.count("Customers") == 3)
    }
}

/// Notes what is asked, and lets others wait for it.
private final class ReadWatch: Sendable {
    private struct State {
        var links: [String] = []
        var open = 0
        var mostAtOnce = 0
        var waiting: [(isMet: ([String]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Of the requests, in their order; those without one by the path.
    var links: [String] { state.withLock { $0.links } }
    var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }

    func begin(_ link: String) {
        let met = state.withLock { state in
            state.links.append(link)
            state.open += 1
            state.mostAtOnce = max(state.mostAtOnce, state.open)
            let met = state.waiting.filter { $0.isMet(state.links) }.map(\.continuation)
            state.waiting.removeAll { $0.isMet(state.links) }
            return met
        }
        for continuation in met { continuation.resume() }
    }

    func end() { state.withLock { $0.open -= 1 } }

    func asked(_ link: String) async { await met { $0.contains(link) } }

    func asked(count: Int) async { await met { $0.count >= count } }

    private func met(_ condition: @escaping @Sendable ([String]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                guard !condition(state.links) else { return true }
                state.waiting.append((condition, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }
}

/// Passes reads on, and ends each page only when `finish` lets it.
private final class WatchedStore: ODataStore {
    typealias Finish = @Sendable (_ nextLink: String?, ReadWatch) async -> Void

    private let base: any ODataStore
    private let watch: ReadWatch
    private let finish: Finish

    init(_ base: any ODataStore, _ watch: ReadWatch, finish: @escaping Finish) {
        self.base = base
        self.watch = watch
        self.finish = finish
    }

    func model() async throws -> EdmModel { try await base.model() }

    func read(_ request: ReadRequest) async throws -> ReadResult {
        watch.begin(request.continuation ?? request.query.path.url)
        var result = try await base.read(request)
        guard case .entities(let reader) = result.body else { return result }
        result.body = .entities(WatchedReader(reader, watch, finish))
        return result
    }

    func change(_ request: ChangeRequest) async throws -> ChangeResult { try await base.change(request) }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { try await base.changeSet(requests) }

    func readStream(_ request: StreamRequest) async throws -> StreamResult { try await base.readStream(request) }
}

private final class WatchedReader: EntityReader {
    let shape: RowShape
    private let base: any EntityReader
    private let watch: ReadWatch
    private let finish: WatchedStore.Finish
    private let nextLink = Mutex<String?>(nil)

    init(_ base: any EntityReader, _ watch: ReadWatch, _ finish: @escaping WatchedStore.Finish) {
        self.base = base
        self.watch = watch
        self.finish = finish
        shape = base.shape
    }

    func next() async throws -> RowBlock? {
        if let block = try await base.next() {
            nextLink.withLock { $0 = block.nextLink ?? $0 }
            return block
        }
        await finish(nextLink.withLock { $0 }, watch)
        watch.end()
        return nil
    }
}
