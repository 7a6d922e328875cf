import ODataModel
import ODataOffline
import ODataStores
import Testing

@Suite("Responses of services other than ours")
struct OtherServiceTests {
    private static func order(_ id: Int, _ note: String) -> String {
        #"{"ID":\#(id),"Note":"\#(note)","Rank":1,"ModifiedAt":null}"#
    }

    @Test("Context, next and delta links may be relative; removals come in all spellings")
    func relative() async throws {
        let service = try await ShopService()
        let orders = (1...6).map { Self.order($0, "note \($0)") }
        service.responses.set(
            "/Orders",
            """
            {"@odata.context":"$metadata#Orders","value":[\(orders[..<3].joined(separator: ","))],
            "@odata.nextLink":"Orders?$skiptoken=2"}
            """)
        service.responses.set(
            "/Orders?$skiptoken=2",
            """
            {"@odata.context":"../service.test/$metadata#Orders","value":[\(orders[3...].joined(separator: ","))],
            "@odata.deltaLink":"Orders?$deltatoken=7"}
            """)
        let device = try await service.device([.init(name: "orders", query: "Orders")])
        try await device.store.download()
        #expect(try await device.lines("Orders?$orderby=ID", "ID") == (1...6).map { "\($0)" })
        service.responses.set(
            "/Orders?$deltatoken=7",
            """
            {"@odata.context":"$metadata#Orders/$delta","value":[
            {"@odata.context":"$metadata#Orders/$deletedEntity","id":"Orders(1)","reason":"deleted"},
            {"@odata.context":"http://service.test/$metadata#Orders/$deletedEntity","id":"http://service.test/Orders(2)"},
            {"id":"/Orders(3)","reason":"changed","@odata.context":"#Orders/$deletedEntity"},
            {"@odata.removed":{"reason":"changed"},"@odata.id":"http://service.test/Orders(4)"},
            {"@removed":{"reason":"deleted"},"ID":5}],"@odata.deltaLink":"Orders?$deltatoken=8"}
            """)
        let report = try await device.refresh()
        #expect(report.mode == .delta)
        #expect(try await device.lines("Orders", "ID") == ["6"])
        service.responses.set(
            "/Orders?$deltatoken=8", #"{"@odata.context":"$metadata#Orders/$delta","value":[\#(Self.order(9, "new"))]}"#
        )
        #expect(try await device.refresh().mode == .delta)
        #expect(try await device.lines("Orders?$orderby=ID", "ID") == ["6", "9"])
    }

    @Test("V2: relative links, and a page with both a next and a delta link", arguments: [true, false])
    func legacy(lastHasDelta: Bool) async throws {
        let service = try await ShopService()
        let entity: (Int) -> String = { id in
            """
            {"__metadata":{"uri":"Orders(\(id))","type":"Shop.Order"},"ID":\(id),"Note":"note \(id)","Rank":1,
            "ModifiedAt":null,"Items":{"__deferred":{"uri":"Orders(\(id))/Items"}}}
            """
        }
        service.responses.set(
            "/v2/Orders",
            #"{"d":{"results":[\#(entity(1))],"__next":"Orders?$skiptoken=2","__delta":"Orders?!deltatoken=3"}}"#)
        let delta = lastHasDelta ? #","__delta":"Orders?!deltatoken=4""# : ""
        service.responses.set("/v2/Orders?$skiptoken=2", #"{"d":{"results":[\#(entity(2))]\#(delta)}}"#)
        let device = try await service.device([.init(name: "orders", query: "Orders")], version: "v2")
        try await device.store.download()
        #expect(try await device.lines("Orders?$orderby=ID", "ID", "Note") == ["1 note 1", "2 note 2"])
        service.responses.set(
            "/v2/Orders?!deltatoken=\(lastHasDelta ? 4 : 3)",
            """
            {"d":{"results":[{"@odata.context":"$metadata#Orders/$deletedEntity","id":"Orders(1)"},\(entity(5))],
            "__delta":"Orders?!deltatoken=5"}}
            """)
        #expect(try await device.refresh().mode == .delta)
        #expect(try await device.lines("Orders?$orderby=ID", "ID") == ["2", "5"])
    }

    @Test("A response with another entity tells that the change was made, and no more")
    func otherEntity() async throws {
        let service = try SampleService()
        let responses = FixedResponses()
        let device = try await ShopDevice(
            [.init(name: "orders", query: "Orders")], remote: responses.remote(over: service.store)
        ) { $0.batchSize = 1 }
        let store = device.store
        try await store.download()
        let path = try store.path("Orders(1)")
        _ = try await store.change(
            ChangeRequest(path, .update(try await store.payload(#"{"Note":"mine"}"#, for: path))))
        responses.set(
            "/Orders(1)",
            ##"{"@odata.context":"$metadata#Orders/$entity","@odata.etag":"W/\"other\"","OrderID":2,"##
                + #""CustomerID":"A","Note":"another"}"#)
        #expect(try await store.upload().isComplete)
        #expect(try await device.lines("Orders?$top=2&$orderby=OrderID", "OrderID", "Note") == ["1 mine", "2 note 2"])
    }

    @Test("Media entities without any link have their stream where the standard says")
    func mediaLinks() async throws {
        let service = try SampleService()
        let responses = FixedResponses()
        responses.set("/Photos", #"{"value":[{"PhotoID":1,"Title":"photo 1","OrderID":1}]}"#)
        responses.set("/Photos(1)/$value", .body([1, 2, 3], contentType: "image/png"))
        let device = try await ShopDevice(
            [.init(name: "photos", query: "Photos", retrievesStreams: true)],
            remote: responses.remote(over: service.store)
        ) { _ in }
        #expect(try await device.store.download().streams == 1)
        let request = StreamRequest(try device.store.path("Photos(1)"))
        #expect(try await device.store.readStream(request).content.collect(upTo: 100) == [1, 2, 3])
        #expect(responses.requests.contains("/Photos(1)/$value"))
    }

    /// A service that tells nothing of the logos that customers A and B may have.
    private static func silent(_ query: DefiningQuery) async throws -> (device: ShopDevice, responses: FixedResponses) {
        let service = try SampleService(more: ["ALTER TABLE Customers ADD COLUMN Logo BLOB"])
        let responses = FixedResponses()
        responses.set("/Customers", #"{"value":[{"CustomerID":"A","Name":"Alpha"},{"CustomerID":"B","Name":"Beta"}]}"#)
        responses.set("/Customers('A')/Logo", .body([1, 2], contentType: "image/png"))
        responses.set("/Customers('B')/Logo", .status(404))
        return (try await ShopDevice([query], remote: responses.remote(over: service.store)) { _ in }, responses)
    }

    @Test("Stream properties without control information come where the query checks streams, each asked for once")
    func silentProperties() async throws {
        let query = DefiningQuery(name: "all", query: "Customers", retrievesStreams: true, checksStreams: true)
        let (device, responses) = try await Self.silent(query)
        let report = try await device.store.download()
        #expect(report.streams == 1 && report.failedStreams.isEmpty)
        #expect(try await device.store.streamEntries().map(\.path) == ["Customers('A')/Logo"])
        try await device.store.download()
        #expect(responses.requests.count { $0 == "/Customers('B')/Logo" } == 1)
        #expect(try await device.text("Customers('A')/Logo") == "\u{1}\u{2}")
        #expect(try await device.store.readStream(StreamRequest(device.store.path("Customers('B')/Logo"))).isNull)
    }

    @Test("Those that a query does not select are not asked for")
    func unselectedProperties() async throws {
        let query = DefiningQuery(
            name: "names", query: "Customers?$select=CustomerID,Name", retrievesStreams: true, checksStreams: true)
        let (device, responses) = try await Self.silent(query)
        #expect(try await device.store.download().streams == 0)
        #expect(!responses.requests.contains { $0.hasSuffix("/Logo") })
    }

    @Test("Else they come when they are read, and without a query with streams it is told what brings them")
    func silentRead() async throws {
        let (device, _) = try await Self.silent(.init(name: "all", query: "Customers", retrievesStreams: true))
        #expect(try await device.store.download().streams == 0)
        #expect(try await device.text("Customers('A')/Logo") == "\u{1}\u{2}")
        #expect(try await device.store.readStream(StreamRequest(device.store.path("Customers('B')/Logo"))).isNull)
        let (other, _) = try await Self.silent(.init(name: "all", query: "Customers"))
        try await other.store.download()
        await #expect { try await other.text("Customers('A')/Logo") } throws: { error in
            guard let error = error as? ODataError else { return false }
            return error.code == .mediaNotInStore && error.message.contains("the service has not announced it")
        }
    }

    @Test(
        "The type that such a stream came with stays, and the stream does while its entity is the same",
        arguments: [true, false])
    func silentType(hasETag: Bool) async throws {
        let (device, responses) = try await Self.silent(.init(name: "all", query: "Customers", retrievesStreams: true))
        let store = device.store
        let customer: (String, Int) -> String = { name, version in
            let tag = hasETag ? #""@odata.etag":"W/\"\#(version)\"","# : ""
            return #"{"value":[{\#(tag)"CustomerID":"A","Name":"\#(name)"}]}"#
        }
        let logo = "Customers('A')/Logo"
        responses.set("/Customers", customer("Alpha", 1))
        try await store.download()
        #expect(try await device.text(logo) == "\u{1}\u{2}")
        try await store.download()
        #expect(try await store.streamEntries().map(\.contentType) == ["image/png"])
        #expect(responses.requests.count { $0 == "/\(logo)" } == 1)
        // It comes again when the entity is another one, and is shown as it was until then.
        responses.set("/Customers", customer("Other", 2))
        responses.set("/\(logo)", .status(403))
        #expect(try await store.download().failedStreams.map(\.path) == [logo])
        #expect(try await store.streamEntries().map(\.contentType) == ["image/png"])
        responses.set("/\(logo)", .status(404))
        #expect(try await store.download().failedStreams.isEmpty)
        #expect(try await store.streamEntries().isEmpty)
    }
}
