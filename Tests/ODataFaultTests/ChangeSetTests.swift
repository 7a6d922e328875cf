import HTTPTypes
import OData
import ODataTesting
import Testing

@Suite("Change sets and batches of an upload, over HTTP")
struct ChangeSetTests {
    private func desk(configure: (inout OfflineStore.Configuration) -> Void = { _ in }) async throws -> Desk {
        let desk = try await Desk(configure: configure)
        try await desk.store.download()
        desk.connection.mend()
        return desk
    }

    private func update(_ desk: Desk, _ path: String, _ property: String, _ value: EdmValue) throws -> ChangeRequest {
        ChangeRequest(
            try desk.store.path(path), .update(EntityPayload(EdmComplexValue([.init(name: property, value: value)]))))
    }

    /// An order, and an item that refers to it by what the service makes of it.
    private func order(_ desk: Desk, note: String, product: String = "P-0001") async throws -> OpenChangeSet {
        let changes = desk.store.beginChangeSet(options: RequestOptions(tag: note))
        let orders = try desk.store.path("SalesOrders")
        let json = #"{"Note":"\#(note)","BusinessPartnerID":100,"OrderDate":"2026-01-02","Status":"new"}"#
        let made = try changes.change(
            ChangeRequest(orders, .create(try await desk.store.payload(json, for: orders))))
        let items = try desk.store.path("SalesOrderItems")
        var item = try await desk.store.payload(
            #"{"Position":10,"ProductID":"\#(product)","Quantity":1,"Price":1.5}"#, for: items)
        item.bindings = [.init(navigation: "SalesOrder", references: [made])]
        try changes.change(ChangeRequest(items, .create(item)))
        return changes
    }

    private func changes(_ desk: Desk) -> [String] {
        desk.connection.requests.filter { $0.method != .get }.map { "\($0.method) \($0.path ?? "")" }
    }

    @Test("A change set is sent as one, with references to what it makes", arguments: [1, 100])
    func sent(batchSize: Int) async throws {
        let desk = try await desk { $0.batchSize = batchSize }
        let results = try await order(desk, note: "set").commit()
        #expect(results.count == 2)
        let report = try await desk.store.upload()
        #expect(report.failed.isEmpty, "\(report.failed)")
        #expect(report.succeeded.map(\.tag) == ["set", "set"])
        #expect(changes(desk) == ["POST /$batch"])
        let count = "SELECT count(*) FROM SalesOrders o JOIN SalesOrderItems i USING (SalesOrderID) WHERE Note = 'set'"
        #expect(try desk.file.count(count) == 1)
        try await desk.store.download()
        #expect(try await desk.differences() == [])
        try desk.close()
    }

    @Test("A change set that is refused is in the error archive as a whole, and nothing of it is applied")
    func refused() async throws {
        let desk = try await desk()
        try await order(desk, note: "bad", product: "nothing").commit()
        _ = try await desk.store.change(try update(desk, "Products('P-0003')", "Name", .string("fine")))
        let report = try await desk.store.upload()
        #expect(report.failed.map(\.tag) == ["bad"])
        #expect(report.failed.map(\.url) == ["SalesOrderItems"])
        #expect(report.succeeded.map(\.url) == ["Products('P-0003')"])
        #expect(try await desk.store.queueEntries().map(\.state) == [.failed, .failed])
        #expect(try await desk.store.errorEntries().filter { $0.status == 424 }.map(\.url) == ["SalesOrders"])
        #expect(try await desk.store.errorEntries().count == 2)
        #expect(try desk.file.count("SELECT count(*) FROM SalesOrders WHERE Note = 'bad'") == 0)
        #expect(try desk.file.count("SELECT count(*) FROM Products WHERE Name = 'fine'") == 1)
        try desk.close()
    }

    @Test("Nothing of an open change set is seen before it is closed, and it is closed once")
    func open() async throws {
        let desk = try await desk()
        let changes = try await order(desk, note: "open")
        #expect(try await desk.store.queueEntries().isEmpty)
        changes.cancel()
        await #expect(throws: ODataError.self) { try await changes.commit() }
        #expect(throws: ODataError.self) {
            try changes.change(ChangeRequest(try desk.store.path("Photos(9001)"), .delete))
        }
        #expect(try await desk.store.queueEntries().isEmpty)
        try desk.close()
    }

    @Test("What has no ties goes in one batch, also in parallel", arguments: [1, 3])
    func batch(width: Int) async throws {
        let desk = try await desk {
            $0.batchSize = 4
            $0.parallelUploads = width
        }
        let products = try await desk.store.entities(try await desk.store.query("Products?$top=10"))
        for product in products {
            let id = try #require(product.id)
            _ = try await desk.store.change(try update(desk, id, "Name", .string("batched")))
        }
        #expect(try await desk.store.upload().succeeded.count == products.count)
        #expect(changes(desk) == Array(repeating: "POST /$batch", count: (products.count + 3) / 4))
        #expect(try desk.file.count("SELECT count(*) FROM Products WHERE Name = 'batched'") == products.count)
        try await desk.store.download()
        #expect(try await desk.differences() == [])
        try desk.close()
    }

    @Test("A service that takes no batches gets the requests one by one", arguments: [404, 413, 501])
    func refusedBatch(status: Int) async throws {
        let desk = try await desk()
        try await FieldWork(file: desk.file).make(in: desk.store)
        desk.connection.breaking { $0.path == "/$batch" ? .status(status) : nil }
        #expect(try await desk.store.upload().failed.isEmpty)
        #expect(try FieldWork(file: desk.file).missing() == [])
        try desk.close()
    }

    @Test(
        "A batch whose response is lost or cut is completed by the next upload, and nothing is doubled",
        arguments: [
            TransportFault.refused, .responseLost, .cut(after: 0), .cut(after: 700), .cut(after: 1500),
            .cut(after: 3000),
            .contentLength(900), .body(Array("<html>".utf8), contentType: "text/html"), .status(202), .status(503),
        ])
    func lost(_ fault: TransportFault) async throws {
        let desk = try await desk()
        try await FieldWork(file: desk.file).make(in: desk.store)
        try await order(desk, note: "set").commit()
        desk.connection.breaking { $0.path == "/$batch" ? fault : nil }
        _ = try? await desk.store.upload()
        #expect(try await desk.store.queueEntries().isEmpty == false)
        #expect(try await desk.store.errorEntries().isEmpty)
        desk.connection.mend()
        let report = try await desk.store.upload()
        #expect(report.isComplete, "\(report.failed) \(report.unconfirmed.map(\.url))")
        #expect(try desk.file.count("SELECT count(*) FROM SalesOrders WHERE Note = 'set'") == 1)
        try desk.file.execute(
            "DELETE FROM SalesOrderItems WHERE SalesOrderID = (SELECT SalesOrderID FROM SalesOrders WHERE Note = 'set')"
        )
        try desk.file.execute("DELETE FROM SalesOrders WHERE Note = 'set'")
        #expect(try FieldWork(file: desk.file).missing() == [])
        try await desk.store.download()
        #expect(try await desk.differences() == [])
        try desk.close()
    }

    @Test(
        "What is said of the batch tells nothing of a change set that is repeated: it stays in doubt, and is made once",
        arguments: [500, 400, 403, 404, 412, 413, 501])
    func faultyRepetition(status: Int) async throws {
        let desk = try await desk { $0.exactlyOnce = .repeatableRequests }
        try await order(desk, note: "set").commit()
        desk.connection.breaking { $0.method == .post ? .responseLost : nil }
        await #expect(throws: ODataError.self) { try await desk.store.upload() }
        desk.connection.breaking { $0.method == .post ? .status(status) : nil }
        let report = try await desk.store.upload()
        #expect(report.unconfirmed.map(\.tag) == ["set", "set"] && report.failed.isEmpty)
        #expect(try await desk.store.queueEntries().map(\.state) == [.unconfirmed, .unconfirmed])
        #expect(try await desk.store.errorEntries().map(\.status) == [status, 424])
        desk.connection.mend()
        #expect(try await desk.store.upload().isComplete)
        #expect(changes(desk) == ["POST /$batch"])
        #expect(try await desk.store.queueEntries().isEmpty)
        #expect(try await desk.store.errorEntries().isEmpty)
        #expect(try desk.file.count("SELECT count(*) FROM SalesOrders WHERE Note = 'set'") == 1)
        try await desk.store.download()
        #expect(try await desk.differences() == [])
        try desk.close()
    }
}
