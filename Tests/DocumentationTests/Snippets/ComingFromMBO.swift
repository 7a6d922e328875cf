import OData
import Testing

@Suite("The page for those who come from mobile business objects")
struct ComingFromMBO {
    @Test("Objects are found, by key, by attribute and by a query")
    func finding() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        // snippet: MBO finding
        let field = FieldService(store)
        let all = try await field.businessPartners.findAll()
        let partner = try await field.businessPartners.find(100)
        let named = try await field.businessPartners.find(by: \.city, "Berlin")
        let second = try await field.businessPartners.orderBy(\.name).skip(5).top(5).findAll()
        show(all.count, partner?.name, named.count, second.count)
        // end
        #expect(all.count == 10 && partner?.businessPartnerID == 100 && second.count == 5)
        // snippet: MBO queries
        let query = field.salesOrders
            .where { $0.status != "done" && ($0.note == nil || $0.note.contains("pump")) }
            .where { !$0.salesOrderID.isIn([1000, 1001]) && $0.salesOrderItems.contains { $0.quantity >= 5 } }
            .orderBy(\.orderDate, descending: true).orderBy(\.salesOrderID)
            .skip(0).top(10)
        show(query.url)
        for order in try await query.findAll() { show(order.salesOrderID) }
        let text = try field.salesOrders.options("$filter=startswith(Status,'n')&$select=SalesOrderID,Status")
        show(try await field.salesOrders.where { $0.status.hasPrefix("n") }.count())
        // end
        #expect(try await !query.findAll().isEmpty)
        #expect(text.url.contains("startswith"))
        // snippet: MBO dynamic objects
        show(try await store.model().entitySets.map(\.name))
        let products = field.collections["Products"]
        for product in try await products.where({ $0["Price"] > 20 }).findAll() {
            show(product["Name"]?.lexical, product["Price"]?.lexical)
        }
        for group in try await field.salesOrders.grouped(by: \.status).count() { show(group.key, group.value) }
        let statuses = try await field.salesOrders.countDistinct(\.status)
        // end
        #expect(try await field.salesOrders.grouped(by: \.status).count().count == statuses)
        // snippet: MBO lists
        var count = 0
        for try await page in field.salesOrders.pages(size: 10) { count += page.count }
        let isEmpty = try await field.salesOrders.isEmpty()
        // end
        #expect(count == 30 && !isEmpty)
    }

    @Test("Children of many are read together")
    func navigation() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        let field = FieldService(store)
        // snippet: MBO children
        let orders = try await field.salesOrders.top(5).findAll()
        let items = try await field.salesOrders.children(of: orders, \.salesOrderItems)
        let expanded = try await field.salesOrders.expand(\.salesOrderItems).expand(\.businessPartner).findAll()
        for order in expanded { show(order.businessPartner?.name, order.salesOrderItems?.count) }
        if let first = orders.first {
            let few = try field.salesOrders.children(of: first, \.salesOrderItems).where { $0.quantity < 3 }
            show(try await few.findAll())
        }
        if var order = expanded.first {
            order.salesOrderItems = nil
            show(order.hasChanges)
        }
        // end
        #expect(items.count == 5 && expanded.allSatisfy { $0.salesOrderItems != nil })
    }

    @Test("Changes are made, submitted and cancelled")
    func changing() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        let field = FieldService(store)
        let found = try await field.salesOrders.find(1000)
        var order = try #require(found)
        // snippet: MBO changing
        let made = try await field.salesOrders.create(
            SalesOrders(businessPartnerID: order.businessPartnerID, orderDate: order.orderDate))
        show(made.entityID)
        order.note = "Call first"
        show(order.hasChanges, order.changes.names, order.original?.note)
        order = try await field.salesOrders.update(order)
        order.note = "no"
        order.revert()
        try await field.salesOrders.delete(1002)
        let now = try await field.salesOrders.find(order)
        // end
        #expect(now?.note == "Call first" && made.entityID != nil)
        #expect(SalesOrders(businessPartnerID: 100, orderDate: made.orderDate).original == nil)
        // snippet: MBO pending changes
        let pending = try await field.salesOrders.options("$filter=OfflineStore.hasPendingChanges()").findAll()
        for request in try await store.queueEntries() {
            show(request.method, request.url, request.state, request.position, request.attempts)
        }
        let pump = ChangeRequest(try store.path("WorkOrders(5000)"), .update(EntityPayload(["Title": .string("Pump")])))
        _ = try await store.change(pump, options: RequestOptions(category: "later"))
        let both = ChangeRequest(try store.path("SalesOrders(1003)"), .update(EntityPayload(["Note": .string("Both")])))
        _ = try await store.changeSet([both, ChangeRequest(store.path("SalesOrders(1004)"), .delete)])
        try await store.undo(.entity(store.path("SalesOrders(1002)")))
        try await store.undo(.category("later"))
        try await store.undo(.everything)
        // end
        #expect(pending.count == 2)
        #expect(try await store.queueEntries().isEmpty)
    }
}
