import Foundation
import HTTPTypes
import ODataModel
import ODataOffline
import ODataOnline
import ODataService
import ODataStores
import ODataTesting
import Synchronization

/// A store over HTTP whose network, faults and time a test decides on.
final class SyncDesk: Sendable {
    static let root = "http://service.test/"
    static let orders = DefiningQuery(name: "orders", query: "Orders")

    let service: SampleService
    let folder: TemporaryFolder
    let clock = ControlledClock()
    let network = ReportedNetwork()
    private let requests = Mutex<[HTTPRequest]>([])
    private let fault = Mutex<@Sendable (HTTPRequest) -> TransportFault?>({ _ in nil })
    private let reading = Mutex<@Sendable (ReadRequest) async throws -> Void>({ _ in })

    init() throws {
        service = try SampleService()
        folder = try TemporaryFolder()
    }

    /// The requests that were sent since the last call.
    func takeRequests() -> [HTTPRequest] {
        requests.withLock { requests in
            defer { requests = [] }
            return requests
        }
    }

    var requestCount: Int { requests.withLock { $0.count } }

    func setFault(_ choose: @escaping @Sendable (HTTPRequest) -> TransportFault? = { _ in nil }) {
        fault.withLock { $0 = choose }
    }

    /// Called before each read of the store.
    func setReading(_ body: @escaping @Sendable (ReadRequest) async throws -> Void = { _ in }) {
        reading.withLock { $0 = body }
    }

    /// A store with the query `orders`, or the one that was closed.
    func store(
        _ queries: [DefiningQuery] = [orders], folder name: String = "store",
        configure: (inout OfflineStore.Configuration) -> Void = { _ in }
    ) async throws -> OfflineStore {
        let plan = FaultPlan { [self] attempt in
            requests.withLock { $0.append(attempt.request) }
            return fault.withLock { $0 }(attempt.request)
        }
        let transport = FaultTransport(
            next: InProcessTransport(service: ODataService(store: service.store), root: Self.root), plan: plan)
        let online = try OnlineStore(serviceRoot: Self.root, transport: transport)
        let remote = TappedStore(base: online, reading: { [self] in try await reading.withLock { $0 }($0) })
        var configuration = Device.configuration()
        configuration.now = { [clock] in clock.currentDate }
        configuration.random = { 0 }
        configure(&configuration)
        configuration.keep(folder)
        let store = try OfflineStore(
            folder: folder.path + "/" + name, remote: remote, configuration: configuration)
        setFault()
        try await store.open()
        try await store.setQueries(queries)
        return store
    }

    /// A scheduler that waits by the clock of the test.
    func scheduler(
        _ store: OfflineStore, _ configure: (inout SyncScheduler.Policy) -> Void = { _ in }
    ) -> SyncScheduler {
        var policy = SyncScheduler.Policy()
        configure(&policy)
        return SyncScheduler(store: store, policy: policy, network: network, clock: clock)
    }

    /// A store that was synchronized, and its scheduler, which waits for the interval.
    func synchronized(
        _ queries: [DefiningQuery] = [orders], _ configure: (inout SyncScheduler.Policy) -> Void = { _ in }
    ) async throws -> (store: OfflineStore, scheduler: SyncScheduler) {
        let store = try await store(queries)
        let scheduler = scheduler(store, configure)
        try await scheduler.start()
        _ = await store.state { $0.lastSuccess != nil && $0.nextAttempt != nil }
        _ = takeRequests()
        return (store, scheduler)
    }
}

extension OfflineStore {
    /// The first state that fulfils a condition.
    func state(_ condition: (SyncState) -> Bool) async -> SyncState? {
        for await state in syncStates where condition(state) { return state }
        return nil
    }

    func update(_ entity: String, _ json: String) async throws {
        let path = try path(entity)
        _ = try await change(ChangeRequest(path, .update(try await payload(json, for: path))))
    }
}

/// Says once that it is the first time.
final class FirstTime: Sendable {
    private let isFirst = Mutex(true)

    func take() -> Bool {
        isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
    }
}
