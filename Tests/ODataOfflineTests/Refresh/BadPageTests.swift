import ODataModel
import ODataOffline
import ODataStores
import Testing

@Suite("Pages that are not what was asked for")
struct BadPageTests {
    private static func page(_ values: String, context: String = "Orders", more: String = "") -> String {
        #"{"@odata.context":"http://service.test/$metadata#\#(context)","value":[\#(values)]\#(more)}"#
    }

    private static let order = #"{"ID":1,"Note":"first","Rank":1,"ModifiedAt":null}"#

    /// A device that has order 1.
    private func site() async throws -> (ShopService, ShopDevice) {
        let service = try await ShopService()
        service.responses.set("/Orders", Self.page(Self.order))
        let device = try await service.device([.init(name: "orders", query: "Orders")])
        try await device.store.download()
        return (service, device)
    }

    @Test("Of an entity that comes twice in a page the last version counts")
    func twice() async throws {
        let (service, device) = try await site()
        service.responses.set("/Orders", Self.page("\(Self.order),\(Self.order.replacing("first", with: "second"))"))
        for _ in 1...2 {
            try await device.store.download()
            #expect(try await device.lines("Orders", "ID", "Note") == ["1 second"])
        }
    }

    @Test(
        "Entities of another set, of another type, without their key, and errors in place of a page are told",
        arguments: [
            (page(#"{"ID":1,"Name":"tag"}"#, context: "Tags"), "Tags"),
            (page(##"{"@odata.type":"#Shop.Tag","ID":1,"Name":"tag"}"##), "Shop.Tag"),
            (page(#"{"Note":"nobody's"}"#), "ID"),
            (page(#"{"ID":null,"Note":"nobody's"}"#), "ID"),
            (#"{"error":{"code":"busy","message":"Out of order"}}"#, "Out of order"),
            (page("").replacing("]}", with: #"],"error":{"code":"busy","message":"Out of order"}}"#), "Out of order"),
            (page(##"{"@odata.context":"#Orders/$deletedEntity","id":"Orders(1)","reason":"deleted"}"##), "changes"),
        ])
    func other(body: String, text: String) async throws {
        let (service, device) = try await site()
        service.responses.set("/Orders", body)
        await #expect { try await device.store.download() } throws: { error in
            guard let error = error as? ODataError else { return false }
            #expect("\(error)".contains(text), "\(error)")
            return error.code == .invalidResponse || text == "Out of order"
        }
        #expect(try await device.lines("Orders", "Note") == ["first"])
        service.responses.set("/Orders", Self.page(Self.order.replacing("first", with: "later")))
        try await device.store.download()
        #expect(try await device.lines("Orders", "Note") == ["later"])
    }

    @Test("Another entity than the one that the query names is told")
    func otherEntity() async throws {
        let service = try await ShopService()
        let device = try await service.device([.init(name: "order", query: "Orders(3)")])
        let body = #"{"@odata.context":"http://service.test/$metadata#Orders/$entity",\#(Self.order.dropFirst())"#
        service.responses.set("/Orders(3)", body)
        await #expect { try await device.store.download() } throws: { error in
            (error as? ODataError)?.code == .invalidResponse && "\(error)".contains("Orders(3)")
        }
        #expect(try await device.lines("Orders", "ID") == [])
        service.responses.set("/Orders(3)", body.replacing(#""ID":1"#, with: #""ID":3"#))
        try await device.store.download()
        #expect(try await device.lines("Orders", "ID") == ["3"])
    }

    /// The shop with keys of more types.
    private static let keyed = ShopService.metadata.replacing(
        #"<EntityType Name="Settings">"#,
        with: """
            <EnumType Name="Level"><Member Name="Low" Value="1"/><Member Name="High" Value="2"/></EnumType>
            <EntityType Name="Shift"><Key><PropertyRef Name="Start"/></Key>
              <Property Name="Start" Type="Edm.DateTimeOffset" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
            </EntityType>
            <EntityType Name="Grade"><Key><PropertyRef Name="Level"/></Key>
              <Property Name="Level" Type="Shop.Level" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
            </EntityType>
            <EntityType Name="Settings">
            """
    ).replacing(
        #"<EntitySet Name="Things""#,
        with: """
            <EntitySet Name="Shifts" EntityType="Shop.Shift"/><EntitySet Name="Grades" EntityType="Shop.Grade"/>
            <EntitySet Name="Things"
            """)

    @Test(
        "An instant with another offset and the number of an enumeration value are the same key",
        arguments: [
            ("Shifts(2024-01-01T10:00:00Z)", #""Start":"2024-01-01T11:00:00+01:00""#, true),
            ("Shifts(2024-01-01T10:00:00Z)", #""Start":"2024-01-01T10:00:00+01:00""#, false),
            ("Grades(Shop.Level'High')", #""Level":"2""#, true), ("Grades(Shop.Level'High')", #""Level":"Low""#, false),
            ("Grades(Shop.Level'2')", #""Level":"High""#, true), ("Grades(Shop.Level'High')", #""Level":"1""#, false),
        ])
    func otherForm(query: String, key: String, isSame: Bool) async throws {
        let service = try await ShopService()
        service.responses.set("/$metadata", .body(Array(Self.keyed.utf8), contentType: "application/xml"))
        let set = String(query.prefix { $0 != "(" })
        service.responses.set(
            "/\(set)", #"{"@odata.context":"http://service.test/$metadata#\#(set)/$entity",\#(key),"Name":"x"}"#)
        let device = try await service.device([.init(name: "one", query: query)])
        if isSame {
            try await device.store.download()
        } else {
            await #expect { try await device.store.download() } throws: { error in
                (error as? ODataError)?.code == .invalidResponse
            }
        }
        #expect(try await device.lines(set, "Name") == (isSame ? ["x"] : []))
    }

    @Test("A delta link that leads to another query's changes is given up")
    func otherDelta() async throws {
        let service = try await ShopService()
        let more = #","@odata.deltaLink":"http://service.test/Orders?$deltatoken=1""#
        service.responses.set("/Orders", Self.page(Self.order, more: more))
        let device = try await service.device([.init(name: "orders", query: "Orders")])
        try await device.store.download()
        service.responses.set("/Orders?$deltatoken=1", Self.page(#"{"ID":1,"Name":"tag"}"#, context: "Tags/$delta"))
        let report = try await device.refresh()
        #expect(report.mode == .comparison)
        #expect(report.reason?.contains("Tags") == true)
        #expect(try await device.lines("Orders", "Note") == ["first"])
    }

    @Test("A delta link that is refused is given up, whatever the status", arguments: [400, 404, 410, 501])
    func refusedDelta(status: Int) async throws {
        let service = try await ShopService()
        try await service.fill()
        let device = try await service.device([.init(name: "orders", query: "Orders")])
        try await device.store.download()
        service.responses.set("/Orders?$deltatoken", .status(status))
        try await service.update("Orders(1)", ["Note": .string("changed")])
        #expect(try await device.refresh().mode == .comparison)
        #expect(try await device.lines("Orders(1)", "Note") == ["changed"])
    }

    @Test("A service whose metadata vanished is told of; what is here stays readable and changeable")
    func metadata() async throws {
        let (service, device) = try await site()
        try device.store.close()
        service.responses.set("/$metadata", .status(404))
        let store = try OfflineStore(
            folder: device.folder.path + "/store", remote: service.responses.remote(over: service.tables),
            configuration: Device.configuration())
        try await store.open()
        await #expect { try await store.download() } throws: { "\($0)".contains("$metadata") }
        let path = try store.path("Orders(1)")
        _ = try await store.change(
            ChangeRequest(path, .update(try await store.payload(#"{"Note":"mine"}"#, for: path))))
        #expect(try await store.entities(try await store.query("Orders")).map { $0["Note"] } == [.string("mine")])
    }
}
