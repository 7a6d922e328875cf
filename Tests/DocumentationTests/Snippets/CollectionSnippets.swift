import OData
import Testing

@Suite("The article on collections")
struct CollectionSnippets {
    @Test("Reading")
    func reading() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        // snippet: collections
        let collections = EntityCollections(store)
        let orders = collections.of(SalesOrders.self, in: "SalesOrders")
        let new = orders.where { $0.status == "new" && $0.salesOrderID < 1010 }
            .orderBy(\.orderDate, descending: true)
            .expand(\.salesOrderItems)
        show(new.url)
        for order in try await new.findAll() { show(order.orderDate, order.salesOrderItems?.count) }
        // end
        let found = try await new.findAll()
        #expect(found.allSatisfy { $0.status == "new" && $0.salesOrderItems != nil } && !found.isEmpty)
        // snippet: collections finding
        let order = try await orders.find(1000)
        let first = try await orders.orderBy(\.orderDate).first { $0.note != nil }
        let count = try await orders.where { $0.status == "new" }.count()
        let newest = try await orders.orderBy(\.orderDate, descending: true).top(3).findAll()
        for try await page in orders.pages(size: 10) { show(page.count) }
        // end
        show(first, count)
        let typed = "valve 12\""
        #expect(newest.count == 3)
        #expect(order?.salesOrderID == 1000)
        // snippet: collections projection
        let list = orders.where { $0.status == "new" }.select(\.salesOrderID, \.orderDate, \.businessPartner.country)
        for (id, date, country) in try await list.findAll() { show(id, date, country) }
        // end
        #expect(list.url.contains("$select="))
        // snippet: collections dynamic
        let german = collections["BusinessPartners"].where { $0["Country"] == "DE" }
        for partner in try await german.findAll() { show(partner["Name"]) }
        let some = try orders.options("$filter=Status eq 'new'&$top=3")
        let long = orders.where { QueryCondition.odata("length(\($0.note)) gt 20") }.search(words: typed)
        // end
        #expect(long.url.contains("$filter=length(Note)%20gt%2020"))
        #expect(try await some.findAll().count <= 3)
    }

    @Test("Relations and sums")
    func navigation() async throws {
        let site = try FieldSite()
        let collections = EntityCollections(try site.online())
        let orders = collections.of(SalesOrders.self, in: "SalesOrders")
        // snippet: collections relations
        let open = try await orders.where { $0.status == "new" }.findAll()
        let lists = try await orders.children(of: open, \.salesOrderItems)
        for (order, items) in zip(open, lists) { show(order.salesOrderID, items.count) }
        if let order = open.first {
            show(try await orders.children(of: order, \.salesOrderItems).where { $0.quantity > 5 }.count())
        }
        let products = collections.of(Products.self, in: "Products")
        let joined = try await collections.of(SalesOrderItems.self, in: "SalesOrderItems")
            .joined(with: products, on: \.productID, equals: \.productID)
        // end
        #expect(lists.count == open.count && joined.allSatisfy { $0.others.map(\.productID) == [$0.element.productID] })
        #expect(joined.count > open.count)
        // snippet: collections sums
        let items = collections.of(SalesOrderItems.self, in: "SalesOrderItems")
        let sold = try await items.sum(\.quantity)
        for group in try await orders.grouped(by: \.businessPartner.country).count() { show(group.key, group.value) }
        // end
        #expect(sold ?? 0 > 0)
    }

    @Test("A photo with its stream")
    func streams() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        let collections = EntityCollections(store)
        let (file, copy) = (try site.write([1, 2, 3], to: "valve.png"), site.folder + "/copy.png")
        // snippet: collections streams
        let photos = collections.of(Photos.self, in: "Photos")
        let picture = MediaContent(ByteContent(try FileSource(path: file)), contentType: "image/png")
        let photo = try await photos.create(Photos(caption: "Valve"), stream: picture, slug: "valve.png")
        try await photos.stream(of: photo).file(at: copy)
        // end
        #expect(try await ByteContent(try FileSource(path: copy)).collect(upTo: 10) == [1, 2, 3])
    }

    @Test("Changes, and a list that follows them")
    func changing() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        let collections = EntityCollections(store)
        let orders = collections.of(SalesOrders.self, in: "SalesOrders")
        // snippet: collections changing
        guard var order = try await orders.find(1000) else { return }
        order.note = "Call first"
        show(order.changes.names, order.original?.note)
        order = try await orders.update(order)
        let made = try await orders.create(
            SalesOrders(businessPartnerID: order.businessPartnerID, orderDate: order.orderDate))
        try await orders.delete(made)
        // end
        #expect(order.note == "Call first" && !order.hasChanges)
        #expect(made.entityID != nil && made.salesOrderID == 0)
        order.note = "Call last"
        // snippet: collections set
        try await collections.changeSet { set in
            set.update(order, in: orders)
            set.create(SalesOrders(businessPartnerID: order.businessPartnerID, orderDate: order.orderDate), in: orders)
        }
        // end
        #expect(try await orders.find(1000)?.note == "Call last")
        let task = Task {
            // snippet: collections updates
            for await result in orders.orderBy(\.orderDate).top(50).updates {
                switch result {
                case .success(let snapshot): show(snapshot.count, snapshot.difference?.insertions)
                case .failure(let error): show(error)
                }
            }
            // end
        }
        task.cancel()
        await task.value
    }
}
