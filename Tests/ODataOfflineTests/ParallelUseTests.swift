import Dispatch
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataOffline

@Suite("Use by many tasks at once")
struct ParallelUseTests {
    @Test(
        "Results that are half read keep nobody from reading, changing, asking and downloading", .timeLimit(.minutes(1))
    )
    func manyTasks() async throws {
        let device = try await Device([DefiningQuery(name: "orders", query: "Orders")])
        let store = device.store
        try await store.download()
        let query = try await store.query("Orders")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...40 {
                group.addTask {
                    switch number % 5 {
                    case 0: _ = try await device.update("Orders(\(number % 25 + 1))", #"{"Note":"\#(number)"}"#)
                    case 1:
                        _ = try await store.status
                        _ = try await store.notice(for: query)
                    case 2: _ = try await store.queueEntries() + store.queueEntries()
                    default:
                        guard case .entities(let reader) = try await store.read(ReadRequest(query)).body else { return }
                        _ = try await store.queries
                        while try await reader.next() != nil { await Task.yield() }
                    }
                }
            }
            group.addTask { try await store.download() }
            try await group.waitForAll()
        }
        #expect(try await store.queueEntries().count == 5)
        #expect(try await store.upload().isComplete)
    }

    @Test("What an app asks of a store does not wait for a transaction that runs", .timeLimit(.minutes(1)))
    func besideTransaction() async throws {
        let store = try await Device([DefiningQuery(name: "orders", query: "Orders")]).store
        try await store.download()
        let query = try await store.query("Photos")
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let end = DispatchSemaphore(value: 0)
        let transaction = Task {
            try await store.database.writing { _ in
                begin.finish()
                end.wait()
            }
        }
        for await _ in begun {}
        defer { end.signal() }
        #expect(try store.path("Orders(1)").url == "Orders(1)")
        #expect(try await store.queries.map(\.name) == ["orders"])
        #expect(try await store.queueEntries().isEmpty)
        #expect(try await store.errorEntries().isEmpty)
        #expect(try await store.status.entities["Orders"] == 25)
        #expect(try await store.mediaUse.total == 0)
        #expect(try await store.notice(for: query) != nil)
        #expect(try await store.conflicts().isEmpty)
        #expect(try await store.events().count == 1)
        end.signal()
        try await transaction.value
    }

    @Test(
        "A read that is cancelled while a transaction runs that it waits for leaves at once",
        arguments: ["Customers", "Orders?$search=note"])
    func leavingRead(url: String) async throws {
        let store = try await Device([DefiningQuery(name: "orders", query: "Orders")]).store
        try await store.download()
        let query = try await store.query(url)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let end = DispatchSemaphore(value: 0)
        let transaction = Task {
            try await store.database.writing { _ in
                begin.finish()
                end.wait()
            }
        }
        for await _ in begun {}
        defer { end.signal() }
        let read = Task { try await store.read(ReadRequest(query)) }
        read.cancel()
        let error = await #expect(throws: ODataError.self) { _ = try await read.value }
        #expect(error?.code == .cancelled)
        end.signal()
        try await transaction.value
        _ = try await store.read(ReadRequest(query))
    }

    @Test("A response is kept though the upload was cancelled while it came")
    func cancelled() async throws {
        let device = try await Device(
            [DefiningQuery(name: "orders", query: "Orders")], wrap: { CancellingStore($0) })
        try await device.store.download()
        try await device.create("Orders", #"{"Note":"once"}"#)
        try await device.update("Orders(3)", #"{"Note":"later"}"#)
        let upload = Task { try await device.store.upload() }
        await #expect {
            try await upload.value
        } throws: {
            ($0 as? ODataError)?.code == .cancelled
        }
        #expect(try await device.store.queueEntries().map(\.url) == ["Orders(3)"])
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT count(*) FROM Orders WHERE Note = 'once'") == ["1"])
    }
}

/// Cancels the task whose change it has executed, the first time.
private final class CancellingStore: ODataStore {
    private let base: any ODataStore

    init(_ base: any ODataStore) { self.base = base }

    func model() async throws -> EdmModel { try await base.model() }
    func read(_ request: ReadRequest) async throws -> ReadResult { try await base.read(request) }
    func readStream(_ request: StreamRequest) async throws -> StreamResult { try await base.readStream(request) }

    func change(_ request: ChangeRequest) async throws -> ChangeResult {
        let result = try await base.change(request)
        if case .create = request.operation { withUnsafeCurrentTask { $0?.cancel() } }
        return result
    }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { try await base.changeSet(requests) }
}
