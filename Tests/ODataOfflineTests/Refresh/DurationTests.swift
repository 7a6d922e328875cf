import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import ODataTesting
import Testing

@Suite("Durations and times of V2 services")
struct DurationTests {
    private static let queries = [DefiningQuery(name: "products", query: "Products")]

    private static func device(
        _ sample: ComplianceSample, _ responses: FixedResponses = FixedResponses(), usesAtom: Bool
    ) async throws -> ShopDevice {
        try await ShopDevice(queries, remote: responses.remote(over: sample.tables, version: "v2", usesAtom: usesAtom))
        {
            _ in
        }
    }

    @Test("Durations come as text, whatever their length and sign, and are found by it", arguments: [true, false])
    func download(usesAtom: Bool) async throws {
        let device = try await Self.device(ComplianceSample.make(), usesAtom: usesAtom)
        try await device.store.download()
        #expect(
            try await device.lines(
                "Products?$filter=ShippingTime ne null&$orderby=ReleaseDate", "ShippingTime", "Offset", "OpenTime")
                == ["P2D PT0S 00:00:00", "P1D PT0S 09:30:00", "PT2H -P1D 08:15:00", "P1DT2H30M PT0S 23:59:59"])
        #expect(try await device.lines("Products?$filter=Offset eq '-P1D'", "ShippingTime") == ["PT2H"])
    }

    @Test("Durations are created and changed through V2", arguments: [true, false])
    func changes(usesAtom: Bool) async throws {
        let sample = try await ComplianceSample.make()
        let device = try await Self.device(sample, usesAtom: usesAtom)
        let store = device.store
        try await store.download()
        let products = try store.path("Products")
        let body = #"{"Name":"Long","Price":1,"Status":"1","Version":1,"ShippingTime":"P40DT1H","Offset":"-PT36H"}"#
        _ = try await store.change(ChangeRequest(products, .create(try await store.payload(body, for: products))))
        let old = try #require(try await device.entities("Products?$filter=Offset eq '-P1D'").first?.id)
        let path = try store.path(old)
        let change = try await store.payload(#"{"ShippingTime":"P3D"}"#, for: path)
        _ = try await store.change(ChangeRequest(path, .update(change)))
        let report = try await store.upload()
        #expect(report.isComplete, "\(report)")
        let found = try await sample.tables.entities(
            try QueryParser(model: try await sample.tables.model())
                .query("Products?$filter=Offset lt duration'PT0S'&$orderby=ShippingTime"))
        #expect(found.map { $0["ShippingTime"]?.lexical } == ["P3D", "P40DT1H"])
        #expect(found.map { $0["Offset"]?.lexical } == ["-P1D", "-P1DT12H"])
        try await store.download()
        #expect(try await device.lines("Products?$filter=ShippingTime eq 'P40DT1H'", "Offset") == ["-P1DT12H"])
    }

    private static func product(_ time: String, usesAtom: Bool) -> TransportFault {
        let id = "00000000-0000-0000-0000-000000000001"
        guard usesAtom else {
            return .body(
                Array(#"{"d":{"results":[{"ID":"\#(id)","Name":"Late","OpenTime":"\#(time)"}]}}"#.utf8),
                contentType: "application/json")
        }
        let feed = """
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices"
            xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><entry>
            <id>http://service.test/v2/Products(guid'\(id)')</id><content type="application/xml"><m:properties>
            <d:ID m:type="Edm.Guid">\(id)</d:ID><d:Name>Late</d:Name><d:OpenTime m:type="Edm.Time">\(time)</d:OpenTime>
            </m:properties></content></entry></feed>
            """
        return .body(Array(feed.utf8), contentType: "application/atom+xml")
    }

    @Test("The end of the day is read as its last second, longer times are refused by name", arguments: [true, false])
    func times(usesAtom: Bool) async throws {
        let responses = FixedResponses()
        let device = try await Self.device(ComplianceSample.make(), responses, usesAtom: usesAtom)
        for (time, found) in [("PT24H00M00S", "23:59:59"), ("PT13H20M", "13:20:00"), ("P1D", "23:59:59")] {
            responses.set("/v2/Products", Self.product(time, usesAtom: usesAtom))
            try await device.store.download()
            #expect(try await device.lines("Products", "Name", "OpenTime") == ["Late \(found)"])
        }
        for time in ["PT36H", "-PT1H"] {
            responses.set("/v2/Products", Self.product(time, usesAtom: usesAtom))
            await #expect { try await device.store.download() } throws: { error in
                "\(error)".contains("“\(time)” is not within one day; a query whose $select leaves OpenTime out")
            }
        }
        #expect(try await device.lines("Products", "Name", "OpenTime") == ["Late 23:59:59"])
    }
}
