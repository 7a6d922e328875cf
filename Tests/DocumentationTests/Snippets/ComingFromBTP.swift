import Foundation
import HTTPTypes
import OData
import ODataTesting
import Synchronization
import Testing

@Suite("The page for those who come from the BTP SDK")
struct ComingFromBTP {
    @Test("A store is opened, synchronised and given up")
    func provider() async throws {
        let site = try FieldSite()
        let (folder, key, service) = (site.folder + "/store", EncryptionKey.random(), try site.online())
        // snippet: BTP provider
        var configuration = OfflineStore.Configuration()
        configuration.pageSize = 500
        configuration.exactlyOnce = .automatic
        configuration.combinesRequests = true
        configuration.batchSize = 20
        let store = try OfflineStore(
            folder: folder, remote: service, configuration: configuration, key: key)
        try await store.open()
        // end
        // snippet: BTP defining queries
        try store.addQuery(DefiningQuery(name: "orders", query: "SalesOrders?$filter=Status eq 'new'"))
        try store.addQuery(DefiningQuery(name: "photos", query: "Photos", retrievesStreams: true))
        try store.addQuery(DefiningQuery(name: "plan", query: "Photos(9000)", retrievesStreams: true))
        try store.removeQuery("photos")
        show(try await store.queries.map(\.name))
        // end
        // snippet: BTP download
        let task = Task {
            try await store.download(["orders", "plan"]) { progress in
                show(progress.phase, progress.query, progress.entities, progress.totalEntities, progress.bytes)
                show(progress.finishedStreams, progress.streams)
            }
        }
        show(try await task.value.summary)
        task.cancel()
        // end
        #expect(try await store.status.streams == 1)
        // snippet: BTP upload
        let report = try await store.upload(categories: ["orders"]) { progress in
            show(progress.done, progress.requests, progress.acknowledgedBytes, progress.streamBytes)
        }
        for entry in report.failed { show(entry.status, entry.requestID, entry.tag, entry.code, entry.message) }
        show(try await store.status.waitingRequests, try await store.queueEntries().isEmpty)
        for event in try await store.events() where event.outcome == .interrupted { show(event.kind) }
        // end
        #expect(report.isComplete)
        // snippet: BTP closing
        try store.clear()
        try store.close()
        try FileManager.default.removeItem(atPath: folder)
        // end
    }

    @Test("A session sends a token and headers")
    func session() async throws {
        let site = try FieldSite()
        let (serviceRoot, transport) = ("http://service.test/", InProcessTransport(service: site.service))
        let asked = Mutex(0)
        let token: BearerAuthentication.Provider = { _ in
            asked.withLock { $0 += 1 }
            return "token"
        }
        // snippet: BTP session
        var configuration = OnlineStore.Configuration()
        configuration.middleware = [
            BearerAuthentication(provider: token), HeaderMiddleware([.acceptLanguage: "de"]),
        ]
        let service = try OnlineStore(
            serviceRoot: serviceRoot, transport: transport, configuration: configuration)
        // end
        #expect(try await service.model().entitySet(named: "SalesOrders") != nil)
        #expect(asked.withLock { $0 } == 1)
    }

    @Test("Queries are asked as text, in Swift, and for what is only known here")
    func queries() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        // snippet: BTP queries
        let query = try await store.query("SalesOrders?$filter=Status eq 'new'&$orderby=OrderDate&$top=10")
        for order in try await store.entities(query) { show(order["OrderDate"]?.lexical, order.id, order.etag) }
        let count = try await store.read(ReadRequest(store.query("SalesOrders/$count")))
        if case .count(let number) = count.body { show(number) }
        // end
        // snippet: BTP proxy classes
        let field = FieldService(store)
        let new = field.salesOrders.where { $0.status == "new" }.orderBy(\.orderDate).expand(\.salesOrderItems).top(10)
        for order in try await new.findAll() { show(order.orderDate, order.salesOrderItems?.count) }
        if let order = try await field.salesOrders.find(1000) {
            show(try await field.salesOrders.children(of: order, \.salesOrderItems).findAll())
        }
        // end
        // snippet: BTP query functions
        let changed = "OfflineStore.hasPendingChanges() or OfflineStore.isLocal()"
        let refused = try await store.query("SalesOrders?$filter=OfflineStore.isInErrorState()")
        let brought = try await store.query("SalesOrders?$filter=OfflineStore.isUpsertedByLastDownload()")
        let known = try await store.query("Photos?$filter=OfflineStore.entityExists(Inspection)")
        let items = try await store.query("SalesOrders?$filter=SalesOrderItems/any(i:i/OfflineStore.isLocal())")
        show(try await store.entities(store.query("SalesOrders?$filter=\(changed)")).count, refused, items)
        // end
        #expect(try await store.entities(known).count == 6)
        #expect(try await store.entities(brought).count == 30)
        #expect(try await store.entities(items).isEmpty)
    }

    @Test("Changes carry options, and are closed into change sets")
    func changing() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        let found = try await FieldService(store).salesOrders.find(1000)
        var order = try #require(found)
        // snippet: BTP changing
        let field = FieldService(store)
        let made = try await field.salesOrders.create(
            SalesOrders(businessPartnerID: order.businessPartnerID, orderDate: order.orderDate))
        order.note = "Call first"
        order = try await field.salesOrders.update(order)
        let partners = try await field.businessPartners.findAll()
        try await field.salesOrders.link(made, \.businessPartner, to: partners.last)
        try await field.salesOrders.delete(1005)
        // end
        // snippet: BTP request options
        let state = EntityPayload(["State": .string("started")])
        var change = ChangeRequest(try store.path("WorkOrders(5000)"), .update(state))
        change.headers = [HeaderField(name: "X-Reason", value: "visit")]
        change.returnPreference = .minimal
        let options = RequestOptions(tag: "visit-5000", category: "orders", combines: false)
        _ = try await store.change(change, options: options)
        // end
        // snippet: BTP change sets
        let changes = store.beginChangeSet(options: RequestOptions(category: "orders"))
        let workOrder = try store.path("WorkOrders(5001)")
        let inspection = EntityPayload(
            ["Result": .string("failed")], bindings: [.init(navigation: "WorkOrder", references: [.path(workOrder)])])
        try changes.change(ChangeRequest(store.path("Inspections"), .create(inspection)))
        try changes.change(ChangeRequest(workOrder, .update(state)))
        try await changes.commit()
        // end
        let report = try await store.upload()
        #expect(report.isComplete, "\(report.failed)")
        #expect(try await site.text("State", of: "WorkOrders(5001)") == "started")
    }
}
