import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

/// Parties with a boss of their own type, and addresses of two types.
private enum PartyService {
    static let schema = """
        <ComplexType Name="Address"><Property Name="City" Type="Edm.String"/></ComplexType>
        <ComplexType Name="Detailed" BaseType="NS.Address"><Property Name="Floor" Type="Edm.Int32"/></ComplexType>
        <EntityType Name="Party"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
          <Property Name="Address" Type="NS.Address"/>
          <Property Name="Places" Type="Collection(NS.Address)" Nullable="false"/></EntityType>
        <EntityType Name="Person" BaseType="NS.Party"><Property Name="BossID" Type="Edm.Int32"/>
          <NavigationProperty Name="Boss" Type="NS.Person" Partner="Team">
            <ReferentialConstraint Property="BossID" ReferencedProperty="ID"/></NavigationProperty>
          <NavigationProperty Name="Team" Type="Collection(NS.Person)" Partner="Boss"/>
          <NavigationProperty Name="Client" Type="NS.Party"/></EntityType>
        <EntityType Name="Firm" BaseType="NS.Party"><Property Name="BossID" Type="Edm.Int32"/>
          <NavigationProperty Name="Boss" Type="NS.Firm">
            <ReferentialConstraint Property="BossID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Parties" EntityType="NS.Party">
          <NavigationPropertyBinding Path="NS.Person/Boss" Target="Parties"/>
          <NavigationPropertyBinding Path="NS.Person/Team" Target="Parties"/>
          <NavigationPropertyBinding Path="NS.Person/Client" Target="Parties"/>
          <NavigationPropertyBinding Path="NS.Firm/Boss" Target="Parties"/></EntitySet></EntityContainer>
        """

    private static let entities = [
        ##"{"@type":"#NS.Person","ID":1,"Name":"Ann","Address":{"@type":"#NS.Detailed","City":"Rome","Floor":3}}"##,
        ##"{"@type":"#NS.Person","ID":2,"Name":"Bob","BossID":1,"Address":{"City":"Bonn"}}"##,
        ##"{"@type":"#NS.Person","ID":3,"Name":"Cid","BossID":2,"Places":[{"City":"Kiel"},{"@type":"#NS.Detailed","Floor":7}]}"##,
        ##"{"@type":"#NS.Firm","ID":11,"Name":"ACME","Address":{"@type":"#NS.Detailed","City":"Oslo","Floor":1}}"##,
        ##"{"@type":"#NS.Firm","ID":12,"Name":"Bolt","BossID":11,"Address":{"City":"Bonn"}}"##,
        ##"{"@type":"#NS.Person","ID":4,"Name":"Dan","BossID":3,"Client@bind":"Parties(12)"}"##,
    ]

    static func made() async throws -> ModelService {
        let service = try ModelService(schema: schema)
        for entity in entities { try await service.create("Parties", entity) }
        return service
    }
}

@Suite("Casts of entities and of complex values in paths")
struct CastPathTests {
    private static let queries = ["Parties?$expand=NS.Person/Boss,NS.Person/Client,NS.Firm/Boss"]

    private static let reads: [(url: String, names: [String])] = [
        ("Parties?$filter=Address/NS.Detailed/City eq 'Rome'", ["Ann"]),
        ("Parties?$filter=NS.Person/Address/NS.Detailed/City eq 'Rome'", ["Ann"]),
        ("Parties?$filter=NS.Firm/Address/NS.Detailed/City eq 'Rome'", []),
        ("Parties?$filter=Address/NS.Detailed/City eq 'Bonn'", []),
        ("Parties?$filter=Address/City eq 'Bonn'", ["Bob", "Bolt"]),
        ("Parties?$filter=NS.Firm/Address/City eq 'Bonn'", ["Bolt"]),
        ("Parties?$filter=Address/NS.Detailed/Floor gt 0", ["Ann", "ACME"]),
        ("Parties/NS.Firm?$filter=Address/NS.Detailed/Floor gt 0", ["ACME"]),
        ("Parties?$filter=NS.Person/Boss/Address/NS.Detailed/City eq 'Rome'", ["Bob"]),
        ("Parties?$filter=NS.Firm/Boss/Address/NS.Detailed/Floor eq 1", ["Bolt"]),
        ("Parties?$filter=NS.Person/Boss/Boss/Name eq 'Ann'", ["Cid"]),
        ("Parties?$filter=NS.Person/Client/NS.Firm/Boss/Name eq 'ACME'", ["Dan"]),
        ("Parties?$filter=NS.Person/Client/NS.Person/Boss/Name eq 'ACME'", []),
        ("Parties?$filter=Places/any(p:p/NS.Detailed/Floor eq 7)", ["Cid"]),
        ("Parties?$filter=NS.Person/Places/NS.Detailed/any(p:p/Floor eq 7)", ["Cid"]),
        ("Parties?$filter=NS.Firm/Places/any(p:p/City eq 'Kiel')", []),
        ("Parties?$filter=NS.Person/Team/any(t:t/Address/City eq 'Bonn')", ["Ann"]),
        (
            "Parties?$orderby=NS.Person/Address/NS.Detailed/Floor desc,NS.Firm/Address/NS.Detailed/Floor desc,ID desc&$top=3",
            [
                "Ann", "ACME", "Bolt",
            ]
        ),
        ("Parties?$orderby=NS.Firm/Boss/Name desc,NS.Person/Boss/Name desc&$top=4", ["Bolt", "Dan", "Cid", "Bob"]),
        ("Parties(4)/NS.Person/Boss/Boss/Boss", ["Ann"]), ("Parties(4)/NS.Person/Client/NS.Firm/Boss", ["ACME"]),
        ("Parties(1)/NS.Person/Team", ["Bob"]), ("Parties(11)/NS.Person/Boss", []),
    ]

    @Test("Choose the entities and values of the type", arguments: StorePlace.allCases)
    func read(_ place: StorePlace) async throws {
        let service = try await PartyService.made()
        let (device, folder) = try await service.device(Self.queries)
        defer { withExtendedLifetime(folder) {} }
        for (url, names) in Self.reads {
            #expect(try await service.names(url, on: place.store(service, device)) == names, "\(url)")
        }
    }

    private static let values: [(url: String, value: EdmValue?)] = [
        ("Parties(1)/Address/NS.Detailed/City", .string("Rome")),
        ("Parties(1)/NS.Person/Address/NS.Detailed/City", .string("Rome")),
        ("Parties(1)/NS.Person/Address/NS.Detailed/Floor", .integer(3)),
        ("Parties(2)/NS.Person/Address/NS.Detailed/City", nil), ("Parties(2)/NS.Firm/Address/City", nil),
        ("Parties(4)/NS.Person/Client/Address/City", .string("Bonn")),
        ("Parties(4)/NS.Person/Client/NS.Firm/Boss/Address/NS.Detailed/City", .string("Oslo")),
    ]

    @Test("Lead to a value, or to none where the type is another one", arguments: StorePlace.allCases)
    func value(_ place: StorePlace) async throws {
        let service = try await PartyService.made()
        let (device, folder) = try await service.device(Self.queries)
        defer { withExtendedLifetime(folder) {} }
        for (url, value) in Self.values {
            let found = try await Self.value(url, service, place.store(service, device))
            #expect(found == value, "\(url)")
        }
    }

    private static func value(_ url: String, _ service: ModelService, _ store: any ODataStore) async throws -> EdmValue?
    {
        do {
            let result = try await store.read(ReadRequest(try service.parser.query(url)))
            if case .value(let value, _) = result.body { return value.isNull ? nil : value }
            return nil
        } catch let error as ODataError where error.code == .notFound { return nil }
    }

    /// The names along `Boss` from each entity.
    private static let levels: [(url: String, chains: [String])] = [
        (
            "Parties?$expand=NS.Person/Boss($levels=2)",
            ["Ann", "Bob<Ann", "Cid<Bob<Ann", "Dan<Cid<Bob", "ACME", "Bolt"]
        ),
        (
            "Parties?$expand=NS.Person/Boss($levels=max)",
            [
                "Ann", "Bob<Ann", "Cid<Bob<Ann", "Dan<Cid<Bob<Ann", "ACME", "Bolt",
            ]
        ),
        (
            "Parties?$expand=NS.Firm/Boss($levels=max),NS.Person/Boss($levels=1)",
            [
                "Ann", "Bob<Ann", "Cid<Bob", "Dan<Cid", "ACME", "Bolt<ACME",
            ]
        ),
        (
            "Parties/NS.Person?$expand=Boss($levels=3;$select=Name)",
            ["Ann", "Bob<Ann", "Cid<Bob<Ann", "Dan<Cid<Bob<Ann"]
        ),
        ("Parties(4)/NS.Person?$expand=Boss($levels=2)", ["Dan<Cid<Bob"]),
        ("Parties?$expand=NS.Person/Boss($expand=NS.Person/Boss($levels=max))&$filter=ID eq 4", ["Dan<Cid<Bob<Ann"]),
    ]

    @Test("Expand the levels of the type's own property", arguments: StorePlace.allCases)
    func levels(_ place: StorePlace) async throws {
        let service = try await PartyService.made()
        let (device, folder) = try await service.device(Self.queries)
        defer { withExtendedLifetime(folder) {} }
        func chain(_ entity: EdmEntity) -> String {
            let name = (entity["Name"] ?? .null).lexical
            guard case .one(let boss?)? = entity.expanded["Boss"] else { return name }
            return "\(name)<\(chain(boss))"
        }
        for (url, chains) in Self.levels {
            let entities = try await place.store(service, device).entities(try service.parser.query(url))
            #expect(entities.map(chain) == chains, "\(url)")
        }
    }

    @Test("Changes behind casts reach the entity, and the service", arguments: StorePlace.allCases)
    func changes(_ place: StorePlace) async throws {
        let service = try await PartyService.made()
        let (device, folder) = try await service.device(Self.queries)
        defer { withExtendedLifetime(folder) {} }
        let store = place.store(service, device)
        try await service.request(
            "Parties(2)/NS.Person", ##"{"Address":{"@type":"#NS.Detailed","City":"Jena","Floor":9},"BossID":null}"##,
            on: store, creates: false)
        try await service.request("Parties(12)/NS.Firm", #"{"Boss@bind":null}"#, on: store, creates: false)
        try await service.request("Parties(11)", #"{"Address":{"City":"Bern"}}"#, on: store, creates: false)
        let expected: [(url: String, names: [String])] = [
            ("Parties?$filter=NS.Person/Address/NS.Detailed/Floor eq 9", ["Bob"]),
            ("Parties?$filter=NS.Firm/Address/NS.Detailed/City eq 'Bern'", ["ACME"]),
            ("Parties?$filter=NS.Firm/Boss/ID gt 0", []), ("Parties?$filter=NS.Person/Boss/ID gt 0", ["Cid", "Dan"]),
        ]
        for (url, names) in expected { #expect(try await service.names(url, on: store) == names, "\(url)") }
        guard place == .device else { return }
        #expect(try await device.upload().isComplete)
        for (url, names) in expected { #expect(try await service.names(url, on: service.tables) == names, "\(url)") }
    }
}

@Suite("Navigation properties in complex ones")
struct ComplexNavigationTests {
    private static let schema = """
        <EntityType Name="Country"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <ComplexType Name="Address"><Property Name="City" Type="Edm.String"/>
          <NavigationProperty Name="Country" Type="NS.Country"/></ComplexType>
        <ComplexType Name="Abroad" BaseType="NS.Address"><NavigationProperty Name="Seat" Type="NS.Country"/></ComplexType>
        <EntityType Name="Party"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Address" Type="NS.Address"/></EntityType>
        <EntityType Name="Firm" BaseType="NS.Party"/>
        <EntityContainer Name="C"><EntitySet Name="Parties" EntityType="NS.Party">
            <NavigationPropertyBinding Path="Address/Country" Target="Countries"/>
            <NavigationPropertyBinding Path="NS.Firm/Address/NS.Abroad/Seat" Target="Others"/></EntitySet>
          <EntitySet Name="Countries" EntityType="NS.Country"/><EntitySet Name="Others" EntityType="NS.Country"/>
        </EntityContainer>
        """

    @Test(
        "Are refused by their paths where tables are read, and the other properties are not",
        arguments: [
            ("Parties(1)/Address/Country", "Parties/Address/Country"),
            ("Parties?$filter=Address/Country/ID eq 1", "Parties/Address/Country"),
            ("Parties?$expand=Address/Country", "Parties/Address/Country"),
            ("Parties?$orderby=Address/Country/Name", "Parties/Address/Country"),
            ("Parties?$expand=NS.Firm/Address/NS.Abroad/Seat", "Parties/Address/Seat"),
        ])
    func refused(url: String, name: String) async throws {
        let service = try ModelService(schema: Self.schema)
        try await service.create(
            "Parties", ##"{"@type":"#NS.Firm","ID":1,"Address":{"@type":"#NS.Abroad","City":"Rome"}}"##)
        let (device, folder) = try await service.device(["Parties", "Countries"])
        defer { withExtendedLifetime(folder) {} }
        for place in StorePlace.allCases {
            let store = place.store(service, device)
            let error = await #expect(throws: ODataError.self, "\(place)") {
                try await store.entities(try service.parser.query(url))
            }
            #expect(error?.code == .notImplemented, "\(place)")
            #expect(
                error?.message.contains("no table for the navigation property \(name)") == true,
                "\(place): \(error?.message ?? "")")
            #expect(
                try await service.names("Parties?$filter=NS.Firm/Address/NS.Abroad/City eq 'Rome'", on: store) == ["1"])
        }
    }
}
