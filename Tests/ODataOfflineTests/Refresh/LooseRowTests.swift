import ODataModel
import ODataOffline
import ODataStores
import Testing

@Suite("Expanded entities that other changes have let go")
struct LooseRowTests {
    private static let order = #"{"ID":1,"Note":"note 1","Rank":10,"ModifiedAt":null}"#
    private static let expanded = #"{"ID":11,"OrderID":1,"Quantity":1,"Order":\#(order)}"#
    /// Item 11 has moved to order 2.
    private static let moved =
        #"{"ID":11,"OrderID":2,"Quantity":1,"Order":\#(order.replacing(":1,", with: ":2,"))}"#

    private let service: ShopService

    init() async throws {
        service = try await ShopService()
        try await service.fill()
    }

    /// What a query gives, and its delta link number `token - 1`.
    private func respond(_ query: String, _ values: String, token: Int = 1) {
        let delta = "$deltatoken=\(token)"
        let separator = query.contains("?") ? "&" : "?"
        let set = query.prefix { $0 != "?" }
        let expand = query.split(separator: "=").last ?? ""
        let context = query.contains("?") ? "\(set)(\(expand)())" : String(set)
        service.responses.set(
            token == 1 ? "/\(query)" : "/\(query)\(separator)$deltatoken=\(token - 1)",
            """
            {"@odata.context":"http://service.test/$metadata#\(context)\(token == 1 ? "" : "/$delta")",
            "value":[\(values)],"@odata.deltaLink":"http://service.test/\(query)\(separator)\(delta)"}
            """)
    }

    private func change(_ device: ShopDevice, _ path: String, _ json: String) async throws {
        let path = try device.store.path(path)
        let payload = try await device.store.payload(json, for: path)
        _ = try await device.store.change(ChangeRequest(path, .update(payload)))
    }

    @Test("What an entity led to before its change was uploaded goes with the next delta")
    func uploaded() async throws {
        respond("Items?$expand=Order", Self.expanded)
        let device = try await service.device([.init(name: "items", query: "Items?$expand=Order")])
        try await device.store.download()
        try await change(device, "Items(11)", #"{"OrderID":2}"#)
        #expect(try await device.store.upload().isComplete)
        respond("Items?$expand=Order", Self.moved, token: 2)
        #expect(try await device.refresh().mode == .delta)
        #expect(try await device.lines("Orders", "ID") == ["2"])
    }

    @Test("What a deleted entity led to goes with the next delta")
    func deleted() async throws {
        respond(
            "Orders?$expand=Items",
            #"{"ID":1,"Note":"note 1","Rank":10,"ModifiedAt":null,"Items":[{"ID":11,"OrderID":1,"Quantity":1}]}"#)
        let device = try await service.device([.init(name: "orders", query: "Orders?$expand=Items")])
        try await device.store.download()
        _ = try await device.store.change(ChangeRequest(try device.store.path("Orders(1)"), .delete))
        service.responses.set("/Orders(1)", .status(204))
        #expect(try await device.store.upload().isComplete)
        respond("Orders?$expand=Items", #"{"@removed":{"reason":"deleted"},"@id":"Orders(1)"}"#, token: 2)
        #expect(try await device.refresh().mode == .delta)
        #expect(try await device.lines("Items", "ID") == [])
    }

    @Test("A relation that another query's download has changed lets go what it led to", arguments: [false, true])
    func otherQuery(isRemoved: Bool) async throws {
        respond("Items?$expand=Order", Self.expanded)
        respond("Items", #"{"ID":11,"OrderID":1,"Quantity":1}"#)
        let device = try await service.device([
            .init(name: "expanded", query: "Items?$expand=Order"), .init(name: "plain", query: "Items"),
        ])
        try await device.store.download()
        let removal = #"{"@removed":{"reason":"deleted"},"@id":"Items(11)"}"#
        respond("Items", isRemoved ? removal : #"{"ID":11,"OrderID":2,"Quantity":1}"#, token: 2)
        respond("Items?$expand=Order", isRemoved ? removal : Self.moved, token: 2)
        try await device.store.download(["plain"])
        #expect(try await device.lines("Orders", "ID") == ["1"])
        let report = try await device.store.download(["expanded"])
        #expect(report.queries.first?.mode == .delta)
        #expect(try await device.lines("Orders", "ID") == (isRemoved ? [] : ["2"]))
    }

    @Test("What was made here and does not belong to an entity of the query goes with the next delta")
    func madeOutside() async throws {
        respond(
            "Orders?$expand=Items",
            #"{"ID":1,"Note":"note 1","Rank":10,"ModifiedAt":null,"Items":[{"ID":11,"OrderID":1,"Quantity":1}]}"#)
        let device = try await service.device([.init(name: "orders", query: "Orders?$expand=Items")])
        try await device.store.download()
        for (id, order) in [(98, 1), (99, 3)] {
            let path = try device.store.path("Items")
            let payload = try await device.store.payload(#"{"ID":\#(id),"OrderID":\#(order)}"#, for: path)
            _ = try await device.store.change(ChangeRequest(path, .create(payload)))
        }
        #expect(try await device.store.upload().isComplete)
        #expect(try await device.lines("Items?$orderby=ID", "ID") == ["11", "98", "99"])
        respond("Orders?$expand=Items", "", token: 2)
        #expect(try await device.refresh().mode == .delta)
        #expect(try await device.lines("Items?$orderby=ID", "ID") == ["11", "98"])
    }
}
