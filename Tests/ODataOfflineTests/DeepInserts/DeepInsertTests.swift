import ByteStreams
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataOffline

/// A device of the sample service, which has a habit about deep inserts.
struct DeepDesk {
    let service: SampleService
    let remote: DeepService
    let device: Device
    var store: OfflineStore { device.store }

    init(
        _ habits: DeepService.Habits = .init(), configure: (inout OfflineStore.Configuration) -> Void = { _ in }
    ) async throws {
        service = try SampleService()
        let remote = DeepService(service.store, habits)
        self.remote = remote
        device = try await Device(ChangeTests.queries, service: service, wrap: { _ in remote }, configure: configure)
        try await device.store.download()
    }

    static let order =
        #"{"CustomerID":"A","Note":"new","Items":[{"LineNo":1,"Product":"x"},{"LineNo":2,"Product":"y"}]}"#

    @discardableResult
    func make(_ json: String = Self.order, in set: String = "Orders") async throws -> String {
        try #require(try await device.create(set, json).entity?.id)
    }

    /// What the service has of new orders, and their items.
    var orders: [String] {
        get throws {
            try service.fetch("SELECT OrderID, CustomerID, Note FROM Orders WHERE OrderID > 25 ORDER BY 1")
                + service.fetch("SELECT OrderID, LineNo, Product FROM Items WHERE OrderID > 25 ORDER BY 1, 2")
        }
    }

    var message: String {
        get async throws { try await store.events().first { $0.kind == .upload }?.message ?? "" }
    }

    /// What is here is what the service has.
    func checkCopy() async throws {
        #expect(try await store.queueEntries().isEmpty)
        for set in ["Orders", "Items", "Customers"] {
            let rows = try service.fetch("SELECT count(*) FROM \(set)")
            #expect(try await device.count(set) == Int(rows[0]))
        }
        try await store.download()
        for set in ["Orders", "Items", "Customers"] {
            let rows = try service.fetch("SELECT count(*) FROM \(set)")
            #expect(try await device.count(set) == Int(rows[0]))
        }
    }
}

@Suite("Deep inserts made offline")
struct DeepInsertTests {
    private static let made = ["26|A|new", "26|1|x", "26|2|y"]

    private static let bodies: [(json: String, set: String, line: String)] = [
        (DeepDesk.order, "Orders", "Orders{Items:2}"),
        (#"{"Note":"n","Customer":{"CustomerID":"X","Name":"x"}}"#, "Orders", "Orders{Customer:1}"),
        (
            #"{"Note":"n","Customer":{"CustomerID":"X","Name":"x"},"Items":[{"LineNo":1},{"LineNo":2}]}"#, "Orders",
            "Orders{Items:2,Customer:1}"
        ),
        (
            #"{"CustomerID":"X","Name":"x","Orders":[{"Note":"a","Items":[{"LineNo":1}]},{"Note":"b"}]}"#, "Customers",
            "Customers{Orders:2{Items:1}}"
        ),
    ]

    @Test("They are one request, without temporary and foreign keys", arguments: bodies)
    func one(json: String, set: String, line: String) async throws {
        let conflicts = try await DeepDesk()
        let id = try await conflicts.make(json, in: set)
        let report = try await conflicts.store.upload()
        #expect(report.isComplete && report.succeeded.count > 1)
        let parts = { (line: String) in line.split { "{},".contains($0) }.sorted() }
        #expect(conflicts.remote.lines.map(parts) == [parts(line)])
        let request = try #require(conflicts.remote.requests.first)
        guard case .create(let payload) = request.operation else { return #expect(Bool(false)) }
        for entity in payload.nested.flatMap(\.entities) + [payload] {
            #expect(entity.properties["OrderID"] == nil)
            if set == "Customers", entity != payload { #expect(entity.properties["CustomerID"] == nil) }
        }
        #expect(try await conflicts.device.count(id) == 1)
        #expect(try await conflicts.message == "Deep inserts: \(set) as one request.")
        try await conflicts.checkCopy()
    }

    @Test("They survive the end of the process, and what waits for them follows")
    func restart() async throws {
        let conflicts = try await DeepDesk()
        let id = try await conflicts.make()
        let items = try await conflicts.device.entities("\(id)/Items").compactMap(\.id)
        try conflicts.store.close()
        let store = try OfflineStore(
            folder: conflicts.device.folder.path + "/store", remote: conflicts.remote,
            configuration: Device.configuration())
        try await store.open()
        let report = try await store.upload()
        #expect(report.isComplete)
        #expect(conflicts.remote.lines == ["Orders{Items:2}"])
        #expect(try conflicts.orders == Self.made)
        #expect(try store.path(items[1]).url == "Items(OrderID=26,LineNo=2)")
        try store.close()
    }

    @Test("A media entity below one follows as a request of its own: a stream has no room in another entity")
    func media() async throws {
        let conflicts = try await DeepDesk()
        let id = try await conflicts.make()
        let photos = try conflicts.store.path("\(id)/Photos")
        _ = try await conflicts.store.createMedia(
            MediaContent(ByteContent([1, 2]), contentType: "image/png"), in: photos)
        await #expect(throws: ODataError.self) { try await conflicts.make(#"{"Photos":[{"Title":"no stream"}]}"#) }
        #expect(try await conflicts.store.upload().isComplete)
        #expect(conflicts.remote.lines.first == "Orders{Items:2}")
        #expect(try conflicts.orders == Self.made)
        #expect(try conflicts.service.fetch("SELECT OrderID, length(Image) FROM Photos WHERE OrderID > 25") == ["26|2"])
        try await conflicts.checkCopy()
    }

    @Test("Deletions before the upload: of all items, which leaves one entity, and of the outermost entity")
    func deleted() async throws {
        let conflicts = try await DeepDesk()
        let id = try await conflicts.make()
        for item in try await conflicts.device.entities("\(id)/Items").compactMap(\.id) {
            try await conflicts.device.delete(item)
        }
        #expect(try await conflicts.store.upload().isComplete)
        #expect(conflicts.remote.lines == ["Orders"])
        #expect(try conflicts.orders == ["26|A|new"])
        conflicts.remote.use(.init())
        let other = try await conflicts.make()
        let items = try await conflicts.device.entities("\(other)/Items").compactMap(\.id)
        for item in items { try await conflicts.device.delete(item) }
        try await conflicts.device.delete(other)
        #expect(try await conflicts.store.queueEntries().isEmpty)
        try await conflicts.make(#"{"Note":"b","Items":[]}"#)
        #expect(try await conflicts.store.upload().isComplete)
        #expect(conflicts.remote.lines == ["Orders"])
        try await conflicts.checkCopy()
    }

    @Test("A deep insert that is taken back before the upload goes as one", arguments: [0, 2])
    func takenBack(place: Int) async throws {
        let conflicts = try await DeepDesk()
        try await conflicts.make()
        try await conflicts.device.update("Orders(3)", #"{"Note":"stays"}"#)
        let entries = try await conflicts.store.queueEntries()
        let number = try #require(entries[place].changeSet)
        try await conflicts.store.undo(place == 0 ? .changeSet(number) : .request(entries[place].id))
        #expect(try await conflicts.store.queueEntries().map(\.url) == ["Orders(3)"])
        #expect(try await conflicts.device.count("Orders") == SampleService.orders)
        #expect(try await conflicts.store.upload().isComplete)
        #expect(conflicts.remote.lines == ["Orders(3)"])
        try await conflicts.checkCopy()
    }

    @Test("Two deep inserts and a single request that are held wait each for their own needs")
    func held() async throws {
        let conflicts = try await DeepDesk()
        let customer = try await conflicts.make(#"{"CustomerID":"R","Name":"refused"}"#, in: "Customers")
        for id in 1...3 {
            try await conflicts.make(
                #"{"Note":"n\#(id)","Customer@odata.bind":"\#(customer)","Items":[{"LineNo":\#(id)}]}"#)
        }
        var habits = DeepService.Habits()
        habits.refusesProduct = "R"
        conflicts.remote.use(habits)
        #expect(try await conflicts.store.upload().held.count == 6)
        #expect(conflicts.remote.lines == ["Customers"])
        conflicts.remote.use(.init())
        #expect(try await conflicts.store.upload().isComplete)
        #expect(conflicts.remote.lines == ["Customers"] + Array(repeating: "Orders{Items:1}", count: 3))
        try await conflicts.checkCopy()
    }

    @Test("Changes before the upload become part of them")
    func merged() async throws {
        let conflicts = try await DeepDesk()
        let id = try await conflicts.make()
        let items = try await conflicts.device.entities("\(id)/Items?$orderby=LineNo").compactMap(\.id)
        try await conflicts.device.update(id, #"{"Note":"changed","CustomerID":"B"}"#)
        try await conflicts.device.update(items[0], #"{"Product":"z"}"#)
        try await conflicts.device.delete(items[1])
        try await conflicts.device.create("\(id)/Items", #"{"LineNo":3,"Product":"w"}"#)
        let last = try await conflicts.device.create("\(id)/Items", #"{"LineNo":4,"Product":"v"}"#)
        try await conflicts.device.update(try #require(last.entity?.id), #"{"Product":"u"}"#)
        #expect(try await conflicts.store.queueEntries().count == 4)
        #expect(try await conflicts.store.upload().isComplete)
        #expect(conflicts.remote.lines == ["Orders{Items:3}"])
        #expect(try conflicts.orders == ["26|B|changed", "26|1|z", "26|3|w", "26|4|u"])
        try await conflicts.checkCopy()
    }

    @Test("An entity below, which waits for something that comes after the deep insert, is not a part of it")
    func circle() async throws {
        let conflicts = try await DeepDesk()
        let id = try await conflicts.make()
        try await conflicts.device.create("Customers", #"{"CustomerID":"Y","Name":"y"}"#)
        try await conflicts.device.update(id, #"{"CustomerID":"Y"}"#)
        #expect(try await conflicts.store.upload().isComplete)
        #expect(try conflicts.orders == ["26|Y|new", "26|1|x", "26|2|y"])
        try await conflicts.checkCopy()
    }

    @Test("A change set of the app's, another category and another tag keep their requests")
    func apart() async throws {
        let conflicts = try await DeepDesk()
        let path = try conflicts.store.path("Orders")
        let deep = ChangeRequest(path, .create(try await conflicts.store.payload(DeepDesk.order, for: path)))
        let other = ChangeRequest(try conflicts.store.path("Orders(3)"), .update(EntityPayload(["Note": .string("o")])))
        _ = try await conflicts.store.changeSet([deep, other])
        let id = try await conflicts.make()
        let items = try conflicts.store.path("\(id)/Items")
        let item = try await conflicts.store.payload(#"{"LineNo":7}"#, for: items)
        _ = try await conflicts.store.change(
            ChangeRequest(items, .create(item)), options: RequestOptions(category: "later"))
        #expect(try await conflicts.store.upload().isComplete)
        #expect(conflicts.remote.lines.sorted() == ["Items", "Orders{Items:2}", "[Orders Items Items Orders(3)]"])
        try await conflicts.checkCopy()
    }

    @Test("What names another entity of the same deep insert besides goes as a change set")
    func crossed() async throws {
        let conflicts = try await DeepDesk()
        let id = try await conflicts.make(
            #"{"CustomerID":"Z","Name":"z","Orders":[{"Note":"a"},{"Note":"b","Customer":{"CustomerID":"V","Name":"v"}}]}"#,
            in: "Customers")
        #expect(try await conflicts.store.upload().isComplete)
        #expect(try await conflicts.device.count(id) == 1)
        try await conflicts.checkCopy()
    }

    @Test(
        "The app may choose the form, and the event tells it",
        arguments: [
            (DeepInsertForm.request, ["Orders{Items:2}"], "one request"),
            (.changeSet, ["[Orders Items Items]"], "a change set"),
            (.parts, ["Orders", "Items", "Items"], "single requests"),
        ])
    func option(form: DeepInsertForm, lines: [String], words: String) async throws {
        let conflicts = try await DeepDesk {
            $0.deepInserts = form
            $0.batchSize = 1
        }
        try await conflicts.make()
        #expect(try await conflicts.store.upload().isComplete)
        #expect(conflicts.remote.lines == lines)
        #expect(try conflicts.orders == Self.made)
        #expect(try await conflicts.message == "Deep inserts: Orders as \(words).")
        try await conflicts.checkCopy()
    }

    /// - Parameter deep: What the metadata say of deep inserts.
    @Test(
        "The metadata decide before anything is tried",
        arguments: [
            (true, nil, "one request"), (false, nil, "a change set"), (nil, false, "one request"),
            (false, false, "single requests"), (false, true, "a change set"),
        ] as [(Bool?, Bool?, String)])
    func metadata(deep: Bool?, batches: Bool?, words: String) async throws {
        var habits = DeepService.Habits()
        if let deep {
            habits.annotations.append(
                EdmAnnotation(term: EdmAnnotation.deepInsert, value: .record(["Supported": .bool(deep)])))
        }
        if let batches {
            habits.annotations.append(EdmAnnotation(term: EdmAnnotation.batchSupported, value: .bool(batches)))
        }
        let conflicts = try await DeepDesk(habits)
        try await conflicts.make()
        #expect(try await conflicts.store.upload().isComplete)
        #expect(try conflicts.orders == Self.made)
        #expect(try await conflicts.message == "Deep inserts: Orders as \(words).")
    }

    @Test(
        "A refusal leads to a change set, which is remembered",
        arguments: [(ODataError.Code.notImplemented, 501), (.badRequest, 400), (.unsupportedMediaType, 415)])
    func refused(code: ODataError.Code, status: Int) async throws {
        var habits = DeepService.Habits()
        habits.refusal = (code, status)
        let conflicts = try await DeepDesk(habits)
        try await conflicts.make()
        #expect(try await conflicts.store.upload().isComplete)
        // A 501 may mean the id of the request first.
        #expect(conflicts.remote.lines.last == "[Orders Items Items]")
        #expect(conflicts.remote.lines.dropLast().allSatisfy { $0 == "Orders{Items:2}" })
        #expect(try await conflicts.message == "Deep inserts: Orders as a change set.")
        conflicts.remote.use(habits)
        try await conflicts.make()
        #expect(try await conflicts.store.upload().isComplete)
        #expect(conflicts.remote.lines == ["[Orders Items Items]"])
        #expect(try conflicts.orders.count == 6)
        try await conflicts.checkCopy()
    }

    @Test(
        "Where there are no batches either, each entity has its request, which is remembered",
        arguments: [(ODataError.Code.notImplemented, 501), (.badRequest, 400), (.internalError, 500)], [nil, true])
    func noBatches(refusal: (ODataError.Code, Int), saysItHasBatches: Bool?) async throws {
        var habits = DeepService.Habits()
        habits.refusal = refusal
        habits.hasNoBatches = true
        if let saysItHasBatches {
            habits.annotations = [EdmAnnotation(term: EdmAnnotation.batchSupported, value: .bool(saysItHasBatches))]
        }
        let conflicts = try await DeepDesk(habits) { $0.batchSize = 1 }
        try await conflicts.make()
        #expect(try await conflicts.store.upload().isComplete)
        #expect(conflicts.remote.lines.suffix(4) == ["[Orders Items Items]", "Orders", "Items", "Items"])
        #expect(try await conflicts.message == "Deep inserts: Orders as single requests.")
        conflicts.remote.use(habits)
        try await conflicts.make()
        #expect(try await conflicts.store.upload().isComplete)
        #expect(conflicts.remote.lines == ["Orders", "Items", "Items"])
        #expect(try await conflicts.message == "Deep inserts: Orders as single requests.")
        try await conflicts.checkCopy()
    }

    @Test("What was refused for its values in parts too does not teach that parts are wanted")
    func badPart() async throws {
        var habits = DeepService.Habits()
        habits.annotations = [EdmAnnotation(term: EdmAnnotation.batchSupported, value: .bool(false))]
        habits.refusesProduct = "bad"
        let conflicts = try await DeepDesk(habits) { $0.batchSize = 1 }
        let id = try await conflicts.make(DeepDesk.order.replacing(#""y""#, with: #""bad""#))
        let report = try await conflicts.store.upload()
        #expect(report.failed.map(\.url) == ["Items"] && report.succeeded.count == 2)
        #expect(conflicts.remote.lines == ["Orders{Items:2}", "Orders", "Items", "Items"])
        let item = try #require(try await conflicts.device.entities("\(id)/Items?$filter=LineNo eq 2").first?.id)
        try await conflicts.device.update(item, #"{"Product":"y"}"#)
        #expect(try await conflicts.store.upload().isComplete)
        #expect(try conflicts.orders == Self.made)
        conflicts.remote.use(habits)
        try await conflicts.make()
        #expect(try await conflicts.store.upload().isComplete)
        #expect(conflicts.remote.lines == ["Orders{Items:2}"])
        try await conflicts.checkCopy()
    }

    @Test("Values that are refused in both forms are mended, and it is one request again")
    func content() async throws {
        var habits = DeepService.Habits()
        habits.wantsItems = true
        let conflicts = try await DeepDesk(habits)
        let id = try await conflicts.make(DeepDesk.order.replacing("new", with: "refused"))
        let report = try await conflicts.store.upload()
        #expect(report.failed.count == 1 && report.succeeded.isEmpty)
        #expect(conflicts.remote.lines == ["Orders{Items:2}", "[Orders Items Items]"])
        #expect(report.failed.first?.message.contains("As one request with nested entities it was refused too") == true)
        #expect(try conflicts.orders.isEmpty)
        conflicts.remote.use(habits)
        try await conflicts.device.update(id, #"{"Note":"new"}"#)
        #expect(try await conflicts.store.upload().isComplete)
        #expect(conflicts.remote.lines == ["Orders{Items:2}"])
        #expect(try conflicts.orders == Self.made)
        try await conflicts.checkCopy()
    }

    @Test("A refused deep insert leaves nothing, waits in the error archive as one, and is taken back as one")
    func undo() async throws {
        let conflicts = try await DeepDesk { $0.deepInserts = .request }
        let id = try await conflicts.make(DeepDesk.order.replacing("new", with: "refused"))
        let report = try await conflicts.store.upload()
        #expect(report.failed.map(\.url) == ["Orders"])
        #expect(try await conflicts.store.queueEntries().map(\.state) == [.failed, .failed, .failed])
        let entries = try await conflicts.store.queueEntries()
        #expect(Set(entries.map(\.changeSet)).count == 1)
        try await conflicts.store.undo(.request(entries[2].id))
        #expect(try conflicts.orders.isEmpty)
        #expect(try await conflicts.device.count("Orders") == SampleService.orders)
        await #expect(throws: ODataError.self) { try await conflicts.device.entities(id) }
        try await conflicts.checkCopy()
    }

    @Test(
        "Links without a constraint nest too: those that are made with it, and those to what is there",
        arguments: [(nil, false), ("v2", false), ("v2", true)] as [(String?, Bool)])
    func links(version: String?, usesAtom: Bool) async throws {
        let service = try ModelService(schema: ModelService.itemsAndCats, version: version, usesAtom: usesAtom)
        try await service.create("Cats", #"{"ID":1,"Name":"a"}"#)
        let (store, folder) = try await service.device(["Items?$expand=Cat,Cats", "Cats"])
        try await service.request(
            "Items",
            #"{"ID":5,"Name":"i","Cat":{"ID":2,"Name":"b"},"Cats@odata.bind":["Cats(1)"],"Cats":[{"ID":3,"Name":"c"}]}"#,
            on: store, creates: true)
        service.responses.clear()
        let report = try await store.upload()
        #expect(report.isComplete && report.succeeded.count == 3)
        for reader in [store as any ODataStore, service.tables] {
            #expect(try await service.names("Items(5)/Cat", on: reader) == ["b"])
            #expect(try await service.names("Items(5)/Cats?$orderby=ID", on: reader) == ["a", "c"])
        }
        #expect(!service.responses.requests.contains { $0.contains("$batch") }, "\(service.responses.requests)")
        try store.close()
        withExtendedLifetime(folder) {}
    }
}
