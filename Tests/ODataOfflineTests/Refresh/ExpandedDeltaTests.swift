import ODataModel
import ODataOffline
import ODataStores
import Testing

@Suite("Changes of queries that expand relations")
struct ExpandedDeltaTests {
    private static let start = "/Orders?$expand=Items,Tags"
    private static let first = """
        {"@odata.context":"http://service.test/$metadata#Orders(Items(),Tags())","value":[
        {"@odata.etag":"W/\\"1\\"","ID":1,"Note":"note 1","Rank":10,"ModifiedAt":null,
        "Items":[{"ID":11,"OrderID":1,"Quantity":1},{"ID":12,"OrderID":1,"Quantity":2}],
        "Tags":[{"ID":1,"Name":"tag 1"},{"ID":9,"Name":"all"}]},
        {"@odata.etag":"W/\\"2\\"","ID":2,"Note":"note 2","Rank":20,"ModifiedAt":null,
        "Items":[{"ID":21,"OrderID":2,"Quantity":1}],
        "Tags":[{"ID":2,"Name":"tag 2"},{"ID":9,"Name":"all"}]}],
        "@odata.deltaLink":"http://service.test/Orders?$expand=Items,Tags&$deltatoken=1"}
        """

    private struct Site {
        let service: ShopService
        let device: ShopDevice

        init() async throws {
            service = try await ShopService()
            service.responses.set(ExpandedDeltaTests.start, ExpandedDeltaTests.first)
            device = try await service.device([.init(name: "orders", query: "Orders?$expand=Items,Tags")])
            try await device.store.download()
        }

        /// What the delta link number `token` gives.
        func respond(_ token: Int, _ values: String) {
            let body = """
                {"@odata.context":"http://service.test/$metadata#Orders(Items(),Tags())/$delta","value":[\(values)],
                "@odata.deltaLink":"http://service.test/Orders?$expand=Items,Tags&$deltatoken=\(token + 1)"}
                """
            service.responses.set("\(ExpandedDeltaTests.start)&$deltatoken=\(token)", body)
        }

        func expectState(orders: [String], items: [String], tags: [String]) async throws {
            #expect(try await device.lines("Orders?$orderby=ID", "ID", "Note", "Rank") == orders)
            #expect(try await device.lines("Items?$orderby=ID", "ID", "OrderID", "Quantity") == items)
            #expect(try await device.lines("Tags?$orderby=ID", "ID", "Name") == tags)
        }
    }

    @Test("4.01: nested changes, of which only what changed is there")
    func nested() async throws {
        let site = try await Site()
        site.respond(
            1,
            """
            {"ID":1,"Items@delta":[{"ID":11,"Quantity":5},{"@removed":{"reason":"deleted"},"ID":12},
            {"ID":13,"OrderID":1,"Quantity":7}],"Tags@delta":[{"@removed":{"reason":"changed"},"ID":9},{"ID":2}]},
            {"@odata.etag":"W/\\"2b\\"","ID":2,"Note":null}
            """)
        let report = try await site.device.refresh()
        #expect(report.mode == .delta)
        try await site.expectState(
            orders: ["1 note 1 10", "2 null 20"], items: ["11 1 5", "13 1 7", "21 2 1"],
            tags: ["1 tag 1", "2 tag 2", "9 all"])
        #expect(try await site.device.lines("Orders(1)/Tags?$orderby=ID", "ID") == ["1", "2"])
        #expect(try await site.device.entities("Orders").map(\.etag) == [#"W/"1""#, #"W/"2b""#])
        // The last link to a tag goes, and the tag with it; an item moves to another order.
        site.respond(
            2,
            """
            {"ID":2,"Tags@delta":[{"@removed":{"reason":"changed"},"ID":9}],
            "Items@delta":[{"ID":11,"OrderID":2,"Quantity":5}]},
            {"ID":1,"Items@delta":[{"@removed":{"reason":"changed"},"ID":11}]}
            """)
        #expect(try await site.device.refresh().mode == .delta)
        #expect(try await site.device.lines("Tags?$orderby=ID", "ID") == ["1", "2"])
        #expect(try await site.device.lines("Orders(2)/Items?$orderby=ID", "ID") == ["21"])
    }

    @Test("4.01: a relation that comes whole replaces what was there")
    func whole() async throws {
        let site = try await Site()
        site.respond(
            1,
            """
            {"ID":1,"Items":[{"ID":12,"OrderID":1,"Quantity":3}],"Tags":[]},
            {"@removed":{"reason":"deleted"},"@id":"Orders(2)"}
            """)
        #expect(try await site.device.refresh().mode == .delta)
        try await site.expectState(orders: ["1 note 1 10"], items: ["12 1 3"], tags: [])
    }

    @Test("4.0: entities of related sets, removed ones and links stand by themselves")
    func flat() async throws {
        let site = try await Site()
        site.respond(
            1,
            """
            {"@odata.context":"#Items/$entity","ID":11,"Quantity":5},
            {"@odata.context":"#Items/$entity","ID":14,"OrderID":2,"Quantity":4},
            {"@odata.context":"http://service.test/$metadata#Items/$deletedEntity","id":"Items(12)","reason":"deleted"},
            {"@odata.context":"#Tags/$entity","@odata.id":"Tags(5)","ID":5,"Name":"tag 5"},
            {"@odata.context":"#Orders/$link","source":"Orders(1)","relationship":"Tags","target":"Tags(5)"},
            {"@odata.context":"#Orders/$deletedLink","source":"http://service.test/Orders(1)","relationship":"Tags",
            "target":"http://service.test/Tags(1)"},
            {"@odata.context":"#Orders/$deletedLink","source":"Orders(2)","relationship":"Tags","target":"Tags(9)"}
            """)
        #expect(try await site.device.refresh().mode == .delta)
        try await site.expectState(
            orders: ["1 note 1 10", "2 note 2 20"], items: ["11 1 5", "14 2 4", "21 2 1"],
            tags: ["2 tag 2", "5 tag 5", "9 all"])
        #expect(try await site.device.lines("Orders(1)/Tags?$orderby=ID", "ID") == ["5", "9"])
        #expect(try await site.device.lines("Tags(9)/Orders", "ID") == ["1"])
    }

    @Test("Links of a related singleton come and go, those to it too")
    func singleton() async throws {
        let service = try await ShopService()
        let context = "http://service.test/$metadata#Things(Seller(Labels()))"
        let labels = #"[{"ID":1,"Name":"one"},{"ID":2,"Name":"two"}]"#
        service.responses.set(
            "/Things?",
            """
            {"@odata.context":"\(context)","value":[
            {"ID":"a","Seller":{"ID":1,"Name":"we","Labels":\(labels)}},{"ID":"b","Seller":null}],
            "@odata.deltaLink":"http://service.test/Things?$deltatoken=1"}
            """)
        let device = try await service.device([
            .init(name: "things", query: "Things?$expand=Seller($expand=Labels)", refresh: .delta)
        ])
        try await device.store.download()
        service.responses.set(
            "/Things?$deltatoken=1",
            """
            {"@odata.context":"\(context)/$delta","value":[
            {"@odata.context":"#Tags/$entity","@odata.id":"Tags(5)","ID":5,"Name":"five"},
            {"@odata.context":"#Company/$link","source":"Company","relationship":"Labels","target":"Tags(5)"},
            {"@odata.context":"#Company/$deletedLink","source":"http://service.test/Company","relationship":"Labels",
            "target":"Tags(1)"},
            {"@odata.context":"#Things/$link","source":"Things('b')","relationship":"Seller","target":"Company"}],
            "@odata.deltaLink":"http://service.test/Things?$deltatoken=2"}
            """)
        #expect(try await device.refresh().mode == .delta)
        #expect(try await device.lines("Company/Labels?$orderby=ID", "ID") == ["2", "5"])
        #expect(try await device.lines("Things('b')/Seller", "Name") == ["we"])
    }

    @Test("4.0: what an entity of a related set expands belongs to it, whatever came before it")
    func flatWithNested() async throws {
        let service = try await ShopService()
        let context = "http://service.test/$metadata#Tags(Orders(Items()))"
        service.responses.set(
            "/Tags?",
            """
            {"@odata.context":"\(context)","value":[{"ID":1,"Name":"one","Orders":[
            {"ID":1,"Note":"a","Rank":1,"ModifiedAt":null,"Items":[{"ID":11,"OrderID":1,"Quantity":1}]}]}],
            "@odata.deltaLink":"http://service.test/Tags?$deltatoken=1"}
            """)
        let device = try await service.device([
            .init(name: "tags", query: "Tags?$expand=Orders($expand=Items)", refresh: .delta)
        ])
        try await device.store.download()
        service.responses.set(
            "/Tags?$deltatoken=1",
            """
            {"@odata.context":"\(context)/$delta","value":[{"ID":1,"Name":"first"},
            {"@odata.context":"#Orders/$entity","ID":1,"Note":"b","Items@delta":[{"ID":11,"Quantity":2},
            {"@odata.id":"Items(12)","OrderID":1,"Quantity":3}]},
            {"@odata.context":"#Tags/$deletedEntity","id":"Tags(7)","reason":"deleted"}],
            "@odata.deltaLink":"http://service.test/Tags?$deltatoken=2"}
            """)
        #expect(try await device.refresh().mode == .delta)
        #expect(try await device.lines("Tags", "ID", "Name") == ["1 first"])
        #expect(try await device.lines("Orders", "ID", "Note") == ["1 b"])
        #expect(try await device.lines("Items?$orderby=ID", "ID", "OrderID", "Quantity") == ["11 1 2", "12 1 3"])
    }

    @Test(
        "4.0: entities that nothing tells the place of lead to a comparison",
        arguments: [
            (##"{"@odata.context":"#Orders(1)/Remarks/$entity","ID":1,"Text":"changed"}"##, "Remarks"),
            (##"{"@odata.context":"$metadata#Vehicles/$entity","ID":1,"Name":"cart"}"##, "does not lead to"),
        ])
    func placeless(change: String, reason: String) async throws {
        let service = try await ShopService()
        let start = "/Orders?$expand=Remarks"
        let first = """
            {"@odata.context":"http://service.test/$metadata#Orders(Remarks())","value":[
            {"ID":1,"Note":"a","Rank":1,"ModifiedAt":null,"Remarks":[{"ID":1,"Text":"first"}]}],
            "@odata.deltaLink":"http://service.test/Orders?$expand=Remarks&$deltatoken=1"}
            """
        service.responses.set(start, first)
        let device = try await service.device([.init(name: "orders", query: "Orders?$expand=Remarks")])
        try await device.store.download()
        service.responses.set(
            start + "&$deltatoken=1", #"{"@odata.context":"$metadata#Orders/$delta","value":[\#(change)]}"#)
        service.responses.set(start, first.replacing("first", with: "changed"))
        let report = try await device.refresh()
        #expect(report.mode == .comparison)
        #expect(report.reason?.contains(reason) == true, "\(report.reason ?? "")")
        #expect(try await device.lines("Orders", "ID", "Note") == ["1 a"])
        #expect(try await device.lines("Orders(1)/Remarks", "Text") == ["changed"])
    }

    @Test("Changes that cannot be applied lead to a comparison of that query")
    func obstacle() async throws {
        let site = try await Site()
        site.respond(
            1,
            """
            {"@odata.context":"#Orders/$link","source":"Orders(1)","relationship":"Tags","target":"Tags(77)"}
            """)
        site.service.responses.set(
            Self.start,
            Self.first.replacing("note 2", with: "compared").replacing(#"W/\"2\""#, with: #"W/\"2c\""#)
                .replacing("deltatoken=1", with: "deltatoken=5"))
        let report = try await site.device.refresh()
        #expect(report.mode == .comparison)
        #expect(report.reason?.contains("Tags(77)") == true)
        #expect(try await site.device.lines("Orders?$orderby=ID", "Note") == ["note 1", "compared"])
        site.respond(5, #"{"ID":99,"Note":"unknown, without its rank"}"#)
        #expect(try await site.device.refresh().mode == .comparison)
        #expect(try await site.device.lines("Orders?$orderby=ID", "ID") == ["1", "2"])
    }

    @Test("What cannot be told on a page of an expanded collection leads to a comparison too")
    func obstacleInExpansion() async throws {
        let site = try await Site()
        site.respond(
            1,
            """
            {"ID":1,"Items":[{"ID":11,"OrderID":1,"Quantity":5}],
            "Items@odata.nextLink":"http://service.test/Orders(1)/Items?$skiptoken=2"}
            """)
        site.service.responses.set(
            "/Orders(1)/Items?$skiptoken=2", #"{"@odata.context":"$metadata#Items","value":[{"ID":77}]}"#)
        site.service.responses.set(
            Self.start, Self.first.replacing("note 2", with: "compared").replacing(#"W/\"2\""#, with: #"W/\"2c\""#))
        let report = try await site.device.refresh()
        #expect(report.mode == .comparison)
        #expect(report.reason?.contains("Items") == true)
        #expect(try await site.device.lines("Orders?$orderby=ID", "Note") == ["note 1", "compared"])
    }

    @Test("A row with unsent changes is completed from what the service has sent, not from what was changed here")
    func pending() async throws {
        let site = try await Site()
        let path = try site.device.store.path("Orders(1)")
        let payload = try await site.device.store.payload(#"{"Note":"mine"}"#, for: path)
        _ = try await site.device.store.change(ChangeRequest(path, .update(payload)))
        site.respond(1, #"{"@odata.etag":"W/\"1b\"","ID":1,"Rank":11}"#)
        #expect(try await site.device.refresh().mode == .delta)
        #expect(try await site.device.lines("Orders(1)", "Note", "Rank") == ["mine 11"])
        let requests = try await site.device.store.queueEntries()
        try await site.device.store.undo(.request(try #require(requests.first).id))
        #expect(try await site.device.lines("Orders(1)", "Note", "Rank") == ["note 1 11"])
    }

    @Test("The rest of an expanded collection that the service pages is read")
    func pagedExpansion() async throws {
        let service = try await ShopService()
        service.responses.set(
            "/Orders?$expand=Items",
            """
            {"@odata.context":"$metadata#Orders(Items())","value":[{"ID":1,"Note":"a","Rank":1,"ModifiedAt":null,
            "Items":[{"ID":11,"OrderID":1,"Quantity":1}],"Items@odata.nextLink":"Orders(1)/Items?$skiptoken=2"}]}
            """)
        service.responses.set(
            "/Orders(1)/Items?$skiptoken=2",
            """
            {"@odata.context":"$metadata#Items","value":[{"ID":12,"OrderID":1,"Quantity":1}],
            "@odata.nextLink":"http://service.test/Orders(1)/Items?$skiptoken=3"}
            """)
        service.responses.set(
            "/Orders(1)/Items?$skiptoken=3",
            #"{"@odata.context":"$metadata#Items","value":[{"ID":13,"OrderID":1,"Quantity":1}]}"#)
        let device = try await service.device([.init(name: "orders", query: "Orders?$expand=Items")])
        for _ in 1...2 {
            try await device.store.download()
            #expect(try await device.lines("Orders(1)/Items?$orderby=ID", "ID") == ["11", "12", "13"])
        }
    }

    /// A device whose order 1 has one item more on the page `Orders(1)/Items?$skiptoken=2`.
    private func pagedSite() async throws -> (ShopService, ShopDevice) {
        let service = try await ShopService()
        service.responses.set("/Orders?$expand=Items", Self.paged("2"))
        service.responses.set(
            "/Orders(1)/Items?$skiptoken=3",
            #"{"@odata.context":"$metadata#Items","value":[{"ID":13,"OrderID":1,"Quantity":1}]}"#)
        return (service, try await service.device([.init(name: "orders", query: "Orders?$expand=Items")]))
    }

    private static func paged(_ token: String) -> String {
        """
        {"@odata.context":"$metadata#Orders(Items())","value":[{"ID":1,"Note":"a","Rank":1,"ModifiedAt":null,
        "Items":[{"ID":11,"OrderID":1,"Quantity":1}],"Items@odata.nextLink":"Orders(1)/Items?$skiptoken=\(token)"}]}
        """
    }

    @Test(
        "A link into an expanded collection that was kept and is dead begins the query again",
        arguments: [400, 404, 410])
    func deadExpansionLink(status: Int) async throws {
        let (service, device) = try await pagedSite()
        service.responses.set("/Orders(1)/Items?$skiptoken=2", .refused)
        await #expect(throws: ODataError.self) { try await device.store.download() }
        service.responses.set("/Orders(1)/Items?$skiptoken=2", .status(status))
        service.responses.set("/Orders?$expand=Items", Self.paged("3"))
        let report = try await device.refresh()
        #expect(report.reason != nil)
        #expect(try await device.lines("Items?$orderby=ID", "ID") == ["11", "13"])
    }

    @Test("A link into an expanded collection that is dead at once is told, and not kept")
    func freshDeadExpansionLink() async throws {
        let (service, device) = try await pagedSite()
        service.responses.set("/Orders(1)/Items?$skiptoken=2", .status(404))
        await #expect { try await device.store.download() } throws: { ($0 as? ODataError)?.code == .notFound }
        service.responses.set("/Orders?$expand=Items", Self.paged("3"))
        try await device.store.download()
        #expect(try await device.lines("Items?$orderby=ID", "ID") == ["11", "13"])
    }

    @Test("Pages of an expanded collection that form a cycle are an error")
    func circle() async throws {
        let (service, device) = try await pagedSite()
        for (token, next) in [(2, 4), (4, 5), (5, 4)] {
            service.responses.set(
                "/Orders(1)/Items?$skiptoken=\(token)",
                """
                {"@odata.context":"$metadata#Items","value":[{"ID":\(10 + token),"OrderID":1,"Quantity":1}],
                "@odata.nextLink":"http://service.test/Orders(1)/Items?$skiptoken=\(next)"}
                """)
        }
        await #expect { try await device.store.download() } throws: { error in
            let text = "\(error)"
            return text.contains("orders") && text.contains("cycle") && text.contains("$skiptoken=")
        }
        service.responses.set("/Orders?$expand=Items", Self.paged("3"))
        try await device.store.download()
        #expect(try await device.lines("Items?$orderby=ID", "ID") == ["11", "13"])
    }

    @Test(
        "V2 and V4 services tell changes and removals of a query without relations, in JSON and in Atom",
        arguments: [(nil, false), ("v2", false), ("v2", true)])
    func plain(version: String?, usesAtom: Bool) async throws {
        let service = try await ShopService()
        try await service.fill()
        let device = try await service.device(
            [.init(name: "orders", query: "Orders?$filter=Rank ge 0")], version: version, usesAtom: usesAtom)
        try await device.store.download()
        #expect(try await device.lines("Orders", "ID") == ["1", "2", "3"])
        try await service.update("Orders(1)", ["Note": .string("changed")])
        try await service.update("Orders(2)", ["Rank": .integer(-1)])
        try await service.create("Orders", ["ID": .integer(4), "Rank": .integer(4)])
        let report = try await device.refresh()
        #expect(report.mode == .delta)
        #expect(try await device.lines("Orders", "ID", "Note") == ["1 changed", "3 note 3", "4 null"])
    }
}
