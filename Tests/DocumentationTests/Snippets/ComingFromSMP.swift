import Foundation
import OData
import Testing

@Suite("The page for those who come from the SMP SDK")
struct ComingFromSMP {
    @Test("A store is opened, filled, flushed and removed")
    func store() async throws {
        let site = try FieldSite()
        let (folder, key, service) = (site.folder + "/store", EncryptionKey.random(), try site.online())
        // snippet: SMP offline store
        var configuration = OfflineStore.Configuration()
        configuration.pageSize = 200
        configuration.exactlyOnce = .sapGateway
        let store = try OfflineStore(
            folder: folder, remote: service, configuration: configuration, key: key)
        try await store.open()
        show(try await store.model().entitySets.count)
        for event in try await store.events() where event.outcome == .interrupted { show(event.kind) }
        // end
        // snippet: SMP defining requests
        try store.addQuery(DefiningQuery(name: "orders", query: "SalesOrders?$expand=SalesOrderItems"))
        try store.addQuery(DefiningQuery(name: "photos", query: "Photos", retrievesStreams: true))
        try store.addQuery(DefiningQuery(name: "plan", query: "Photos(9000)", retrievesStreams: true))
        show(store.isEncrypted, try await store.queries.map(\.name))
        // end
        // snippet: SMP refresh
        try await store.download()
        let report = try await store.download(["orders", "plan"]) { progress in
            show(progress.phase, progress.query, progress.entities, progress.totalEntities, progress.bytes)
        }
        for stream in report.failedStreams { show(stream.path, stream.error) }
        // end
        #expect(try await store.status.streams == 6 && report.failedStreams.isEmpty)
        // snippet: SMP unregistering
        try store.removeQuery("plan")
        // end
        // snippet: SMP flush
        if try await !store.queueEntries().isEmpty {
            let report = try await store.upload { progress in show(progress.done, progress.requests) }
            for entry in report.failed { show(entry.requestID, entry.status, entry.message) }
        }
        // end
        // snippet: SMP removing the store
        try store.clear()
        try store.close()
        try FileManager.default.removeItem(atPath: folder)
        // end
    }

    @Test("Requests read what the SMP SDK's requests read")
    func reading() async throws {
        let site = try FieldSite()
        let (store, service) = (try await site.device(), try site.online())
        // snippet: SMP reading
        let query = try await store.query("SalesOrders?$filter=Status eq 'new'&$expand=SalesOrderItems")
        for order in try await store.entities(query) {
            show(order["OrderDate"]?.lexical, order.etag, order.expanded["SalesOrderItems"])
        }
        let one = try await store.entities(store.query("SalesOrders(1000)")).first
        // end
        #expect(one?["SalesOrderID"]?.lexical == "1000")
        // snippet: SMP reading values
        let name = try await store.read(ReadRequest(store.query("BusinessPartners(100)/Name")))
        if case .value(let value, let type) = name.body { show(value.lexical, type) }
        let links = try await store.entities(store.query("SalesOrders(1000)/SalesOrderItems/$ref"))
        show(links.map(\.id))
        // end
        #expect(!links.isEmpty)
        // snippet: SMP blocks
        let reading = Task { try await store.entities(store.query("SalesOrders?$top=10")) }
        do { show(try await reading.value) } catch let error as ODataError { show(error.code, error.service) }
        reading.cancel()
        // end
        // snippet: SMP local functions
        let changed = try await store.entities(
            store.query("SalesOrders?$filter=sap.islocal() or sap.hasPendingChanges()"))
        // end
        #expect(changed.isEmpty)
        // snippet: SMP metadata
        let model = try await service.model()
        for schema in model.schemas { show(schema.namespace, schema.types.map(\.name), schema.container) }
        show(model.structuredType(named: EdmQualifiedName("field_service.SalesOrders"))?.properties)
        show(model.entitySet(named: "SalesOrders")?.type)
        // end
    }

    @Test("A function gives a value")
    func functions() async throws {
        let service = try FlightSite().online()
        // snippet: SMP functions
        let collections = EntityCollections(service)
        let free: Int32 = try await collections.function("FreeSeats", ["flight": .string("LH400")]).value()
        // end
        #expect(free == 3)
    }

    @Test("Changes are made one by one and in change sets")
    func changing() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        // snippet: SMP changing
        let orders = try store.path("SalesOrders")
        let new = try await store.payload(#"{"BusinessPartnerID": 100, "OrderDate": "2026-03-01"}"#, for: orders)
        let made = try await store.change(
            ChangeRequest(orders, .create(new)), options: RequestOptions(tag: "order-1"))
        var patch = ChangeRequest(
            try store.path("SalesOrders(1000)"), .update(EntityPayload(["Note": .string("Call first")])))
        patch.returnPreference = .minimal
        _ = try await store.change(patch)
        _ = try await store.change(
            ChangeRequest(store.path("BusinessPartners(100)"), .replace(EntityPayload(["Name": .string("Pumps Ltd")]))))
        _ = try await store.change(ChangeRequest(store.path("SalesOrders(1001)"), .delete))
        show(made.entity?.id)
        // end
        #expect(try await store.queueEntries().map(\.method) == ["POST", "PATCH", "PUT", "DELETE"])
        try await store.undo(.everything)
        try await together(store, orders)
    }

    private func together(_ store: OfflineStore, _ orders: ResourcePath) async throws {
        // snippet: SMP change sets
        let changes = store.beginChangeSet(options: RequestOptions(tag: "visit"))
        let partner = EntityPayload(["Name": .string("Valves Ltd")])
        let made = try changes.change(ChangeRequest(store.path("BusinessPartners"), .create(partner)))
        var order = try await store.payload(#"{"OrderDate": "2026-03-01"}"#, for: orders)
        order.bindings = [.init(navigation: "BusinessPartner", references: [made])]
        try changes.change(ChangeRequest(orders, .create(order)))
        try await changes.commit()
        // end
        let report = try await store.upload()
        #expect(report.isComplete && report.succeeded.count == 2, "\(report.failed)")
    }

    @Test("The error archive is asked, mended and emptied")
    func errors() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        for order in 1000...1001 {
            let path = "SalesOrderItems(SalesOrderID=\(order),Position=10)"
            _ = try await store.change(
                ChangeRequest(store.path(path), .update(EntityPayload(["Quantity": .integer(0)]))))
        }
        _ = try await store.upload()
        #expect(try await store.errorEntries().count == 2)
        // snippet: SMP error archive
        let archive = try await store.query("ErrorArchive?$filter=Status eq 400&$orderby=RequestID")
        for entry in try await store.entities(archive) {
            show(entry["RequestID"], entry["Status"], entry["Code"], entry["Message"], entry["InnerError"])
            show(entry["Method"], entry["URL"], entry["Body"], entry["Tag"], entry["Entity"])
        }
        for entry in try await store.errorEntries() {
            if entry.url.contains("SalesOrderID=1000") {
                try await store.edit(errorID: entry.id, payload: EntityPayload(["Quantity": .integer(2)]))
            } else {
                try await store.undo(errorID: entry.id)
            }
        }
        try await store.upload()
        // end
        #expect(try await store.errorEntries().isEmpty)
        #expect(try await store.queueEntries().isEmpty)
    }
}
