import Foundation
import GRDB
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Synchronization
import Testing

@Suite("Events")
struct EventTests {
    @Test("Downloads and uploads are kept with their counts, as values and as entities")
    func kept() async throws {
        let device = try await Device(
            [
                .init(name: "orders", query: "Orders"), .init(name: "photos", query: "Photos", retrievesStreams: true),
            ], pageSize: 10)
        try await device.store.download()
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        try await device.store.upload()
        let events = try await device.store.events()
        #expect(events.map(\.kind) == [.upload, .download])
        #expect(events.allSatisfy { $0.outcome == .succeeded && $0.ended != nil })
        let counts = try #require(events.last?.counts)
        // Queries are read side by side.
        let queries = counts.queries.sorted { $0.name < $1.name }
        #expect(queries.map(\.name) == ["orders", "photos"])
        #expect(queries.map(\.entities) == [25, 4])
        #expect(queries.map(\.pages) == [3, 1])
        #expect(Set(counts.queries[0].seconds.keys) == ["reading", "publishing"])
        #expect(counts.streams?.finished == 4)
        #expect(counts.streams?.bytes == 100_000)
        #expect(events.first?.counts?.requests == 1)
        #expect(events.first?.counts?.done == 1)
        #expect(queries.allSatisfy { $0.mode == .full && $0.reason == nil && ($0.bytes ?? 0) > 0 })
        let kinds = try await device.values("EventLog?$filter=Outcome eq 'succeeded'&$orderby=ID desc", "Kind")
        #expect(kinds == [.string("upload"), .string("download")])
    }

    @Test("Refusals, what was held back, and why a query was read as a whole are told")
    func reasons() async throws {
        let queries = [DefiningQuery(name: "orders", query: "Orders")]
        let device = try await Device(queries, wrap: { FaultyStore($0) }, configure: { $0.deepInserts = .parts })
        let remote = try #require(device.remote as? FaultyStore)
        try await device.store.download()
        try await device.create("Orders", #"{"Note":"refused","Items":[{"LineNo":1}]}"#)
        try await device.update("Orders(2)", #"{"Note":"fine"}"#)
        try await device.store.upload()
        #expect(try await device.store.events().first?.outcome == .partial)
        let results = try #require(try await device.store.events().first?.counts?.results)
        let counts: [Int] = [results.succeeded, results.failed, results.held, results.unconfirmed]
        #expect(counts == [1, 1, 1, 0])
        remote.set(.init(failingChange: 1))
        await #expect(throws: ODataError.self) { try await device.store.upload() }
        #expect(try await device.store.events().first?.counts?.results?.notSent == 2)
        remote.set(.init(goneDelta: true))
        try await device.store.download()
        let query = try #require(try await device.store.events().first?.counts?.queries.first)
        #expect(query.mode == .comparison)
        #expect(query.reason?.contains("token") == true)
    }

    @Test("A download of which a stream did not come was done in part, until one brings it")
    func partial() async throws {
        let device = try await Device([StreamTests.photos]) { FaultyStore($0) }
        let remote = try #require(device.remote as? FaultyStore)
        remote.set(.init(brokenStreams: ["Photos(2)"]))
        #expect(try await device.store.download().failedStreams.map(\.path) == ["Photos(2)"])
        let event = try #require(try await device.store.events().first)
        #expect(event.outcome == .partial && event.ended != nil)
        #expect(event.counts?.streams?.failed == 1)
        #expect(try await device.values("EventLog?$top=1", "Outcome") == [.string("partial")])
        remote.set(.init())
        try await device.store.download()
        #expect(try await device.store.events().map(\.outcome) == [.succeeded, .partial])
    }

    @Test("An undo is told with what it took back; one that was refused, or had nothing to take back, is not")
    func undo() async throws {
        let device = try await Device([.init(name: "orders", query: "Orders")])
        try await device.store.download()
        for number in 1...3 { try await device.update("Orders(\(number))", #"{"Note":"mine"}"#) }
        let changes = try [4, 5].map { number in
            ChangeRequest(try device.store.path("Orders(\(number))"), .update(EntityPayload(["Note": .string("set")])))
        }
        _ = try await device.store.changeSet(changes)
        let set = try #require(try await device.store.queueEntries().last?.changeSet)
        try await device.store.undo(.entity(try device.store.path("Orders(2)")))
        try await device.store.undo(.changeSet(set))
        try await device.store.undo(.everything)
        try await device.store.undo(.everything)
        await #expect(throws: ODataError.self) { try await device.store.undo(.request(999)) }
        let events = try await device.store.events()
        #expect(events.map(\.kind) == [.undo, .undo, .undo, .download])
        #expect(events.allSatisfy { $0.outcome == .succeeded && $0.ended != nil })
        #expect(
            events.prefix(3).map(\.message) == [
                "PATCH Orders(1) and 1 more taken back.", "PATCH Orders(4) and 1 more taken back.",
                "PATCH Orders(2) taken back.",
            ])
        #expect(try await device.values("EventLog?$filter=Kind eq 'undo'&$top=1", "Outcome") == [.string("succeeded")])
    }

    @Test("An undo of what was refused is told however it is asked for", arguments: [true, false])
    func undoOfError(byDelete: Bool) async throws {
        let device = try await Device([.init(name: "orders", query: "Orders")])
        try await device.store.download()
        try await device.update("Orders(3)", #"{"Note":"refused"}"#)
        #expect(try await device.store.upload().failed.count == 1)
        let entry = try #require(try await device.store.errorEntries().first)
        if byDelete {
            try await device.delete("ErrorArchive(\(entry.id))")
        } else {
            try await device.store.undo(errorID: entry.id)
        }
        let event = try #require(try await device.store.events().first)
        #expect(event.kind == .undo && event.message == "PATCH Orders(3) taken back.")
    }

    @Test("The seconds of queries that are read side by side are those of each")
    func seconds() async throws {
        let device = try await Device(
            [.init(name: "orders", query: "Orders"), .init(name: "customers", query: "Customers")], pageSize: 5,
            configure: { $0.now = Self.ticking() })
        let report = try await device.store.download()
        let counts = try #require(try await device.store.events().first?.counts)
        for query in report.queries {
            let seconds = try #require(counts.queries.first { $0.name == query.name }).seconds
            #expect(
                seconds == [
                    "reading": query.reading / .seconds(1), "publishing": query.publishing / .seconds(1),
                ])
        }
        #expect(counts.queries.count == 2)
    }

    @Test("The streams of a rebuild have their seconds")
    func rebuildSeconds() async throws {
        let service = try SampleService()
        let device = try await Device(
            [.init(name: "photos", query: "Photos", retrievesStreams: true)], service: service,
            configure: { $0.now = Self.ticking() })
        let report = try await device.store.rebuild()
        #expect(report.download.streams == 4)
        let streams = try #require(try await device.store.events().first?.counts?.streams)
        #expect(streams.seconds == report.download.streaming / .seconds(1))
        #expect(streams.seconds > 0)
    }

    @Test("Work that is done stays done where its event cannot be written")
    func unwritable() async throws {
        let device = try await Device([.init(name: "orders", query: "Orders")])
        let queue = try DatabaseQueue(path: device.folder.path + "/store/store.sqlite")
        try await queue.write { db in
            try db.execute(
                sql: #"CREATE TRIGGER "full" BEFORE UPDATE ON "$event" BEGIN SELECT RAISE(FAIL, 'full'); END"#)
        }
        try queue.close()
        try await device.store.download()
        #expect(try await device.count("Orders") == SampleService.orders)
        #expect(try await device.store.events().map(\.outcome) == [nil])
    }

    @Test("Failures, cancelled work and work that a dead process left are told apart")
    func outcomes() async throws {
        let remote = FaultyStore(try SampleService().store)
        let device = try await Device([.init(name: "orders", query: "Orders")]) { _ in remote }
        remote.set(.init(failingRead: 1))
        await #expect(throws: ODataError.self) { try await device.store.download() }
        let store = device.store
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await store.download()
        }
        await #expect(throws: ODataError.self) { try await task.value }
        #expect(try await store.events().map(\.outcome) == [.cancelled, .failed])
        #expect(try await store.events().last?.message?.contains("Cut on purpose") == true)
        try store.close()
        let path = device.folder.path + "/store"
        let queue = try DatabaseQueue(path: path + "/store.sqlite")
        try await queue.write { db in
            try db.execute(sql: #"INSERT INTO "$event" ("kind", "started") VALUES ('upload', '2024-01-02T03:04:05')"#)
        }
        try queue.close()
        let again = try OfflineStore(folder: path, remote: nil)
        let event = try #require(try await again.events().first)
        #expect(event.kind == .upload)
        #expect(event.outcome == .interrupted)
        #expect(event.ended == nil)
    }

    @Test("A hundred are kept, and outlive the data")
    func limit() async throws {
        let device = try await Device([])
        for _ in 1...105 { try await device.store.upload() }
        #expect(try await device.store.events().map(\.id) == (6...105).reversed())
        try device.store.clear()
        #expect(try await device.store.events().count == 100)
        #expect(try await device.store.events().first?.kind == .clear)
    }

    /// A clock that goes on by one second each time it is looked at.
    private static func ticking() -> @Sendable () -> Date {
        let ticks = Mutex(0.0)
        return {
            ticks.withLock { ticks in
                ticks += 1
                return Date(timeIntervalSince1970: ticks)
            }
        }
    }
}
