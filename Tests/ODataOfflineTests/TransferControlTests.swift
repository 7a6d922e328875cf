import ODataOffline
import ODataOnline
import ODataService
import ODataStores
import ODataTesting
import Synchronization
import Testing

@Suite("Transfers one by one")
struct TransferControlTests {
    /// One stream at a time, the greatest numbers first.
    private func device(batch: Int = 1_000) async throws -> Device {
        let queries = [
            DefiningQuery(name: "less", query: "Photos?$filter=PhotoID lt 4", retrievesStreams: true),
            DefiningQuery(name: "more", query: "Photos?$filter=PhotoID gt 2", retrievesStreams: true),
        ]
        return try await Device(
            queries, wrap: { FaultyStore($0) },
            configure: {
                $0.parallelStreams = 1
                $0.streamPriorities = ["more": 2, "less": 1]
                $0.transferBatch = batch
            })
    }

    /// Does something with the transfer of a stream when the first bytes of any have come.
    private func download(
        _ device: Device, _ path: String, _ body: @escaping @Sendable (OfflineStore, TransferSnapshot.ID) -> Bool
    ) async throws -> DownloadReport {
        let isDone = Mutex(false)
        let store = device.store
        let report = try await store.download { progress in
            guard progress.phase == .streams, progress.finishedStreams >= 1, !isDone.withLock({ $0 }),
                let transfer = store.transferSnapshots.first(where: { $0.path == path })
            else { return }
            let worked = body(store, transfer.id)
            isDone.withLock { $0 = worked }
        }
        let wasDone = isDone.withLock { $0 }
        #expect(wasDone)
        return report
    }

    @Test("The streams of a query come before those of another, and everybody may watch")
    func order() async throws {
        let device = try await device()
        let changes = device.store.transferChanges
        async let watched = changes.reduce(into: [TransferSnapshot]()) { $0.append($1) }
        #expect(try await device.store.download().streams == 4)
        // Streams of one query are read side by side.
        let inTurn = device.store.transferSnapshots
        #expect(Set(inTurn.prefix(2).map(\.path)) == ["Photos(3)", "Photos(4)"])
        let transfers = inTurn.sorted { $0.path < $1.path }
        #expect(transfers.map(\.path) == ["Photos(1)", "Photos(2)", "Photos(3)", "Photos(4)"])
        #expect(transfers.map(\.priority) == [0, 0, 0, 0])
        #expect(transfers.map(\.acknowledged) == [10_000, 20_000, 30_000, 40_000])
        #expect(
            transfers.allSatisfy { $0.state == .finished && $0.total == $0.acknowledged && $0.direction == .download })
        try device.store.close()
        let seen = await watched
        for transfer in transfers {
            let bytes = seen.filter { $0.id == transfer.id }.map(\.acknowledged)
            #expect(bytes == bytes.sorted())
            #expect(bytes.last == transfer.total)
        }
    }

    @Test("What is paused does not come, in the next download neither, until it is resumed", arguments: [2, 1_000])
    func pause(batch: Int) async throws {
        let device = try await device(batch: batch)
        let report = try await download(device, "Photos(2)") { $0.pauseTransfer($1) }
        #expect(report.streams == 3)
        #expect(report.pausedStreams == 1)
        #expect(report.failedStreams.isEmpty)
        let missing = try await device.store.streamEntries().filter { $0.state == .missing }
        #expect(missing.map(\.path) == ["Photos(2)"])
        let again = try await device.store.download()
        #expect(again.streams == 0)
        #expect(again.pausedStreams == 1)
        let paused = try #require(device.store.transferSnapshots.first { $0.state == .paused })
        #expect(device.store.resumeTransfer(paused.id))
        let last = try await device.store.download()
        #expect(last.streams == 1)
        #expect(last.pausedStreams == 0)
        #expect(try await device.bytes("Photos(2)").count == 20_000)
    }

    @Test("What is paused does not come with a rebuild either, and does when it is resumed")
    func pausedRebuild() async throws {
        let device = try await device()
        #expect(try await download(device, "Photos(2)") { $0.pauseTransfer($1) }.streams == 3)
        let report = try await device.store.rebuild()
        #expect(report.keptStreams == 3)
        #expect(report.download.streams == 0)
        #expect(report.download.pausedStreams == 1)
        let paused = try #require(device.store.transferSnapshots.first { $0.state == .paused })
        #expect(paused.path == "Photos(2)")
        #expect(device.store.resumeTransfer(paused.id))
        #expect(try await device.store.rebuild().download.streams == 1)
        #expect(try await device.bytes("Photos(2)").count == 20_000)
    }

    @Test("What is cancelled is reported, and comes with the next download")
    func cancel() async throws {
        let device = try await device()
        let report = try await download(device, "Photos(1)") { $0.cancelTransfer($1) }
        #expect(report.streams == 3)
        #expect(report.failedStreams.map(\.path) == ["Photos(1)"])
        #expect(report.failedStreams.map(\.error.code) == [.cancelled])
        #expect(try await device.store.download().streams == 1)
        #expect(try await device.bytes("Photos(1)").count == 10_000)
    }

    @Test("Few of the streams are known at a time: pinned ones come first, and what two queries hold comes once")
    func batches() async throws {
        let device = try await device(batch: 1)
        let remote = try #require(device.remote as? FaultyStore)
        let totals = Mutex<Set<Int>>([])
        func download() async throws -> DownloadReport {
            try await device.store.download { progress in
                if progress.phase == .streams { totals.withLock { _ = $0.insert(progress.streams) } }
            }
        }
        #expect(try await download().streams == 4)
        #expect(remote.count.streamPaths == ["Photos(3)", "Photos(4)", "Photos(1)", "Photos(2)"])
        try await device.store.pin(try device.store.path("Photos(2)"))
        try device.service.execute("UPDATE Photos SET Image = x'0102'")
        try device.service.execute("UPDATE Photos SET Image = NULL WHERE PhotoID = 3")
        remote.set(.init())
        #expect(try await download().streams == 3)
        #expect(remote.count.streamPaths == ["Photos(2)", "Photos(3)", "Photos(4)", "Photos(1)"])
        #expect(try await device.bytes("Photos(4)") == [1, 2])
        let seen = totals.withLock { $0 }
        #expect(seen == [4])
        try device.store.close()
    }

    @Test("Another priority changes the order of those that wait")
    func priority() async throws {
        let device = try await device()
        let remote = try #require(device.remote as? FaultyStore)
        let report = try await download(device, "Photos(2)") { $0.setPriority(9, ofTransfer: $1) }
        #expect(report.streams == 4)
        let priorities = device.store.transferSnapshots.map { "\($0.path) \($0.priority)" }
        #expect(priorities == ["Photos(3) 0", "Photos(4) 0", "Photos(1) 0", "Photos(2) 9"])
        #expect(remote.count.streamPaths == ["Photos(3)", "Photos(2)", "Photos(4)", "Photos(1)"])
        try device.store.close()
    }

    @Test("The limit per host counts the service as one, whether its links are absolute or not")
    func hosts() async throws {
        let service = try SampleService()
        let responses = FixedResponses()
        responses.set(
            "/Photos?",
            """
            {"value":[{"PhotoID":1,"Title":"1","OrderID":1},
            {"@odata.mediaReadLink":"http://service.test/Photos(2)/$value","PhotoID":2,"Title":"2","OrderID":1},
            {"@odata.mediaReadLink":"http://elsewhere.test/far","PhotoID":3,"Title":"3","OrderID":1}]}
            """)
        let opened = Mutex<OfflineStore?>(nil)
        let most = Mutex(0)
        let plan = FaultPlan { attempt in
            let running = opened.withLock { $0 }?.transferSnapshots.count { $0.state == .running && $0.host.isEmpty }
            most.withLock { $0 = max($0, running ?? 0) }
            return responses.response(to: attempt.request)
        }
        let direct = InProcessTransport(service: ODataService(store: service.store))
        let remote = try OnlineStore(
            serviceRoot: "http://service.test/", transport: FaultTransport(next: direct, plan: plan))
        let query = DefiningQuery(name: "photos", query: "Photos?$filter=PhotoID ge 1", retrievesStreams: true)
        let device = try await ShopDevice([query], remote: remote) { $0.parallelStreamsPerHost = 1 }
        opened.withLock { $0 = device.store }
        let report = try await device.store.download()
        #expect(report.streams == 2 && report.failedStreams.map(\.path) == ["Photos(3)"], "nobody is at the other host")
        #expect(device.store.transferSnapshots.map(\.host) == ["", "", "elsewhere.test"])
        let together = most.withLock { $0 }
        #expect(together == 1)
        opened.withLock { $0 = nil }
        try device.store.close()
    }
}
