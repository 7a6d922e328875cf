import Foundation
import OData
import ODataTesting
import Testing

/// Text in payloads where a store knows that the property is of another type.
@Suite("Text in payloads")
struct PayloadTextTests {
    private static let guid = "01234567-89ab-cdef-0123-456789abcdef"

    private func shop(_ kind: StoreKind) async throws -> Shop {
        try await Shop(kind, metadata: Self.metadata, entities: [], sets: ["Visits"])
    }

    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EnumType Name="Color"><Member Name="Red" Value="0"/><Member Name="Blue" Value="1"/></EnumType>
          <ComplexType Name="Span"><Property Name="From" Type="Edm.DateTimeOffset"/></ComplexType>
          <EntityType Name="Visit"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Guid" Nullable="false"/>
            <Property Name="Name" Type="Edm.String"/>
            <Property Name="At" Type="Edm.DateTimeOffset"/>
            <Property Name="Day" Type="Edm.Date"/>
            <Property Name="Time" Type="Edm.TimeOfDay"/>
            <Property Name="Length" Type="Edm.Duration"/>
            <Property Name="Price" Type="Edm.Decimal" Scale="variable"/>
            <Property Name="Color" Type="Shop.Color"/>
            <Property Name="Span" Type="Shop.Span"/>
            <Property Name="Days" Type="Collection(Edm.Date)" Nullable="false"/>
          </EntityType>
          <EntityContainer Name="Container"><EntitySet Name="Visits" EntityType="Shop.Visit"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test("It is read as a value of the property's type", arguments: StoreKind.allCases)
    func isRead(kind: StoreKind) async throws {
        let shop = try await shop(kind)
        defer { withExtendedLifetime(shop) {} }
        let visits = shop.collections["Visits"]
        try await visits.create(
            DynamicEntity([
                "ID": .init(try EdmGuid(parsing: Self.guid)), "Name": "2024-02-29", "At": "2024-02-29T12:00:00+01:00",
                "Day": "2024-02-29", "Time": "07:59", "Length": "PT90M", "Price": 9.99, "Color": "Blue",
                "Span": ["From": "2024-01-01T00:00:00Z"], "Days": ["2024-01-01", "2024-01-02"],
            ]))
        let visit = try #require(try await visits.findAll().first)
        #expect(visit["ID"] == .guid(try EdmGuid(parsing: Self.guid)) && visit["Name"] == .string("2024-02-29"))
        #expect(visit["At"] == .dateTimeOffset(try EdmDateTimeOffset(parsing: "2024-02-29T12:00:00+01:00")))
        #expect(visit["Day"] == .date(try EdmDate(parsing: "2024-02-29")))
        #expect(visit["Time"] == .timeOfDay(try EdmTimeOfDay(parsing: "07:59")))
        #expect(visit["Length"] == .duration(EdmDuration(seconds: 5400)))
        #expect(visit["Price"] == .decimal(try EdmDecimal(parsing: "9.99")))
        #expect(visit["Color"] == .enumeration(EdmQualifiedName("Shop.Color"), "Blue"))
        let start = try EdmDateTimeOffset(parsing: "2024-01-01T00:00:00Z")
        #expect(visit["Span"] == .complex(["From": .dateTimeOffset(start)]))
        let days = [try EdmDate(parsing: "2024-01-01"), try EdmDate(parsing: "2024-01-02")]
        #expect(visit["Days"] == .collection(days.map(EdmValue.date)))
    }

    @Test("Services of V2 get their own forms", arguments: StoreKind.v2Stores)
    func legacy(kind: StoreKind) async throws {
        let shop = try await shop(kind)
        defer { withExtendedLifetime(shop) {} }
        let visits = shop.collections["Visits"]
        try await visits.create(
            DynamicEntity([
                "ID": .init(try EdmGuid(parsing: Self.guid)), "At": "2024-02-29T12:00:00Z", "Time": "07:59:00",
                "Days": [],
            ]))
        let visit = try #require(try await visits.findAll().first)
        let instant = try EdmDateTimeOffset(parsing: "2024-02-29T12:00:00Z")
        #expect(visit["At"] == .dateTimeOffset(instant))
        #expect(visit["Time"] == .timeOfDay(try EdmTimeOfDay(parsing: "07:59")))
    }

    @Test(
        "What is no value of the type is refused by name, and nothing is stored", arguments: StoreKind.allCases,
        [
            ("ID", "0123"), ("At", "2024-02-29"), ("Day", "29.2.2024"), ("Time", "8 am"), ("Length", "90"),
            ("Color", "Green"), ("Price", "9.99 EUR"),
        ])
    func refused(kind: StoreKind, value: (property: String, text: String)) async throws {
        let shop = try await shop(kind)
        defer { withExtendedLifetime(shop) {} }
        let visits = shop.collections["Visits"]
        var properties: EdmComplexValue = ["ID": .init(try EdmGuid(parsing: Self.guid)), "Days": []]
        properties[value.property] = .string(value.text)
        let error = await #expect(throws: ODataError.self) { try await visits.create(DynamicEntity(properties)) }
        #expect(error?.code == .badRequest && error?.message.contains(value.property) == true)
        #expect(try await visits.count() == 0)
    }

    @Test("Values of Foundation stand in payloads and conditions")
    func foundation() async throws {
        let shop = try await shop(.offline)
        defer { withExtendedLifetime(shop) {} }
        let visits = shop.collections["Visits"]
        let (id, date) = (UUID(), Date(timeIntervalSince1970: 1_700_000_000.25))
        let price = try #require(Decimal(string: "12.30"))
        try await visits.create(
            DynamicEntity([
                "ID": EdmValue(id), "At": EdmValue(date), "Price": EdmValue(price),
                "Length": EdmValue(Duration.seconds(90)),
                "Name": EdmValue(URL(string: "https://example.org/a")), "Days": [], "Day": EdmValue(Date?.none),
            ]))
        let visit = try #require(try await visits.findAll().first)
        #expect(visit["ID"] == .guid(EdmGuid(id)) && visit["At"] == .dateTimeOffset(EdmDateTimeOffset(date)))
        #expect(visit["Length"] == .duration(EdmDuration(seconds: 90)) && visit["Day"] == .null)
        #expect(visit["Name"] == "https://example.org/a")
        #expect(EdmValue(Decimal.nan) == .null)
        let count = try await visits.where {
            $0["Price"].as(EdmDecimal.self) == price && $0["ID"].as(EdmGuid.self) == id
                && $0["At"].as(EdmDateTimeOffset.self) <= date && $0["Price"].as(EdmDecimal.self) < price + 1
        }.count()
        #expect(count == 1)
        let none = try await visits.where { $0["Price"].as(EdmDecimal.self) > Decimal.nan }.count()
        let all = try await visits.where { $0["Price"].as(EdmDecimal.self) != Decimal.nan }.count()
        #expect(none == 0 && all == 1)
    }

    @Test("Now and today")
    func now() {
        let before = Date.now
        let now = Date(EdmDateTimeOffset.now)
        #expect(now.timeIntervalSince(before) > -0.001 && Date.now.timeIntervalSince(now) > -0.001)
        let day = EdmDate.today(in: .gmt)
        #expect([EdmDate(before, in: .gmt), EdmDate(Date.now, in: .gmt)].contains(day))
    }
}
