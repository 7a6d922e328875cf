import OData
import Testing

@Suite("The article on reading and changing")
struct ReadingSnippets {
    @Test("The same query is read here and there, as entities and as blocks of rows")
    func reading() async throws {
        let site = try FieldSite()
        let (store, service) = (try await site.device(), try site.online())
        // snippet: reading entities
        let query = try await store.query("SalesOrders?$filter=Status eq 'new'&$expand=SalesOrderItems&$count=true")
        for order in try await store.entities(query) {
            guard case .many(let items, _)? = order.expanded["SalesOrderItems"] else { continue }
            show(order.id, order["OrderDate"]?.lexical, items.count)
        }
        // end
        // snippet: reading online
        let parser = QueryParser(model: try await service.model())
        let orders = try await service.entities(parser.query("SalesOrders?$filter=Status eq 'new'"))
        // end
        #expect(!orders.isEmpty)
        #expect(try await store.entities(query).map(\.key) == orders.map(\.key))

        var keys: [EntityKey?] = []
        // snippet: reading rows
        let result = try await store.read(ReadRequest(query))
        guard case .entities(let reader) = result.body else { return }
        let assembler = EntityAssembler(shape: reader.shape)
        while let block = try await reader.next() {
            for order in assembler.entities(in: block) { keys.append(order.key) }
        }
        // end
        #expect(keys == orders.map(\.key))
        // snippet: reading a count
        if case .count(let number) = try await store.read(ReadRequest(store.query("SalesOrders/$count"))).body {
            show(number)
        }
        // end
    }

    @Test("Changes are made at once and sent once")
    func changing() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        // snippet: creating
        let orders = try store.path("SalesOrders")
        let order = try await store.payload(
            """
            {
                "OrderDate": "2026-03-01",
                "BusinessPartner@odata.bind": "BusinessPartners(100)",
                "SalesOrderItems": [{"Position": 10, "ProductID": "P-0001", "Quantity": 2, "Price": 9.5}]
            }
            """, for: orders)
        let made = try await store.change(ChangeRequest(orders, .create(order)))
        show(made.entity?.id)
        // end
        // snippet: updating and deleting
        let note = EntityPayload(["Note": .string("Call first")])
        _ = try await store.change(ChangeRequest(store.path("SalesOrders(1000)"), .update(note)))
        _ = try await store.change(ChangeRequest(store.path("Photos(9001)"), .delete))
        // end
        // snippet: a change set
        let workOrder = try store.path("WorkOrders(5000)")
        let changes = store.beginChangeSet()
        let inspection = EntityPayload(
            ["Result": .string("failed")], bindings: [.init(navigation: "WorkOrder", references: [.path(workOrder)])])
        try changes.change(ChangeRequest(store.path("Inspections"), .create(inspection)))
        try changes.change(ChangeRequest(workOrder, .update(EntityPayload(["State": .string("started")]))))
        try await changes.commit()
        // end
        #expect(
            try await store.entities(store.query("Inspections?$filter=Result eq 'failed' and WorkOrderID eq 5000"))
                .count > 0)
        // snippet: asking about changes
        let pending = try await store.entities(store.query("WorkOrders?$filter=OfflineStore.hasPendingChanges()"))
        // end
        #expect(pending.map(\.id) == ["WorkOrders(5000)"])
        #expect(try await store.queueEntries().map(\.method) == ["POST", "POST", "PATCH", "DELETE", "POST", "PATCH"])
        let report = try await store.upload()
        #expect(report.isComplete, "\(report.failed)")
        #expect(try await site.text("Note", of: "SalesOrders(1000)") == "Call first")
        #expect(try await site.text("State", of: "WorkOrders(5000)") == "started")
        let id = try #require(made.entity?.id)
        let key = try #require(try await store.entities(store.query(id)).first?["SalesOrderID"]?.lexical)
        #expect(try await site.text("Quantity", of: "SalesOrderItems(SalesOrderID=\(key),Position=10)") == "2")
    }

    @Test("A live query gives its result, and another one after a change")
    func following() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        let (shown, list) = AsyncStream.makeStream(of: Int.self)
        @Sendable func show(_ values: Any?...) { list.yield((values.first as? [EdmEntity])?.count ?? -1) }
        let task = Task {
            // snippet: a live query
            let query = try await store.query("WorkOrders?$filter=State eq 'open'&$orderby=Priority&$top=50")
            for await result in store.live(query) {
                switch result {
                case .success(let result): show(result.entities, result.difference?.insertions)
                case .failure(let error): show(error)
                }
            }
            // end
        }
        var counts = shown.makeAsyncIterator()
        let open = try await store.entities(store.query("WorkOrders?$filter=State eq 'open'"))
        #expect(await counts.next() == open.count)
        let done = EntityPayload(["State": .string("done")])
        _ = try await store.change(ChangeRequest(store.path(open.first?.id ?? ""), .update(done)))
        #expect(await counts.next() == open.count - 1)
        task.cancel()
        try await task.value
    }
}
