import OData
import Testing

@Suite("The part on entities, pages and responses of the page for those who come from the SMP SDK")
struct ComingFromSMPRequests {
    @Test("What can be sent is told by the type, and paths tell where they lead")
    func making() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        // snippet: SMP making an entity
        let model = try await store.model()
        let orders = try store.path("SalesOrders")
        if let type = orders.entityType(in: model) {
            let mandatory = type.properties.filter { !$0.isNullable && $0.defaultValue == nil }
            show(type.keyProperties.map(\.name), mandatory.map(\.name), type.navigationProperties.map(\.name))
        }
        var order = try await store.payload(#"{"OrderDate": "2026-03-01"}"#, for: orders)
        let partner = try store.path("BusinessPartners(100)")
        order.bindings = [.init(navigation: "BusinessPartner", references: [.path(partner)])]
        let item = EntityPayload(["Quantity": .integer(2)])
        // end
        show(order, item)
        // snippet: SMP paths
        let path = try store.path("SalesOrders(1000)/SalesOrderItems")
        show(path.target, path.suffix, path.entityType(in: model)?.name, path.entitySet?.name)
        // end
        #expect(path.target == .collection && path.entitySet?.name == "SalesOrderItems")
        #expect(orders.entityType(in: model)?.keyProperties.map(\.name) == ["SalesOrderID"])
        try await entities(store)
    }

    private func entities(_ store: OfflineStore) async throws {
        // snippet: SMP entity
        var request = ReadRequest(try await store.query("SalesOrders(1000)?$expand=SalesOrderItems"))
        request.annotations = "*"
        for order in try await store.entities(request) {
            show(order.type.name, order.id, order.etag, order.properties, order.annotations)
            show(order.expanded.keys.sorted(), order.expanded["SalesOrderItems"])
        }
        if let photo = try await store.entities(store.query("Photos(9000)")).first, let media = photo.media {
            show(media.contentType, media.readLink, media.editLink, media.etag)
        }
        // end
        #expect(try await store.entities(request).first?.annotations["OfflineStore.isLocal"] == EdmValue.boolean(false))
    }

    @Test("Entities come in pages, are counted, and changes are asked for later")
    func pages() async throws {
        let site = try FieldSite()
        let (store, service) = (try await site.device(), try site.online())
        // snippet: SMP pages
        let orders = EntityCollections(store)["SalesOrders"]
        for try await page in orders.pages(size: 10) { show(page.count) }
        show(try await orders.count())
        // end
        #expect(try await orders.count() == 30)
        // snippet: SMP delta
        var deltaLink: String?
        var request = ReadRequest(try await QueryParser(model: service.model()).query("SalesOrders?$count=true"))
        request.tracksChanges = true
        repeat {
            guard case .entities(let reader) = try await service.read(request).body else { break }
            request.continuation = nil
            while let block = try await reader.next() {
                show(block.count, block.rows.count)
                request.continuation = block.nextLink ?? request.continuation
                deltaLink = block.deltaLink ?? deltaLink
            }
        } while request.continuation != nil
        // end
        #expect(deltaLink != nil)
        let path = try QueryParser(model: try await site.file.model()).path("SalesOrders(1029)")
        _ = try await site.file.change(ChangeRequest(path, .delete))
        // snippet: SMP deleted entities
        var deleted: [String?] = []
        request.continuation = deltaLink
        if case .entities(let changes) = try await service.read(request).body {
            while let block = try await changes.next() {
                deleted += block.rows.filter { $0.change == .deleted }.map { block.text($0.id) }
            }
        }
        // end
        #expect(deleted.count == 1)
    }

    @Test("A request is a task, and has one result; a batch has one for each of its change sets")
    func responses() async throws {
        let site = try FieldSite()
        let service = try site.online()
        // snippet: SMP executions
        let parser = QueryParser(model: try await service.model())
        let request = ReadRequest(try parser.query("SalesOrders(1000)"))
        let reading = Task { try await service.read(request) }
        let result = try await reading.value
        if case .entities(let reader) = result.body { show(try await reader.next()?.rows.count, result.etag) }
        show(reading.isCancelled)
        // end
        let note = EntityPayload(["Note": .string("Call first")])
        // snippet: SMP batch responses
        let first = ChangeRequest(try parser.path("SalesOrders(1000)"), .update(note))
        let second = ChangeRequest(try parser.path("SalesOrders(1001)"), .delete)
        for outcome in await service.batch([[first], [second]]) {
            switch outcome {
            case .success(let results): show(results.map(\.outcome), results.first?.etag, results.first?.entityID)
            case .failure(let error): show(error.status, error.service?.message)
            }
        }
        // end
        #expect(try await site.text("Note", of: "SalesOrders(1000)") == "Call first")
    }
}
