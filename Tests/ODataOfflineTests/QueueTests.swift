import GRDB
import ODataModel
import ODataQuery
import ODataStores
import Synchronization
import Testing

@testable import ODataOffline

@Suite("The request queue")
struct QueueTests {
    private func device(combines: Bool = true) async throws -> Device {
        let device = try await Device(ChangeTests.queries, combines: combines)
        try await device.store.download()
        return device
    }

    private func change(
        _ device: Device, _ path: String, _ json: String, _ options: RequestOptions = RequestOptions(),
        headers: [HeaderField] = []
    ) async throws {
        let path = try device.store.path(path)
        let payload = try await device.store.payload(json, for: path)
        var request = ChangeRequest(path, path.target == .collection ? .create(payload) : .update(payload))
        request.headers = headers
        _ = try await device.store.change(request, options: options)
    }

    private func requests(_ device: Device) async throws -> [String] {
        try await device.store.queueEntries().map { "\($0.method) \($0.url) \($0.body ?? "")" }
    }

    @Test("Is an entity set with all that is known of a request")
    func entitySet() async throws {
        let device = try await device()
        let options = RequestOptions(tag: "first", category: "orders")
        try await change(
            device, "Orders", #"{"Note":"new","Items":[{"LineNo":1}]}"#, options,
            headers: [HeaderField(name: "X-Reason", value: "test")])
        try await change(device, "Orders(2)", #"{"Note":"b"}"#, RequestOptions(category: "other"))
        let found = try await device.entities("RequestQueue?$filter=Category eq 'orders'&$orderby=Position desc")
        #expect(found.map { $0["Tag"] } == [.string("first"), .string("first")])
        let item = try #require(found.first)
        let order = try #require(found.last)
        #expect(item["DependsOn"] == .collection([order["ID"] ?? .null]))
        #expect(order["Headers"] == .string(#"[{"name":"X-Reason","value":"test"}]"#))
        #expect(order["Body"] == .string(#"{"Note":"new"}"#))
        #expect(order["State"] == .string("waiting") && order["Attempts"] == .integer(0))
        #expect(order["LastSent"] == .null)
        #expect(try await device.values("RequestQueue?$filter=Entity eq 'Orders(2)'", "Method") == [.string("PATCH")])
        let entries = try await device.store.queueEntries()
        #expect(entries.map(\.tag) == ["first", "first", nil])
        #expect(entries[1].dependsOn == [entries[0].id] && entries[0].headers.count == 1)
        #expect(entries.map(\.position) == entries.map(\.id))
        let report = try await device.store.upload()
        #expect(report.succeeded.filter { $0.tag == "first" }.count == 2)
        #expect(report.succeeded.allSatisfy { $0.lastSent != nil && $0.exactlyOnce == .repeatableRequests })
    }

    @Test("An update becomes part of the creation or the update before it")
    func updates() async throws {
        let device = try await device()
        try await change(device, "Orders", #"{"Note":"new"}"#)
        let id = try #require(try await device.store.queueEntries().first?.entity)
        try await change(device, id, #"{"Amount":5}"#)
        try await change(device, "Orders(3)", #"{"Note":"a","Amount":1}"#)
        try await change(device, "Orders(3)", #"{"Note":"b"}"#)
        #expect(
            try await requests(device) == [
                #"POST Orders {"Note":"new","Amount":5}"#, #"PATCH Orders(3) {"Note":"b","Amount":1}"#,
            ])
        #expect(try await device.store.upload().isComplete)
        #expect(
            try device.service.fetch("SELECT Note, Amount FROM Orders WHERE OrderID IN (3, 26) ORDER BY OrderID")
                == ["b|1", "new|5"])
    }

    @Test("A deletion takes updates along; what was made here and deleted here leaves nothing")
    func deletions() async throws {
        let device = try await device()
        try await change(device, "Items(OrderID=3,LineNo=1)", #"{"Quantity":9}"#)
        try await device.delete("Items(OrderID=3,LineNo=1)")
        #expect(try await requests(device) == ["DELETE Items(OrderID=3,LineNo=1) "])
        try await change(device, "Orders", #"{"Note":"new"}"#)
        try await device.delete(try #require(try await device.store.queueEntries().last?.entity))
        #expect(try await device.store.queueEntries().count == 1)
    }

    @Test("Where the app says so, each change stays a request of its own")
    func off() async throws {
        let device = try await device(combines: false)
        try await change(device, "Orders", #"{"Note":"new"}"#)
        let id = try #require(try await device.store.queueEntries().first?.entity)
        try await change(device, id, #"{"Amount":5}"#)
        try await device.delete(id)
        #expect(try await device.store.queueEntries().map(\.method) == ["POST", "PATCH", "DELETE"])
        try await change(device, "Orders(3)", #"{"Note":"a"}"#, RequestOptions(combines: true))
        try await change(device, "Orders(3)", #"{"Note":"b"}"#, RequestOptions(combines: true))
        #expect(try await device.store.queueEntries().count == 4)
        #expect(try await device.store.upload().succeeded.count == 4)
        #expect(try device.service.fetch("SELECT count(*) FROM Orders") == ["25"])
    }

    @Test("Nothing is combined across what must stay in order, or belongs to something else")
    func barriers() async throws {
        let device = try await device()
        try await change(device, "Orders", #"{"Note":"new"}"#)
        let id = try #require(try await device.store.queueEntries().first?.entity)
        // The item waits for its order.
        try await change(device, "\(id)/Items", #"{"LineNo":1}"#)
        try await change(device, id, #"{"Amount":5}"#)
        #expect(try await device.store.queueEntries().map(\.method) == ["POST", "POST", "PATCH"])
        try await change(device, "Orders(3)", #"{"Note":"a"}"#, RequestOptions(tag: "1"))
        try await change(device, "Orders(3)", #"{"Note":"b"}"#, RequestOptions(tag: "2"))
        #expect(try await device.store.queueEntries().count == 5)
        let update = ChangeRequest(try device.store.path("Orders(4)"), .update(EntityPayload(["Note": .string("s")])))
        _ = try await device.store.changeSet([update, update, update])
        #expect(try await device.store.queueEntries().count == 6)
        try await change(device, "Orders(4)", #"{"Note":"after"}"#)
        #expect(try await device.store.queueEntries().count == 7)
        // What names an entity that is there does not wait for its update.
        try await change(device, "Customers('A')", #"{"Name":"a"}"#)
        try await change(device, "Orders(5)", #"{"CustomerID":"A"}"#)
        try await change(device, "Customers('A')", #"{"Name":"b"}"#)
        #expect(try await device.store.queueEntries().count == 9)
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Note FROM Orders WHERE OrderID IN (3, 4)") == ["b", "after"])
    }

    @Test("An upload of categories takes along what they depend on, and nothing else")
    func categories() async throws {
        let device = try await device(combines: false)
        try await change(device, "Orders", #"{"Note":"new"}"#, RequestOptions(category: "orders"))
        let id = try #require(try await device.store.queueEntries().first?.entity)
        try await change(device, "\(id)/Items", #"{"LineNo":1}"#, RequestOptions(category: "items"))
        try await change(device, "Orders(2)", #"{"Note":"b"}"#, RequestOptions(category: "orders"))
        try await change(device, "Orders(3)", #"{"Note":"c"}"#)
        let report = try await device.store.upload(categories: ["items"])
        #expect(report.succeeded.map(\.category) == ["orders", "items"])
        #expect(try await device.store.queueEntries().map(\.url) == ["Orders(2)", "Orders(3)"])
        #expect(try await device.store.upload(categories: ["orders"]).succeeded.map(\.url) == ["Orders(2)"])
        #expect(try await device.store.upload().isComplete)
    }

    @Test("A change set that is needed takes along what its later requests depend on")
    func neededChangeSet() async throws {
        let device = try await device(combines: false)
        try await change(device, "Orders", #"{"Note":"new"}"#)
        let id = try #require(try await device.store.queueEntries().first?.entity)
        let items = try device.store.path("\(id)/Items")
        _ = try await device.store.changeSet([
            ChangeRequest(try device.store.path("Orders(2)"), .update(EntityPayload(["Note": .string("set")]))),
            ChangeRequest(items, .create(EntityPayload(["LineNo": .integer(1)]))),
        ])
        try await change(device, "Orders(2)", #"{"Amount":1}"#, RequestOptions(category: "last"))
        try await change(device, "Orders(3)", #"{"Amount":1}"#)
        let report = try await device.store.upload(categories: ["last"])
        #expect(report.isComplete && report.succeeded.count == 4)
        #expect(try await device.store.queueEntries().map(\.url) == ["Orders(3)"])
    }

    @Test("A held request stays so while one after it that it depends on is held")
    func heldBehindLater() async throws {
        let queue = try DatabaseQueue()
        let states = try await queue.write { db in
            try StoreTableDefinitions.create(in: db)
            for (id, state, needs) in [(3, "failed", "[]"), (5, "held", "[9]"), (7, "held", "[]"), (9, "held", "[3]")] {
                try db.execute(
                    sql: """
                        INSERT INTO "$queue" ("id", "operation", "set", "row", "requestID", "firstSent", "method", "url",
                        "created", "state", "dependsOn") VALUES (?, 'update', 'Orders', 1, '', '', '', '', '', ?, ?)
                        """, arguments: [id, state, needs])
            }
            try RequestQueue(db: db).releaseHeld()
            return try RequestQueue(db: db).all().map(\.state)
        }
        #expect(states == [.failed, .held, .waiting, .held])
    }

    /// Each request depends on the next one; 2 and 3, 6 and 7, … are change sets, which are held as one.
    @Test("Chains of thousands of held requests are held or released in one pass", arguments: [true, false])
    func longChain(isBlocked: Bool) async throws {
        let count = 4_000
        let states = try await DatabaseQueue().write { db in
            try StoreTableDefinitions.create(in: db)
            for id in 1...count {
                let state = id == count && isBlocked ? "failed" : "held"
                let changeSet = id % 4 < 2 ? nil : id / 4 + 1
                try db.execute(
                    sql: """
                        INSERT INTO "$queue" ("id", "operation", "set", "row", "requestID", "firstSent", "method", "url",
                        "created", "state", "dependsOn", "changeSet")
                        VALUES (?, 'update', 'Orders', 1, '', '', '', '', '', ?, ?, ?)
                        """,
                    arguments: [id, state, id == count ? "[]" : "[\(id + 1)]", changeSet])
            }
            try RequestQueue(db: db).releaseHeld()
            return try RequestQueue(db: db).all().map(\.state)
        }
        #expect(states.dropLast().allSatisfy { $0 == (isBlocked ? .held : .waiting) })
        #expect(states.last == (isBlocked ? .failed : .waiting))
    }

    @Test("Inside of a change set only the first request of an entity tells its ETag")
    func etagsInChangeSet() async throws {
        let device = try await device(combines: false)
        let path = try device.store.path("Orders(2)")
        _ = try await device.store.changeSet([
            ChangeRequest(path, .update(EntityPayload(["Note": .string("set")]))),
            ChangeRequest(path, .update(EntityPayload(["Amount": .decimal(EdmDecimal(1))]))),
        ])
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Note, Amount FROM Orders WHERE OrderID = 2") == ["set|1"])
    }

    @Test("Progress counts requests, those of a refused change set too", arguments: [1, 3])
    func progress(width: Int) async throws {
        let device = try await Device(
            ChangeTests.queries,
            configure: {
                $0.batchSize = 1
                $0.parallelUploads = width
            })
        try await device.store.download()
        for order in 1...3 { try await change(device, "Orders(\(order))", #"{"Amount":1}"#) }
        let requests = try [4, 5].map { order in
            ChangeRequest(
                try device.store.path("Orders(\(order))"), .update(EntityPayload(["Note": .string("refused")])))
        }
        _ = try await device.store.changeSet(requests)
        let seen = Mutex<[UploadProgress]>([])
        let report = try await device.store.upload { progress in seen.withLock { $0.append(progress) } }
        #expect(report.succeeded.count == 3 && report.failed.count == 1)
        let steps = seen.withLock { $0 }
        #expect(steps.filter { $0.current != nil }.count == 4)
        #expect(steps.allSatisfy { $0.requests == 5 } && steps.last?.done == 5)
        #expect(steps.map(\.done) == steps.map(\.done).sorted())
    }

    @Test("A batch that something else than a store's error ends may have been executed")
    func foreignError() async throws {
        let device = try await device()
        let request = ChangeRequest(try device.store.path("Orders(1)"), .delete)
        let results = await BrokenStore(base: device.service.store).batch([[request], [request]])
        let errors = results.map { result in if case .failure(let error) = result { error } else { ODataError?.none } }
        #expect(errors.map { $0?.isOutcomeUnknown } == [true, false])
    }

    @Test("An upload that ends early tells what was not sent")
    func notSent() async throws {
        let queries = ChangeTests.queries
        let device = try await Device(queries, wrap: { FaultyStore($0) }, configure: { $0.batchSize = 1 })
        try await device.store.download()
        for order in 1...3 { try await change(device, "Orders(\(order))", #"{"Note":"x"}"#) }
        var plan = FaultyStore.Plan()
        plan.failingChange = 2
        (device.remote as? FaultyStore)?.set(plan)
        let error = await #expect(throws: ODataError.self) { try await device.store.upload() }
        let report = try #require((error?.cause as? UploadInterruption)?.report)
        #expect(report.succeeded.map(\.url) == ["Orders(1)"])
        #expect(report.notSent.map(\.url) == ["Orders(2)", "Orders(3)"])
    }
}

/// A store that breaks the rule that all errors are its own.
private struct BrokenStore: ODataStore {
    let base: any ODataStore

    func model() async throws -> EdmModel { try await base.model() }
    func read(_ request: ReadRequest) async throws -> ReadResult { try await base.read(request) }
    func change(_ request: ChangeRequest) async throws -> ChangeResult { throw CancellationError() }
    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { throw CancellationError() }
    func readStream(_ request: StreamRequest) async throws -> StreamResult { try await base.readStream(request) }
}
