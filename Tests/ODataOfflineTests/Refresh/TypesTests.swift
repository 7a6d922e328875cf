import ByteStreams
import GRDB
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

@Suite("Defining queries on all kinds of sets")
struct TypesTests {
    @Test("Contained entities come with the entities that contain them, and go with them", arguments: [true, false])
    func contained(overHTTP: Bool) async throws {
        let service = try await ShopService()
        try await service.fill()
        let queries = [DefiningQuery(name: "orders", query: "Orders?$filter=Rank lt 100&$expand=Remarks")]
        let device = try await overHTTP ? service.device(queries) : service.directDevice(queries)
        try await device.store.download()
        #expect(try await device.lines("Orders(2)/Remarks", "ID", "Text") == ["1 remark 2"])
        #expect(try await device.entities("Orders(2)/Remarks(1)").first?.id == "Orders(2)/Remarks(1)")
        #expect(
            try await device.lines("Orders?$filter=Remarks/any(r:r/Text eq 'remark 3')", "ID") == ["3"])
        try await service.update("Orders(1)/Remarks(1)", ["Text": .string("changed")])
        try await service.create("Orders(1)/Remarks", ["ID": .integer(2), "Text": .string("second")])
        try await service.delete("Orders(3)/Remarks(1)")
        try await service.update("Orders(2)", ["Rank": .integer(200)])
        try await service.create("Orders", ["ID": .integer(4), "Rank": .integer(4)])
        try await service.create("Orders(4)/Remarks", ["ID": .integer(1), "Text": .string("remark 4")])
        try await device.store.download()
        #expect(
            try await device.lines("Orders(1)/Remarks?$orderby=ID", "ID", "Text") == ["1 changed", "2 second"])
        #expect(try await device.lines("Orders(3)/Remarks", "ID") == [])
        #expect(try await device.lines("Orders(4)/Remarks", "Text") == ["remark 4"])
        #expect(try await device.store.status.entities == ["Orders": 3, "Orders/Remarks": 3])
        #expect { try device.store.addQuery(.init(name: "x", query: "Orders(1)/Remarks")) } throws: {
            ($0 as? ODataError)?.code == .notImplemented
        }
    }

    @Test("Changes of contained entities are refused by name and leave nothing behind")
    func containedChanges() async throws {
        let service = try await ShopService()
        try await service.fill()
        let device = try await service.device([.init(name: "orders", query: "Orders?$expand=Remarks")])
        try await device.store.download()
        let store = device.store
        let text = EntityPayload(["Text": .string("mine")])
        let content = MediaContent(ByteContent(Array("scan".utf8)), contentType: "text/plain")
        let refused: [(String, ChangeRequest.Operation)] = [
            ("Orders(1)/Remarks", .create(EntityPayload(["ID": .integer(7)]))), ("Orders(1)/Remarks(1)", .update(text)),
            ("Orders(1)/Remarks(1)", .replace(text)), ("Orders(1)/Remarks(1)", .delete),
            ("Orders(1)/Remarks(1)/Text", .setValue(.string("mine"))),
            ("Orders(1)/Remarks(1)/Scan", .replaceStream(content)),
        ]
        for (url, operation) in refused {
            let request = ChangeRequest(try store.path(url), operation)
            await #expect { try await store.change(request) } throws: { error in
                guard let error = error as? ODataError else { return false }
                #expect(error.message.contains("Orders(1)/Remarks"), "\(error)")
                return error.code == .notImplemented
            }
        }
        let path = try store.path("Orders")
        let nested = try await store.payload(#"{"ID":8,"Remarks":[{"ID":1}]}"#, for: path)
        await #expect { try await store.change(ChangeRequest(path, .create(nested))) } throws: { error in
            (error as? ODataError)?.code == .notImplemented && "\(error)".contains("Orders/Remarks")
        }
        #expect(try await store.queueEntries().isEmpty)
        #expect(try await device.lines("Orders?$orderby=ID", "ID") == ["1", "2", "3"])
        #expect(try await device.lines("Orders(1)/Remarks", "ID", "Text") == ["1 remark 1"])
    }

    @Test("Streams of derived and of contained types are asked for and sent where they are", arguments: [true, false])
    func streams(overHTTP: Bool) async throws {
        let service = try await ShopService()
        try await service.create("Vehicles/Shop.Car", ["ID": .integer(2), "Name": .string("car")])
        try await service.upload("Vehicles(2)/Shop.Car/Plan", "the plan")
        try await service.create("Orders", ["ID": .integer(1)])
        try await service.create("Orders(1)/Remarks", ["ID": .integer(5)])
        try await service.upload("Orders(1)/Remarks(5)/Scan", "the scan")
        let queries = [
            DefiningQuery(name: "vehicles", query: "Vehicles", retrievesStreams: true, checksStreams: true),
            DefiningQuery(
                name: "orders", query: "Orders?$expand=Remarks", retrievesStreams: true, checksStreams: true),
        ]
        let device = try await overHTTP ? service.device(queries) : service.directDevice(queries)
        let report = try await device.store.download()
        #expect(report.failedStreams.map { "\($0.path): \($0.error)" } == [])
        #expect(report.streams == 2)
        #expect(try await device.store.download().streams == 0)
        #expect(try await device.text("Vehicles(2)/Shop.Car/Plan") == "the plan")
        #expect(try await device.text("Orders(1)/Remarks(5)/Scan") == "the scan")
        let content = MediaContent(ByteContent(Array("mine".utf8)), contentType: "text/plain")
        let path = try device.store.path("Vehicles(2)/Shop.Car/Plan")
        _ = try await device.store.change(ChangeRequest(path, .replaceStream(content)))
        #expect(try await device.store.queueEntries().map(\.url) == ["Vehicles(2)/Shop.Car/Plan"])
        #expect(try await device.store.upload().isComplete)
        let stream = try await service.tables.readStream(StreamRequest(service.path("Vehicles(2)/Shop.Car/Plan")))
        #expect(try await stream.content.collect(upTo: 100) == Array("mine".utf8))
    }

    @Test("Derived types keep their type, their own properties and relations", arguments: [nil, "v2"])
    func derived(version: String?) async throws {
        let service = try await ShopService()
        try await service.create("Tags", ["ID": .integer(1), "Name": .string("sticker")])
        try await service.create("Vehicles", ["ID": .integer(1), "Name": .string("cart")])
        try await service.create(
            "Vehicles/Shop.Car", ["ID": .integer(2), "Name": .string("car"), "Doors": .integer(4)])
        try await service.link("Vehicles(2)/Shop.Car/Stickers", to: "Tags(1)")
        let queries =
            version == nil
            ? [DefiningQuery(name: "vehicles", query: "Vehicles?$expand=Shop.Car/Stickers")]
            : [DefiningQuery(name: "vehicles", query: "Vehicles")]
        let device = try await service.device(queries, version: version)
        try await device.store.download()
        #expect(try await device.entities("Vehicles(2)").first?.type.name.name == "Car")
        #expect(try await device.lines("Vehicles?$orderby=ID", "Name", "Doors") == ["cart -", "car 4"])
        #expect(try await device.lines("Vehicles/Shop.Car?$filter=Doors eq 4", "Name") == ["car"])
        if version == nil {
            #expect(try await device.lines("Vehicles(2)/Shop.Car/Stickers", "Name") == ["sticker"])
        }
        try await service.update("Vehicles(2)/Shop.Car", ["Doors": .integer(5)])
        try await device.store.download()
        #expect(try await device.lines("Vehicles/Shop.Car", "Doors") == ["5"])
    }

    @Test("A query may ask for one derived type and its properties")
    func cast() async throws {
        let service = try await ShopService()
        try await service.create("Vehicles", ["ID": .integer(1), "Name": .string("cart")])
        try await service.create(
            "Vehicles/Shop.Car", ["ID": .integer(2), "Name": .string("car"), "Doors": .integer(4)])
        let device = try await service.device([.init(name: "cars", query: "Vehicles/Shop.Car?$select=Doors")])
        try await device.store.download()
        #expect(try await device.lines("Vehicles", "ID") == ["2"])
        #expect(try await device.lines("Vehicles/Shop.Car?$select=Doors", "Doors") == ["4"])
    }

    @Test("What is selected is completed by keys and by what relations are made of")
    func selection() async throws {
        let service = try await ShopService()
        try await service.fill()
        let device = try await service.device([
            .init(name: "items", query: "Items?$select=Quantity&$expand=Order($select=Note;$expand=Tags($select=Name))")
        ])
        for _ in 1...2 {
            try await device.store.download()
            #expect(try await device.lines("Items?$filter=Order/Note eq 'note 2'&$orderby=ID", "ID") == ["21", "22"])
            #expect(try await device.lines("Orders(1)/Tags?$orderby=ID", "Name") == ["tag 1", "all"])
        }
    }

    @Test("Dynamic properties of open types are kept and can be filtered")
    func open() async throws {
        let service = try await ShopService()
        try await service.create("Things", ["ID": .string("a"), "Color": .string("red"), "Size": .integer(3)])
        try await service.create("Things", ["ID": .string("b")])
        let device = try await service.device([.init(name: "things", query: "Things", refresh: .comparison)])
        try await device.store.download()
        #expect(try await device.lines("Things?$orderby=ID", "ID", "Color", "Size") == ["a red 3", "b - -"])
        #expect(try await device.lines("Things?$filter=Color eq 'red'", "ID") == ["a"])
        try await service.update("Things('a')", ["Color": .string("blue")])
        try await device.store.download()
        #expect(try await device.lines("Things('a')", "Color", "Size") == ["blue 3"])
    }

    private func change(_ device: ShopDevice, _ url: String, _ json: String) async throws {
        let path = try device.store.path(url)
        let payload = try await device.store.payload(json, for: path)
        _ = try await device.store.change(
            ChangeRequest(path, path.target == .collection ? .create(payload) : .update(payload)))
    }

    @Test("Entities of derived types are made and changed with their own properties", arguments: [true, false])
    func derivedChanges(overHTTP: Bool) async throws {
        let service = try await ShopService()
        try await service.create("Vehicles", ["ID": .integer(1), "Name": .string("cart")])
        try await service.create(
            "Vehicles/Shop.Car", ["ID": .integer(2), "Name": .string("car"), "Doors": .integer(4)])
        let queries = [DefiningQuery(name: "vehicles", query: "Vehicles")]
        let device = try await overHTTP ? service.device(queries) : service.directDevice(queries)
        try await device.store.download()
        try await change(device, "Vehicles", ##"{"@odata.type":"#Shop.Car","ID":5,"Name":"made","Doors":3}"##)
        try await change(device, "Vehicles/Shop.Car", #"{"ID":6}"#)
        try await change(device, "Vehicles(5)", #"{"Name":"renamed"}"#)
        try await change(device, "Vehicles(2)/Shop.Car", #"{"Doors":5}"#)
        try await change(device, "Vehicles(1)", #"{"Name":"wagon"}"#)
        let doors = try device.store.path("Vehicles(6)/Shop.Car/Doors")
        _ = try await device.store.change(ChangeRequest(doors, .setValue(.integer(7))))
        let expected = ["2 car 5", "5 renamed 3", "6 null 7"]
        let cars = "Vehicles/Shop.Car?$orderby=ID"
        #expect(try await device.lines(cars, "ID", "Name", "Doors") == expected)
        // A plain vehicle has no doors, and becomes no car.
        for payload in [EntityPayload(["Doors": .integer(1)]), EntityPayload(["Name": .string("x")])] {
            var payload = payload
            payload.type = payload.properties["Name"] == nil ? nil : EdmQualifiedName("Shop.Car")
            let request = ChangeRequest(try device.store.path("Vehicles(1)"), .update(payload))
            await #expect { try await device.store.change(request) } throws: { error in
                (error as? ODataError)?.code == .badRequest
            }
        }
        #expect(try await device.store.upload().isComplete)
        let served = try await service.tables.entities(QueryParser(model: service.tables.model()).query(cars))
        #expect(served.map { $0["Doors"] ?? .null } == [.integer(5), .integer(3), .integer(7)])
        for _ in 1...2 {
            #expect(try await device.lines(cars, "ID", "Name", "Doors") == expected)
            #expect(try await device.lines("Vehicles(1)", "Name") == ["wagon"])
            try await device.store.download()
        }
    }

    @Test("References of derived types are addressed behind the type")
    func derivedReference() async throws {
        let service = try await ShopService()
        try await service.create("Tags", ["ID": .integer(1), "Name": .string("sticker")])
        try await service.create("Vehicles/Shop.Car", ["ID": .integer(2), "Name": .string("car")])
        let device = try await service.directDevice([
            .init(name: "vehicles", query: "Vehicles?$expand=Shop.Car/Stickers"), .init(name: "tags", query: "Tags"),
        ])
        try await device.store.download()
        let stickers = try device.store.path("Vehicles(2)/Shop.Car/Stickers")
        let tag = EntityReference.path(try device.store.path("Tags(1)"))
        _ = try await device.store.change(ChangeRequest(stickers, .addReference(tag)))
        #expect(try await device.store.queueEntries().map(\.url) == ["Vehicles(2)/Shop.Car/Stickers/$ref"])
        #expect(try await device.store.upload().isComplete)
        for _ in 1...2 {
            #expect(try await device.lines("Vehicles(2)/Shop.Car/Stickers", "Name") == ["sticker"])
            try await device.store.download()
        }
    }

    @Test("An entity of a derived type that was deleted there is created again as one", arguments: [true, false])
    func derivedAgain(isChanged: Bool) async throws {
        let service = try await ShopService()
        try await service.create(
            "Vehicles/Shop.Car", ["ID": .integer(2), "Name": .string("car"), "Doors": .integer(4)])
        let device = try await ShopDevice(
            [.init(name: "vehicles", query: "Vehicles")], remote: service.tables,
            configure: { $0.conflictResolver = .clientWins })
        try await device.store.download()
        try await change(device, "Vehicles(2)/Shop.Car", isChanged ? #"{"Doors":5}"# : #"{"Name":"mine"}"#)
        try await service.delete("Vehicles(2)")
        #expect(try await device.store.upload().isComplete)
        let expected = [isChanged ? "car 5" : "mine 4"]
        #expect(try await device.lines("Vehicles/Shop.Car", "Name", "Doors") == expected)
        try await device.store.download()
        #expect(try await device.lines("Vehicles/Shop.Car", "Name", "Doors") == expected)
    }

    @Test("Dynamic properties are set, changed, taken away and taken back", arguments: [true, false])
    func openChanges(overHTTP: Bool) async throws {
        let service = try await ShopService()
        let day = EdmValue.date(try #require(EdmDate(year: 2024, month: 1, day: 2)))
        try await service.create(
            "Things", ["ID": .string("a"), "Color": .string("red"), "Size": .integer(3), "Since": day])
        let queries = [DefiningQuery(name: "things", query: "Things")]
        let device = try await overHTTP ? service.device(queries) : service.directDevice(queries)
        try await device.store.download()
        try await change(device, "Things('a')", #"{"Color":"black"}"#)
        #expect(try await device.lines("Things('a')", "Color", "Size") == ["black 3"])
        _ = try await device.store.undo(.everything)
        #expect(try await device.lines("Things('a')", "Color", "Size") == ["red 3"])
        try await change(device, "Things", #"{"ID":"c","Color":"green"}"#)
        try await change(device, "Things('a')", #"{"Color":"blue","Size":null}"#)
        try await change(device, "Things('a')", #"{"Weight":2}"#)
        let names = ["ID", "Color", "Size", "Weight"]
        let expected = ["a blue - 2", "c green - -"]
        #expect(try await device.store.queueEntries().count == 2)
        #expect(try await device.lines("Things?$orderby=ID", names[0], names[1], names[2], names[3]) == expected)
        #expect(try await device.lines("Things?$filter=Color eq 'blue'", "ID") == ["a"])
        #expect(try await device.entities("Things('a')").first?["Since"] == day)
        #expect(try await device.store.upload().isComplete)
        let query = try QueryParser(model: try await service.tables.model()).query("Things?$orderby=ID")
        let served = try await service.tables.entities(query)
        #expect(served.map { entity in names.map { entity[$0]?.lexical ?? "-" }.joined(separator: " ") } == expected)
        for _ in 1...2 {
            let lines = try await device.lines("Things?$orderby=ID", names[0], names[1], names[2], names[3])
            #expect(lines == expected)
            try await device.store.download()
        }
    }

    @Test("Damaged dynamic properties are not written over")
    func damagedDynamic() async throws {
        let service = try await ShopService()
        try await service.create("Things", ["ID": .string("a"), "Color": .string("red")])
        let device = try await service.device([.init(name: "things", query: "Things")])
        try await device.store.download()
        try await device.store.writingAttachments { db in
            try db.execute(sql: #"UPDATE "Things" SET "$dynamic" = '[1]'"#)
        }
        await #expect {
            try await change(device, "Things('a')", #"{"Color":"blue"}"#)
        } throws: { error in
            (error as? ODataError)?.code == .internalError
        }
        #expect(try await device.store.queueEntries().isEmpty)
        let stored = try await device.store.readingAttachments { db in
            try String.fetchOne(db, sql: #"SELECT "$dynamic" FROM "Things""#)
        }
        #expect(stored == "[1]")
    }

    @Test("A singleton without a key, and one entity with what it expands")
    func single() async throws {
        let service = try await ShopService()
        try await service.fill()
        let device = try await service.device([
            .init(name: "settings", query: "Settings"), .init(name: "order", query: "Orders(2)?$expand=Items,Tags"),
        ])
        for theme in ["dark", "light"] {
            try await service.update("Settings", ["Theme": .string(theme)])
            try await device.store.download()
            #expect(try await device.lines("Settings", "Theme") == [theme])
            #expect(try await device.lines("Orders", "ID") == ["2"])
            #expect(try await device.lines("Orders(2)/Items?$orderby=ID", "ID") == ["21", "22"])
            #expect(try await device.lines("Orders(2)/Tags?$orderby=ID", "ID") == ["2", "9"])
        }
        try await service.delete("Orders(2)")
        try await device.store.download()
        #expect(try await device.lines("Orders", "ID") == [])
    }

    @Test("Keys that differ in case or normalisation only are different entities")
    func keys() async throws {
        let service = try await ShopService()
        let names = ["a", "A", "\u{E9}", "e\u{301}", "a "]
        for name in names { try await service.create("Things", ["ID": .string(name)]) }
        let device = try await service.device([.init(name: "things", query: "Things")])
        for _ in 1...2 {
            try await device.store.download()
            #expect(try await device.entities("Things").count == names.count)
            for name in names {
                let escaped = name.utf8.map { "%" + String($0, radix: 16) }.joined()
                let found = try await device.entities("Things('\(escaped)')")
                #expect(
                    found.map { $0["ID"]?.lexical.unicodeScalars.map(\.value) } == [name.unicodeScalars.map(\.value)])
            }
        }
    }

    @Test(
        "Two new entities whose keys differ in case or normalisation only are sent and changed as two",
        arguments: [("a", "A"), ("\u{E9}", "e\u{301}")])
    func newKeys(first: String, second: String) async throws {
        let service = try await ShopService()
        let device = try await service.device([.init(name: "things", query: "Things")])
        try await device.store.download()
        let store = device.store
        let things = try store.path("Things")
        let path = { (name: String) in
            try store.path("Things('\(name.utf8.map { "%" + String($0, radix: 16) }.joined())')")
        }
        let scalars = { (name: String) in name.unicodeScalars.map(\.value) }
        for name in [first, second] {
            let new = EntityPayload(["ID": .string(name)])
            _ = try await store.change(ChangeRequest(things, .create(new)))
        }
        #expect(try await store.upload().isComplete)
        let served = try await service.tables.entities(
            try QueryParser(model: try await service.tables.model()).query("Things"))
        let found = Set(served.compactMap { $0["ID"]?.lexical }.map(scalars))
        #expect(served.count == 2 && found == [scalars(first), scalars(second)])
        #expect(try await device.entities("Things").count == 2)
        // Each is found by its own key, also while the other waits to be deleted.
        _ = try await store.change(ChangeRequest(try path(second), .delete))
        #expect(try await device.entities("Things").compactMap { $0["ID"]?.lexical }.map(scalars) == [scalars(first)])
        #expect(try await store.upload().isComplete)
        try await store.download()
        #expect(try await device.entities("Things").compactMap { $0["ID"]?.lexical }.map(scalars) == [scalars(first)])
    }

    @Test("Many-to-many relations of overlapping queries: a link stays while one query holds it")
    func links() async throws {
        let service = try await ShopService()
        try await service.fill()
        let device = try await service.device([
            .init(name: "low", query: "Orders?$filter=Rank le 20&$expand=Tags"),
            .init(name: "high", query: "Orders?$filter=Rank ge 20&$expand=Tags"),
        ])
        try await device.store.download()
        #expect(try await device.lines("Tags(9)/Orders?$orderby=ID", "ID") == ["1", "2", "3"])
        try device.store.removeQuery("low")
        #expect(try await device.lines("Tags(9)/Orders?$orderby=ID", "ID") == ["2", "3"])
        #expect(try await device.lines("Tags?$orderby=ID", "ID") == ["2", "3", "9"])
        try device.store.removeQuery("high")
        #expect(try await device.lines("Tags", "ID") == [])
    }
}
