import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataOnline

/// Key properties that lie in complex ones, under their aliases. [OData-CSDLXML, section 6.6]
@Suite("Aliases of key properties")
struct KeyAliasTests {
    private static let metadata = """
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N">
        <EnumType Name="Day"><Member Name="Mon"/><Member Name="Tue"/></EnumType>
        <EntityType Name="Site"><Key><PropertyRef Name="Address/Code" Alias="code"/></Key>
        <Property Name="Address" Type="N.Address" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Slots" Type="Collection(N.Slot)" Partner="Site"/></EntityType>
        <EntityType Name="Depot" BaseType="N.Site"/>
        <EntityType Name="Slot"><Key><PropertyRef Name="At/Site/Code" Alias="site"/><PropertyRef Name="Number"/>
        <PropertyRef Name="At/Day" Alias="day"/></Key>
        <Property Name="At" Type="N.At" Nullable="false"/><Property Name="Number" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Site" Type="N.Site" Partner="Slots">
        <ReferentialConstraint Property="At/Site/Code" ReferencedProperty="Address/Code"/></NavigationProperty></EntityType>
        <EntityType Name="Odd"><Key><PropertyRef Name="Gone/Code" Alias="k"/></Key>
        <Property Name="ID" Type="Edm.Int32"/></EntityType>
        <ComplexType Name="At"><Property Name="Site" Type="N.Address" Nullable="false"/>
        <Property Name="Day" Type="N.Day" Nullable="false"/></ComplexType>
        <ComplexType Name="Address" BaseType="N.Coded"><Property Name="City" Type="Edm.String"/></ComplexType>
        <ComplexType Name="Coded"><Property Name="Code" Type="Edm.String" Nullable="false"/></ComplexType>
        <EntityContainer Name="C">
        <EntitySet Name="Sites" EntityType="N.Site"><NavigationPropertyBinding Path="Slots" Target="Slots"/></EntitySet>
        <EntitySet Name="Slots" EntityType="N.Slot"><NavigationPropertyBinding Path="Site" Target="Sites"/></EntitySet>
        <EntitySet Name="Odds" EntityType="N.Odd"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func shop(_ responses: ScriptedService.Response...) throws -> Shop {
        try Shop(responses, metadata: metadata)
    }

    private static let paths = [
        ("Sites(code='x/1')", "Sites('x%2F1')"), ("Sites('x')", "Sites('x')"), ("Sites/x", "Sites('x')"),
        ("Sites(code=@k)?@k='x'", "Sites('x')"), ("Sites('x')/N.Depot", "Sites('x')/N.Depot"),
        ("Slots(site='x',Number=2,day=N.Day'Tue')", "Slots(site='x',Number=2,day=N.Day'Tue')"),
        ("Slots(day='Tue',Number=2,site='x')", "Slots(site='x',Number=2,day=N.Day'Tue')"),
        ("Sites('x')/Slots(Number=2,day='Mon')", "Sites('x')/Slots(site='x',Number=2,day=N.Day'Mon')"),
    ]

    @Test("Key predicates take aliases, and what is asked has them", arguments: paths)
    func asked(path: String, expected: String) async throws {
        let shop = try Self.shop(.json("{}"))
        _ = try await shop.read(path)
        #expect(shop.service.sent.map(\.line) == ["GET http://h/root/\(expected)"])
    }

    @Test(
        "Other names, other types and missing parts are refused",
        arguments: [
            ("Sites(Code='x')", "code"), ("Sites(Address='x')", "no key property Address"),
            ("Sites(code=1)", "Edm.String"),
            ("Slots('x')", "(site=…,Number=…,day=…)"), ("Slots(site='x',Number=2)", "not complete"),
            ("Slots(site='x',site='y',Number=2,day='Mon')", "twice"), ("Odds(k=1)", "no key"), ("Odds(1)", "no key"),
        ])
    func refused(path: String, reason: String) throws {
        let shop = try Self.shop()
        #expect {
            _ = try shop.parser.query(path)
        } throws: { error in
            "\(error)".contains(reason)
        }
    }

    private static let site = #"{"Address":{"Code":"x","City":"Bern"},"Name":"Hall"}"#
    private static let slot =
        #"{"At":{"Site":{"Code":"x"},"Day":"Tue"},"Number":2,"Site":{"Address":{"Code":"y"},"Name":"Other"}}"#

    @Test("Entities have their keys, also expanded ones and those whose service tells no ids")
    func read() async throws {
        let shop = try Self.shop(
            .json(#"{"value":[\#(Self.site)]}"#), .json(#"{"value":[\#(Self.slot)]}"#),
            .json(#"{"value":[{"Name":"Hall"},{"Address":{"City":"Bern"},"Name":"Hall"}]}"#))
        let sites = try await shop.store.entities(try shop.parser.query("Sites"))
        #expect(sites.map(\.key) == [EntityKey("code", .string("x"))])
        let slots = try await shop.store.entities(try shop.parser.query("Slots?$expand=Site"))
        let day = EdmValue.enumeration(EdmQualifiedName("N.Day"), "Tue")
        #expect(
            slots.map(\.key) == [
                EntityKey([
                    .init(name: "site", value: .string("x")), .init(name: "Number", value: .integer(2)),
                    .init(name: "day", value: day),
                ])
            ])
        guard case .one(let related)? = slots.first?.expanded["Site"] else {
            return #expect(Bool(false), "not expanded")
        }
        #expect(related?.key?.urlText == "('y')")
        // What the rows do not tell is not made up.
        let partial = try await shop.store.entities(try shop.parser.query("Sites?$select=Name"))
        #expect(partial.map(\.key) == [nil, nil])
    }

    @Test("Rows know which slots their keys are in, and their keys")
    func rows() async throws {
        let shop = try Self.shop(.json(#"{"value":[\#(Self.slot)]}"#))
        let query = try shop.parser.query("Slots")
        let shape = try RowShape.shape(of: query, model: try await shop.store.model())
        #expect(shape.keySlots == [0, 1, 0])
        guard case .entities(let reader) = try await shop.read("Slots").body else {
            return #expect(Bool(false), "no entities")
        }
        var keys: [String?] = []
        while let block = try await reader.next() {
            keys += block.rows.indices.map { block.key(row: $0, shape: shape)?.urlText }
        }
        #expect(keys == ["(site='x',Number=2,day=N.Day'Tue')"])
    }

    @Test("Changes and references name entities by them")
    func changed() async throws {
        let done = ScriptedService.Response.response(204, ["OData-Version": "4.0"])
        let made = ScriptedService.Response.response(
            201, ["OData-Version": "4.0", "Content-Type": "application/json"], Self.site)
        let shop = try Self.shop(done, done, made)
        _ = try await shop.change("Sites('x')", .update(EntityPayload(["Name": .string("b")])))
        var slot = EntityPayload(["Number": .integer(3)])
        slot.bindings = [.init(navigation: "Site", references: [.path(try shop.parser.path("Sites(code='x')"))])]
        _ = try await shop.change("Slots(site='y',Number=2,day='Mon')", .update(slot))
        let result = try await shop.change("Sites", .create(EntityPayload(["Name": .string("Hall")])))
        #expect(result.entity?.key == EntityKey("code", .string("x")))
        #expect(
            shop.service.sent.prefix(2).map(\.line) == [
                "PATCH http://h/root/Sites('x')", "PATCH http://h/root/Slots(site='y',Number=2,day=N.Day'Mon')",
            ])
        #expect(shop.service.sent[1].body.contains(#"Sites('x')"#))
    }

    @Test("Types tell where the values of their keys are")
    func types() async throws {
        let model = try await Self.shop().store.model()
        let slot = try #require(model.structuredType(named: EdmQualifiedName("N.Slot")))
        #expect(slot.key == ["site", "Number", "day"])
        #expect(slot.keyPaths == [["At", "Site", "Code"], ["Number"], ["At", "Day"]])
        #expect(
            slot.keyProperties.map { "\($0.name) \($0.type)" } == ["site Edm.String", "Number Edm.Int32", "day N.Day"])
        let depot = try #require(model.structuredType(named: EdmQualifiedName("N.Depot")))
        #expect(depot.key == ["code"] && depot.keyPaths == [["Address", "Code"]])
        #expect(depot.keyProperties.map(\.name) == ["code"])
    }
}
