import EncryptionKeys
import ODataModel
import ODataOffline
import ODataStores
import Testing

/// The stages of a first download get their unique indexes when all pages are there.
@Suite("Entities that a first download receives several times")
struct RepeatedRowTests {
    private let service: ShopService

    init() async throws { service = try await ShopService() }

    /// Pages of a query, each with a link to the next one.
    private func respond(_ set: String, _ pages: [String], context: String? = nil) {
        for (number, values) in pages.enumerated() {
            let more = #","@odata.nextLink":"http://service.test/\#(set)?$skiptoken=\#(number + 1)""#
            let body = """
                {"@odata.context":"http://service.test/$metadata#\(context ?? set)","value":[\(values)]\
                \(number + 1 < pages.count ? more : "")}
                """
            service.responses.set(number == 0 ? "/\(set)" : "/\(set)?$skiptoken=\(number)", body)
        }
    }

    private static func order(_ id: Int, _ note: String, more: String = "") -> String {
        #"{"ID":\#(id),"Note":"\#(note)","Rank":1,"ModifiedAt":null\#(more)}"#
    }

    private static func item(_ id: Int, of order: Int, _ quantity: Int) -> String {
        #"{"ID":\#(id),"OrderID":\#(order),"Quantity":\#(quantity)}"#
    }

    @Test(
        "The first place counts, with the last values: within a page, over pages, many times",
        arguments: [
            [[1, 2, 1]], [[1, 2], [2, 3], [1]], [[1], [1], [1], [1]], [[2, 1, 3], [3, 2], [1, 2, 3, 4]],
            [[1, 2], [3]],
        ])
    func rows(pages: [[Int]]) async throws {
        var number = 0
        let rows = pages.map { page in
            page.map { id in
                number += 1
                return Self.order(id, "version \(number)")
            }.joined(separator: ",")
        }
        respond("Orders", rows)
        let device = try await service.device([.init(name: "orders", query: "Orders")])
        let report = try await device.refresh()
        #expect(report.entities == number && report.pages == pages.count)
        var last: [Int: Int] = [:]
        for (index, id) in pages.joined().enumerated() { last[id] = index + 1 }
        let expected = last.keys.sorted().map { "\($0) version \(last[$0] ?? 0)" }
        #expect(try await device.lines("Orders?$orderby=ID", "ID", "Note") == expected)
        // The next download finds all of them as they are.
        #expect(try await device.refresh().mode == .comparison)
        #expect(try await device.lines("Orders?$orderby=ID", "ID", "Note") == expected)
    }

    @Test("The entities that a repeated one expands all belong to it", arguments: [1, 2])
    func expanded(pageCount: Int) async throws {
        let tags = (9...10).map { #"{"ID":\#($0),"Name":"tag \#($0)"}"# }
        let first = Self.order(
            1, "first",
            more: #","Items":[\#(Self.item(11, of: 1, 1))],"Tags":[\#(tags[0])],"Remarks":[{"ID":1,"Text":"a"}]"#)
        let other = Self.order(
            2, "other",
            more: #","Items":[\#(Self.item(21, of: 2, 1))],"Tags":[\#(tags[0])],"Remarks":[{"ID":1,"Text":"c"}]"#)
        let second = Self.order(
            1, "second",
            more: """
                ,"Items":[\(Self.item(11, of: 1, 5)),\(Self.item(12, of: 1, 2))],"Tags":[\(tags[0]),\(tags[1])],
                "Remarks":[{"ID":1,"Text":"b"},{"ID":2,"Text":"d"}]
                """)
        respond("Orders", pageCount == 1 ? ["\(first),\(other),\(second)"] : ["\(first),\(other)", second])
        let device = try await service.device([.init(name: "orders", query: "Orders?$expand=Items,Tags,Remarks")])
        try await device.store.download()
        #expect(try await device.lines("Orders?$orderby=ID", "ID", "Note") == ["1 second", "2 other"])
        #expect(try await device.lines("Items?$orderby=ID", "ID", "Quantity") == ["11 5", "12 2", "21 1"])
        #expect(try await device.lines("Tags?$orderby=ID", "ID") == ["9", "10"])
        #expect(try await device.lines("Orders(1)/Tags?$orderby=ID", "ID") == ["9", "10"])
        #expect(try await device.lines("Orders(2)/Tags", "ID") == ["9"])
        #expect(try await device.lines("Tags(9)/Orders?$orderby=ID", "ID") == ["1", "2"])
        #expect(try await device.lines("Orders(1)/Remarks?$orderby=ID", "ID", "Text") == ["1 b", "2 d"])
        #expect(try await device.lines("Orders(2)/Remarks", "ID", "Text") == ["1 c"])
    }

    @Test("An entity that several others expand is one")
    func shared() async throws {
        let items = (1...6).map { number in
            let order = Self.order(number % 2 + 1, "version \(number)")
            return #"\#(Self.item(number, of: number % 2 + 1, 1).dropLast()),"Order":\#(order)}"#
        }
        respond("Items", [items[..<3].joined(separator: ","), items[3...].joined(separator: ",")])
        let device = try await service.device([.init(name: "items", query: "Items?$expand=Order")])
        try await device.store.download()
        #expect(try await device.lines("Orders?$orderby=ID", "ID", "Note") == ["1 version 6", "2 version 5"])
        #expect(try await device.lines("Items?$expand=Order&$orderby=ID", "ID").count == 6)
        #expect(try await device.lines("Orders(1)/Items?$orderby=ID", "ID") == ["2", "4", "6"])
    }

    @Test("Derived types: the last version decides about the type too")
    func derived() async throws {
        let car = ##"{"@odata.type":"#Shop.Car","ID":1,"Name":"car","Doors":5,"Stickers":[{"ID":7,"Name":"fast"}]}"##
        let vehicle = #"{"ID":1,"Name":"vehicle"}"#
        for (pages, doors) in [([car, vehicle], "-"), ([vehicle, car], "5"), (["\(vehicle),\(car)"], "5")] {
            respond("Vehicles", pages)
            let device = try await service.device([
                .init(name: "vehicles", query: "Vehicles?$expand=Shop.Car/Stickers")
            ])
            try await device.store.download()
            #expect(try await device.lines("Vehicles", "ID", "Doors") == ["1 \(doors)"])
            #expect(try await device.lines("Vehicles/Shop.Car", "ID") == (doors == "5" ? ["1"] : []))
            #expect(try await device.lines("Tags", "ID") == ["7"])
        }
    }

    @Test("Keys of text are equal where their characters are")
    func textKeys() async throws {
        respond("Things", [#"{"ID":"a"},{"ID":"A"}"#, #"{"ID":"a"},{"ID":"b"}"#])
        let device = try await service.device([.init(name: "things", query: "Things")])
        try await device.store.download()
        #expect(try await device.lines("Things", "ID").sorted() == ["A", "a", "b"])
    }

    @Test("Another query's entities are there already, and one that was made here")
    func merged() async throws {
        respond("Orders", [Self.order(1, "first"), "\(Self.order(2, "other")),\(Self.order(1, "second"))"])
        let device = try await service.device([
            .init(name: "one", query: "Orders?$filter=ID lt 9"), .init(name: "all", query: "Orders"),
        ])
        try await device.store.download(["one"])
        let path = try device.store.path("Orders")
        let payload = try await device.store.payload(#"{"ID":3,"Note":"made here"}"#, for: path)
        _ = try await device.store.change(ChangeRequest(path, .create(payload)))
        try await device.store.download(["all"])
        let expected = ["1 second", "2 other", "3 made here"]
        #expect(try await device.lines("Orders?$orderby=ID", "ID", "Note") == expected)
        try device.store.removeQuery("one")
        #expect(try await device.lines("Orders?$orderby=ID", "ID", "Note") == expected)
    }

    @Test("In an encrypted store")
    func encrypted() async throws {
        respond("Orders", [Self.order(1, "first"), "\(Self.order(2, "other")),\(Self.order(1, "second"))"])
        let folder = try TemporaryFolder()
        let store = try OfflineStore(
            folder: folder.path + "/store", remote: try service.responses.remote(over: service.tables),
            configuration: Device.configuration(), key: .random())
        try await store.open()
        try store.addQuery(.init(name: "orders", query: "Orders"))
        try await store.download()
        let notes = try await store.entities(try await store.query("Orders?$orderby=ID")).map { $0["Note"]?.lexical }
        #expect(notes == ["second", "other"])
        try store.close()
    }
}
