import ODataModel
import ODataOffline
import ODataStores
import Synchronization
import Testing

@Suite("Synchronization")
struct SyncTests {
    private static let orders = DefiningQuery(name: "orders", query: "Orders")

    private static func device(_ queries: [DefiningQuery] = [orders]) async throws -> (Device, FaultyStore) {
        let device = try await Device(queries, wrap: { FaultyStore($0) }, configure: { $0.batchSize = 1 })
        try await device.store.sync()
        let remote = try #require(device.remote as? FaultyStore)
        remote.set(.init())
        return (device, remote)
    }

    @Test("The queue is sent, then the queries are brought up to date")
    func both() async throws {
        let (device, _) = try await Self.device()
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        try device.service.execute("UPDATE Orders SET Note = 'theirs' WHERE OrderID = 3")
        let report = try await device.store.sync()
        #expect(report.upload?.succeeded.map(\.url) == ["Orders(2)"])
        #expect(report.download?.queries.map(\.name) == ["orders"])
        #expect(report.isComplete)
        #expect(report.summary.hasPrefix("1 request sent; 1 query, "))
        #expect(try device.service.fetch("SELECT Note FROM Orders WHERE OrderID = 2") == ["mine"])
        #expect(try await device.values("Orders(3)", "Note") == [.string("theirs")])
        #expect(try await device.store.events().map(\.kind) == [.download, .upload, .download])
    }

    @Test("Without requests in the queue there is no upload")
    func emptyQueue() async throws {
        let (device, _) = try await Self.device()
        let report = try await device.store.sync()
        #expect(report.upload == nil && report.isComplete)
        #expect(try await device.store.events().map(\.kind) == [.download, .download])
    }

    @Test("A refused request does not stop the download")
    func refusal() async throws {
        let (device, _) = try await Self.device()
        try await device.update("Orders(2)", #"{"Note":"refused"}"#)
        try device.service.execute("UPDATE Orders SET Note = 'theirs' WHERE OrderID = 3")
        let report = try await device.store.sync()
        #expect(report.upload?.failed.count == 1 && !report.isComplete)
        #expect(report.summary.hasPrefix("0 requests sent, 1 failed; "))
        #expect(try await device.values("Orders(3)", "Note") == [.string("theirs")])
        #expect(try await device.values("Orders(2)", "Note") == [.string("refused")])
        #expect(try await device.store.syncState.failedRequests == 1)
    }

    @Test("An error that ends the upload ends the synchronization, with the report until then")
    func failingUpload() async throws {
        let (device, remote) = try await Self.device()
        for number in 1...3 { try await device.update("Orders(\(number))", #"{"Note":"mine"}"#) }
        remote.set(.init(failingChange: 2))
        let error = try #require(await #expect(throws: ODataError.self) { try await device.store.sync() })
        #expect(error.code == .unreachable && remote.count.reads == 0)
        let report = try #require((error.cause as? SyncInterruption)?.report)
        #expect(report.upload?.succeeded.count == 1 && report.upload?.notSent.count == 2 && report.download == nil)
        #expect((error.cause as? SyncInterruption)?.cause is UploadInterruption)
        let state = try await device.store.syncState
        #expect(!state.isConnected && state.failure?.code == .unreachable && state.queueLength == 2)
        remote.set(.init())
        #expect(try await device.store.sync().upload?.isComplete == true)
        #expect(try await device.store.syncState.failure == nil)
    }

    @Test("An error of the download has the report of the upload")
    func failingDownload() async throws {
        let (device, remote) = try await Self.device()
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        remote.set(.init(failingRead: 1))
        let error = try #require(await #expect(throws: ODataError.self) { try await device.store.sync() })
        let report = try #require((error.cause as? SyncInterruption)?.report)
        #expect(report.upload?.succeeded.count == 1 && report.download == nil)
        #expect(try await device.store.queueEntries().isEmpty)
    }

    @Test("An unknown query is an error before anything is sent, as is a store without a service")
    func unknown() async throws {
        let (device, remote) = try await Self.device()
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        await #expect {
            try await device.store.sync(["nothing"])
        } throws: { ($0 as? ODataError)?.code == .notFound }
        #expect(remote.count.changes == 0)
        try device.store.close()
        let alone = try OfflineStore(folder: device.folder.path + "/store", remote: nil)
        await #expect(throws: ODataError.self) { try await alone.sync() }
        #expect(try await alone.syncState.queueLength == 1)
        try alone.close()
    }

    @Test("Only the named queries are read, and that is not a complete synchronization")
    func named() async throws {
        let device = try await Device([Self.orders, .init(name: "customers", query: "Customers")])
        #expect(try await device.store.sync(["customers"]).download?.queries.map(\.name) == ["customers"])
        #expect(try await device.store.syncState.lastSuccess == nil)
        try await device.store.sync()
        let success = try await device.store.syncState.lastSuccess
        #expect(success != nil)
        try device.store.close()
        let store = try OfflineStore(folder: device.folder.path + "/store", remote: nil)
        #expect(try await store.syncState.lastSuccess == success)
        try store.close()
    }

    @Test("No other transfer begins within a synchronization")
    func exclusive() async throws {
        let (device, _) = try await Self.device()
        let store = device.store
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        let codes = Mutex<Set<String>>([])
        try await store.sync { progress in
            do { try store.clear() } catch {
                codes.withLock { _ = $0.insert("\(progress.phase) \((error as? ODataError)?.code.name ?? "")") }
            }
        }
        #expect(codes.withLock { $0 } == ["uploading conflict", "downloading conflict"])
        #expect(try await device.count("Orders") == SampleService.orders)
    }

    @Test("The fraction never falls, and a query's parts add up")
    func fractions() async throws {
        let (device, _) = try await Self.device([
            Self.orders, .init(name: "photos", query: "Photos", retrievesStreams: true),
        ])
        for number in 1...3 { try await device.update("Orders(\(number))", #"{"Note":"mine"}"#) }
        try device.service.execute("UPDATE Photos SET Image = x'0102' WHERE PhotoID = 2")
        let seen = Mutex<[SyncProgress]>([])
        try await device.store.sync { progress in seen.withLock { $0.append(progress) } }
        let steps = seen.withLock { $0 }
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.fraction <= $1.fraction })
        #expect(steps.allSatisfy { (0...1).contains($0.fraction) })
        let last = try #require(steps.last)
        #expect(last.fraction == 1 && last.requests == 3 && last.finishedRequests == 3)
        #expect(last.queries.allSatisfy { $0.fraction == 1 } && last.queries.count == 2)
        #expect(last.streams == 1 && last.finishedStreams == 1 && last.bytes > 0)
        #expect(steps.contains { $0.description.hasPrefix("Sending 1 of 3 requests") })
        #expect(last.description.hasPrefix("Receiving streams: 1 of 1, "))
    }

    @Test("What is read again is expected to be as much as before; a count of the service is the number")
    func expectations() async throws {
        let device = try await Device(
            [
                .init(name: "compared", query: "Orders", refresh: .comparison),
                .init(name: "counted", query: "Items?$count=true", refresh: .comparison),
            ], pageSize: 5, configure: { $0.parallelQueries = 1 })
        let seen = Mutex<[SyncProgress.Query]>([])
        for round in 1...2 {
            seen.withLock { $0 = [] }
            try await device.store.sync { progress in seen.withLock { $0 += progress.queries.suffix(1) } }
            let steps = seen.withLock { $0 }
            let compared = steps.filter { $0.name == "compared" && $0.entities == 10 }
            #expect(compared.isEmpty == false)
            #expect(compared.allSatisfy { $0.totalEntities == (round == 1 ? nil : 25) })
            #expect(compared.allSatisfy { round == 1 ? $0.fraction == nil : abs(($0.fraction ?? 0) - 0.38) < 0.001 })
            #expect(steps.contains { $0.name == "counted" && $0.entities == 25 && $0.totalEntities == 50 })
        }
    }

    @Test("States show the queue as the app changes it, and what runs")
    func states() async throws {
        let (device, _) = try await Self.device()
        let store = device.store
        #expect(await store.state { $0.queueLength == 0 }?.lastSuccess != nil)
        let waiting = Task { await store.state { $0.queueLength == 1 } }
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        #expect(await waiting.value?.phase == .idle)
        let phases = Mutex<Set<SyncState.Phase>>([])
        try await store.sync { progress in phases.withLock { _ = $0.insert(progress.phase) } }
        #expect(phases.withLock { $0 } == [.uploading, .downloading])
        let idle = await store.state { !$0.isRunning && $0.queueLength == 0 }
        #expect(idle?.progress == nil)
        let states = store.syncStates
        try store.close()
        var rest = 0
        for await _ in states { rest += 1 }
        #expect(rest <= 1)
        await #expect(throws: ODataError.self) { try await store.syncState }
    }
}
