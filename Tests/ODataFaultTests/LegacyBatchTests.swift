import OData
import ODataService
import ODataTesting
import Testing

@Suite("Uploads to a service of V2")
struct LegacyBatchTests {
    @Test("Each request of a batch is a change set of its own; a refused one does not touch the others")
    func upload() async throws {
        let desk = try await Desk()
        let remote = try OnlineStore(
            serviceRoot: "http://service.test/v2/",
            transport: InProcessTransport(service: ODataService(store: desk.service)))
        let folder = try TemporaryFolder()
        let store = try OfflineStore(folder: folder.path + "/store", remote: remote)
        try await store.open()
        try store.addQuery(DefiningQuery(name: "products", query: "Products"))
        try store.addQuery(DefiningQuery(name: "orders", query: "SalesOrders?$expand=SalesOrderItems"))
        try await store.download()
        for (product, name) in [("P-0001", "first"), ("P-0002", "second")] {
            let path = try store.path("Products('\(product)')")
            _ = try await store.change(ChangeRequest(path, .update(EntityPayload(["Name": .string(name)]))))
        }
        let changes = store.beginChangeSet()
        let orders = try store.path("SalesOrders")
        let order = #"{"Note":"v2","BusinessPartnerID":100,"OrderDate":"2026-01-02T00:00:00Z","Status":"new"}"#
        let made = try changes.change(ChangeRequest(orders, .create(try await store.payload(order, for: orders))))
        let items = try store.path("SalesOrderItems")
        var item = try await store.payload(
            #"{"Position":10,"ProductID":"P-0001","Quantity":1,"Price":1.5}"#, for: items)
        item.bindings = [.init(navigation: "SalesOrder", references: [made])]
        try changes.change(ChangeRequest(items, .create(item)))
        try await changes.commit()
        // Another client was first.
        try desk.file.execute("UPDATE Products SET Name = 'theirs' WHERE ProductID = 'P-0002'")
        let report = try await store.upload()
        #expect(report.failed.map(\.status) == [412])
        #expect(report.succeeded.count == 3)
        #expect(try desk.file.count("SELECT count(*) FROM Products WHERE Name = 'first'") == 1)
        #expect(try desk.file.count("SELECT count(*) FROM SalesOrders WHERE Note = 'v2'") == 1)
        try store.close()
        try desk.close()
    }

    /// `Location: http://service.test/v2/Photos(9007L)`
    @Test("An entity whose response broke off has the key that its address tells: what waits for it is sent")
    func brokenResponse() async throws {
        let desk = try await Desk(root: "http://service.test/v2/")
        try await desk.store.download()
        let content = MediaContent(ByteContent(SiteFile.picture(seed: 5, length: 3000)), contentType: "image/png")
        _ = try await desk.store.createMedia(
            content, in: try desk.store.path("Photos"), properties: EntityPayload(["Caption": .string("of V2")]))
        desk.connection.breaking { $0.path == "/v2/Photos" ? .cut(after: 0) : nil }
        #expect(try await desk.store.upload().isComplete)
        #expect(try await desk.store.queueEntries().isEmpty)
        #expect(try desk.file.count("SELECT count(*) FROM Photos WHERE Caption = 'of V2'") == 1)
        desk.connection.mend()
        try await desk.store.download()
        #expect(try await desk.differences(in: ["Photos"]) == [])
        try desk.close()
    }
}
