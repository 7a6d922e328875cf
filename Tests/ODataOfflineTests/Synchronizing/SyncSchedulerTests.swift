import Foundation
import HTTPTypes
import ODataModel
import ODataOffline
import ODataStores
import ODataTesting
import Synchronization
import Testing

@Suite("Automatic synchronization", .timeLimit(.minutes(2)))
struct SyncSchedulerTests {
    @Test("The first start synchronizes, and then the interval does")
    func interval() async throws {
        let desk = try SyncDesk()
        let (store, scheduler) = try await desk.synchronized()
        #expect(try await store.status.entities == ["Orders": SampleService.orders])
        try desk.service.execute("UPDATE Orders SET Note = 'theirs' WHERE OrderID = 3")
        let first = await store.syncState(of: scheduler)
        #expect(first.nextAttempt == desk.clock.currentDate.addingTimeInterval(15 * 60))
        desk.clock.advance(by: .seconds(15 * 60))
        let success = desk.clock.currentDate
        _ = await store.state { $0.lastSuccess == success && $0.nextAttempt != nil }
        #expect(try await store.note(3) == .string("theirs"))
        await scheduler.stop()
        try store.close()
    }

    @Test("Changes are sent together, after a short time")
    func changes() async throws {
        let desk = try SyncDesk()
        let (store, scheduler) = try await desk.synchronized()
        for number in 1...3 { try await store.update("Orders(\(number))", #"{"Note":"mine"}"#) }
        await desk.planned(store)
        #expect(desk.requestCount == 0)
        await desk.clock.run(for: .seconds(20)) { await desk.end(of: store) }
        #expect(try desk.service.fetch("SELECT count(*) FROM Orders WHERE Note = 'mine'") == ["3"])
        #expect(try await store.events().count { $0.kind == .upload } == 1)
        #expect(try await store.queueEntries().isEmpty)
        await scheduler.stop()
        try store.close()
    }

    @Test("Without a network nothing is sent, and its return is used")
    func network() async throws {
        let desk = try SyncDesk()
        let (store, scheduler) = try await desk.synchronized()
        desk.network.condition = .disconnected
        _ = await store.state { !$0.isConnected && $0.nextAttempt == nil }
        try await store.update("Orders(1)", #"{"Note":"mine"}"#)
        _ = await store.state { $0.queueLength == 1 }
        desk.clock.advance(by: .seconds(10_000))
        #expect(desk.requestCount == 0)
        desk.network.condition = .connected
        _ = await store.state { $0.nextAttempt != nil }
        desk.clock.advance(by: .seconds(2))
        _ = await store.state { $0.queueLength == 0 && !$0.isRunning }
        #expect(try desk.service.fetch("SELECT Note FROM Orders WHERE OrderID = 1") == ["mine"])
        await scheduler.stop()
        try store.close()
    }

    @Test("Streams wait for a network that does not cost")
    func media() async throws {
        let desk = try SyncDesk()
        desk.network.condition = .expensive
        let (store, scheduler) = try await desk.synchronized([StreamTests.photos])
        #expect(try await store.status.streams == 0)
        #expect(try await store.status.entities == ["Photos": 4])
        desk.network.condition = .connected
        await desk.planned(store)
        await desk.clock.run(for: .seconds(5)) { await desk.end(of: store) }
        #expect(try await store.status.streams == 4)
        await scheduler.stop()
        try store.close()
    }

    @Test(
        "Retry-After is kept, in seconds and as a date, of uploads and of downloads",
        arguments: [(429, "1000", true), (503, "1000", false), (429, "Fri, 31 Dec 2999 23:59:59 GMT", true)])
    func retryAfter(status: Int, text: String, isUpload: Bool) async throws {
        let desk = try SyncDesk()
        let (store, scheduler) = try await desk.synchronized()
        desk.setFault { request in
            guard !isUpload || request.method != .get else { return nil }
            return .status(status, headers: [.retryAfter: text])
        }
        try await store.update("Orders(1)", #"{"Note":"mine"}"#)
        await desk.planned(store)
        await desk.clock.run(for: .seconds(5)) { await desk.end(of: store) }
        let failed = await store.state { $0.failure != nil && $0.nextAttempt != nil }
        let wait = try #require(failed?.nextAttempt).timeIntervalSince(desk.clock.currentDate)
        #expect(wait > 990 && wait < 24 * 3600 + 1)
        _ = desk.takeRequests()
        // Neither further changes nor a network that returns are a reason.
        try await store.update("Orders(2)", #"{"Note":"mine"}"#)
        desk.network.condition = .disconnected
        _ = await store.state { !$0.isConnected && $0.nextAttempt == nil }
        desk.network.condition = .connected
        _ = await store.state { $0.isConnected && $0.nextAttempt != nil }
        desk.clock.advance(by: .seconds(wait - 20))
        #expect(desk.requestCount == 0)
        desk.setFault()
        await desk.clock.run(for: .seconds(100)) { await desk.end(of: store) }
        #expect(try desk.service.fetch("SELECT count(*) FROM Orders WHERE Note = 'mine'") == ["2"])
        await scheduler.stop()
        try store.close()
    }

    @Test(
        "A service that fails is asked less and less often, and nothing is lost",
        arguments: [TransportFault.refused, .requestLost, .status(500), .status(502), .status(503), .cut(after: 10)])
    func failing(fault: TransportFault) async throws {
        let desk = try SyncDesk()
        let (store, scheduler) = try await desk.synchronized()
        desk.setFault { _ in fault }
        for number in 1...3 { try await store.update("Orders(\(number))", #"{"Note":"mine"}"#) }
        await desk.planned(store)
        let runs = Mutex(0)
        await desk.clock.run(for: .seconds(3600)) {
            runs.withLock { $0 += 1 }
            await desk.end(of: store)
        }
        // 5 s, 10 s, 20 s … 15 min
        #expect((8...20).contains(runs.withLock { $0 }))
        #expect(desk.takeRequests().count < 200)
        let state = try await store.syncState
        #expect(state.queueLength + state.failedRequests > 0 && state.nextAttempt != nil)
        desk.setFault()
        await desk.clock.run(for: .seconds(1800)) { await desk.end(of: store) }
        #expect(try desk.service.fetch("SELECT count(*) FROM Orders WHERE Note = 'mine'") == ["3"])
        #expect(try await store.queueEntries().isEmpty)
        await scheduler.stop()
        try store.close()
    }

    @Test("An expired token stops everything until the app has signed in", arguments: [true, false])
    func signIn(isUpload: Bool) async throws {
        let desk = try SyncDesk()
        let (store, scheduler) = try await desk.synchronized()
        desk.setFault { _ in .status(401) }
        if isUpload {
            try await store.update("Orders(1)", #"{"Note":"mine"}"#)
            await desk.planned(store)
        }
        desk.clock.advance(to: await desk.clock.nextDeadline())
        let stopped = await store.state { $0.requirement != nil && !$0.isRunning }
        #expect(stopped?.requirement == .signIn && stopped?.nextAttempt == nil)
        #expect(stopped?.failure?.code == .unauthorized)
        _ = desk.takeRequests()
        try await store.update("Orders(2)", #"{"Note":"mine"}"#)
        desk.network.condition = .disconnected
        desk.network.condition = .connected
        desk.clock.advance(by: .seconds(100_000))
        await #expect {
            try await scheduler.sync()
        } throws: { ($0 as? ODataError)?.code == .unauthorized }
        desk.setFault()
        await scheduler.resume()
        let state = await store.state { $0.queueLength == 0 && !$0.isRunning && $0.requirement == nil }
        #expect(state?.failure == nil)
        #expect(try desk.service.fetch("SELECT Note FROM Orders WHERE OrderID = 2") == ["mine"])
        await scheduler.stop()
        try store.close()
    }

    @Test("A refused request is not sent again and again; downloads go on, and a repair is sent")
    func refusal() async throws {
        let desk = try SyncDesk()
        let (store, scheduler) = try await desk.synchronized()
        try await store.update("Orders(1)", #"{"Note":"refused"}"#)
        await desk.planned(store)
        await desk.clock.run(for: .seconds(10)) { await desk.end(of: store) }
        #expect(await store.state { $0.requirement != nil }?.requirement == .refusal)
        _ = desk.takeRequests()
        try desk.service.execute("UPDATE Orders SET Note = 'theirs' WHERE OrderID = 3")
        await desk.clock.run(for: .seconds(3600)) { await desk.end(of: store) }
        #expect(desk.takeRequests().allSatisfy { $0.method == .get })
        #expect(try await store.note(3) == .string("theirs"))
        let entry = try #require(try await store.errorEntries().first)
        let repair = try await store.payload(#"{"Note":"repaired"}"#, for: try store.path("Orders(1)"))
        try await store.edit(errorID: entry.id, payload: repair)
        await desk.planned(store)
        await desk.clock.run(for: .seconds(10)) { await desk.end(of: store) }
        #expect(try desk.service.fetch("SELECT Note FROM Orders WHERE OrderID = 1") == ["repaired"])
        #expect(await store.state { $0.requirement == nil && $0.queueLength == 0 } != nil)
        await scheduler.stop()
        try store.close()
    }

    @Test("A change that is made while a run is going on is sent by the next one")
    func changeDuringRun() async throws {
        let desk = try SyncDesk()
        let (store, scheduler) = try await desk.synchronized()
        let isFirst = FirstTime()
        desk.setReading { _ in
            guard isFirst.take() else { return }
            try await store.update("Orders(2)", #"{"Note":"late"}"#)
        }
        try await store.update("Orders(1)", #"{"Note":"early"}"#)
        await desk.planned(store)
        await desk.clock.run(for: .seconds(30)) { await desk.end(of: store) }
        #expect(try desk.service.fetch("SELECT Note FROM Orders WHERE OrderID < 3") == ["early", "late"])
        desk.setReading()
        await scheduler.stop()
        try store.close()
    }

    @Test("A scheduler that is started twice runs once; a second one is refused until the first has stopped")
    func twice() async throws {
        let desk = try SyncDesk()
        let (store, scheduler) = try await desk.synchronized()
        try await scheduler.start()
        let other = desk.scheduler(store)
        await #expect { try await other.start() } throws: { ($0 as? ODataError)?.code == .conflict }
        await #expect { try await other.sync() } throws: { ($0 as? ODataError)?.code == .cancelled }
        #expect(desk.requestCount == 0)
        await scheduler.stop()
        await scheduler.stop()
        try await other.start()
        #expect(try await other.sync().isComplete)
        await other.stop()
        try store.close()
    }

    @Test("What the app requests runs at once, also without a network, and callers share a run")
    func onDemand() async throws {
        let desk = try SyncDesk()
        let (store, scheduler) = try await desk.synchronized()
        desk.network.condition = .disconnected
        try await store.update("Orders(1)", #"{"Note":"mine"}"#)
        let reports = try await withThrowingTaskGroup(of: SyncReport.self) { group in
            for _ in 1...5 { group.addTask { try await scheduler.sync() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(reports.count == 5)
        #expect(try await store.queueEntries().isEmpty)
        #expect(try await store.events().count <= 12)
        let cancelled = Task { try await scheduler.sync() }
        cancelled.cancel()
        if case .failure(let error) = await cancelled.result {
            #expect((error as? ODataError)?.code == .cancelled)
        }
        await scheduler.stop()
        await #expect(throws: ODataError.self) { try await scheduler.sync() }
        try store.close()
    }

    @Test("A run that is stopped is continued by the next start, of another process too")
    func stopped() async throws {
        let desk = try SyncDesk()
        let (store, scheduler) = try await desk.synchronized()
        let (reached, signal) = AsyncStream<Void>.makeStream()
        desk.setReading { _ in
            signal.yield()
            try await Task.sleep(for: .seconds(3600))
        }
        try await store.update("Orders(1)", #"{"Note":"mine"}"#)
        let caller = Task { try await scheduler.sync() }
        for await _ in reached { break }
        await scheduler.stop()
        await #expect(throws: ODataError.self) { try await caller.value }
        desk.setReading()
        try store.close()
        let next = try await desk.store()
        try await next.update("Orders(2)", #"{"Note":"mine"}"#)
        let scheduler2 = desk.scheduler(next)
        try await scheduler2.start()
        await desk.planned(next)
        await desk.clock.run(for: .seconds(10)) { await desk.end(of: next) }
        #expect(try desk.service.fetch("SELECT count(*) FROM Orders WHERE Note = 'mine'") == ["2"])
        await scheduler2.stop()
        try next.close()
    }

    @Test("A process that is killed during a run leaves it due; one that waits leaves its delay")
    func killed() async throws {
        let desk = try SyncDesk()
        let (store, scheduler) = try await desk.synchronized()
        let copies = [desk.folder.path + "/killed", desk.folder.path + "/waiting"]
        let isFirst = FirstTime()
        desk.setReading { _ in
            guard isFirst.take() else { return }
            try FileManager.default.copyItem(atPath: desk.folder.path + "/store", toPath: copies[0])
        }
        try await scheduler.sync()
        desk.setReading()
        desk.setFault { _ in .status(503, headers: [.retryAfter: "500"]) }
        await #expect(throws: ODataError.self) { try await scheduler.sync() }
        _ = await store.state { $0.nextAttempt != nil }
        await scheduler.stop()
        try store.close()
        try FileManager.default.copyItem(atPath: desk.folder.path + "/store", toPath: copies[1])
        let killed = try await desk.store(folder: "killed")
        let first = desk.scheduler(killed)
        let before = desk.requestCount
        try await first.start()
        _ = await killed.state { $0.nextAttempt != nil && !$0.isRunning }
        #expect(desk.requestCount > before)
        await first.stop()
        try killed.close()
        let waiting = try await desk.store(folder: "waiting")
        let second = desk.scheduler(waiting)
        _ = desk.takeRequests()
        try await second.start()
        let state = await waiting.state { $0.nextAttempt != nil }
        #expect(state?.nextAttempt.map { $0.timeIntervalSince(desk.clock.currentDate) } ?? 0 > 490)
        #expect(desk.requestCount == 0)
        await second.stop()
        try waiting.close()
    }

    @Test("A network that comes and goes for an hour: few requests, and all changes arrive")
    func flapping() async throws {
        let desk = try SyncDesk()
        let (store, scheduler) = try await desk.synchronized()
        let isUp = Mutex(true)
        desk.setFault { _ in isUp.withLock { $0 } ? nil : .refused }
        for step in 0..<720 {
            let up = step % 3 == 0
            isUp.withLock { $0 = up }
            desk.network.condition = step % 2 == 0 ? .connected : .disconnected
            if step % 60 == 0 { try await store.update("Orders(\(step / 60 + 1))", #"{"Note":"mine"}"#) }
            desk.clock.advance(by: .seconds(5))
            await desk.end(of: store)
        }
        #expect(desk.takeRequests().count < 2500)
        isUp.withLock { $0 = true }
        desk.network.condition = .connected
        await desk.clock.run(for: .seconds(1800)) { await desk.end(of: store) }
        #expect(try desk.service.fetch("SELECT count(*) FROM Orders WHERE Note = 'mine'") == ["12"])
        #expect(try await store.queueEntries().isEmpty)
        await scheduler.stop()
        try store.close()
    }

    @Test("A scheduler ends with its store, and a reader's store has none")
    func closed() async throws {
        let desk = try SyncDesk()
        let (store, scheduler) = try await desk.synchronized()
        try store.close()
        await #expect(throws: ODataError.self) { try await scheduler.sync() }
        let reader = try OfflineStore(folder: desk.folder.path + "/store", remote: nil, isReadOnly: true)
        await #expect {
            try await SyncScheduler(store: reader).start()
        } throws: { ($0 as? ODataError)?.code == .methodNotAllowed }
        try reader.close()
    }
}

extension SyncDesk {
    /// Waits until the next attempt is soon.
    fileprivate func planned(_ store: OfflineStore) async {
        _ = await store.state { $0.nextAttempt.map { $0 < clock.currentDate + 10 } ?? false }
    }

    /// Waits until no run is going on.
    fileprivate func end(of store: OfflineStore) async { _ = await store.state { !$0.isRunning } }
}

extension OfflineStore {
    fileprivate func note(_ order: Int) async throws -> EdmValue? {
        try await entities(try await query("Orders(\(order))")).first?["Note"]
    }

    fileprivate func syncState(of scheduler: SyncScheduler) async -> SyncState {
        await state { $0.nextAttempt != nil } ?? SyncState()
    }
}
