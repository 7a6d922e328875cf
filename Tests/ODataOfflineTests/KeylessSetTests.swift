import HTTPTypes
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import ODataTesting
import Testing

@Suite("Sets whose type has no key, or one that a table cannot have")
struct KeylessSetTests {
    private static let metadata = HabitService.metadata.replacing(
        "<EntityContainer Name=\"C\">",
        with: """
            <EntityType Name="Line"><Property Name="Text" Type="Edm.String"/>
            <NavigationProperty Name="Part" Type="N.T"/></EntityType>
            <EntityType Name="Head"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <NavigationProperty Name="Lines" Type="Collection(N.Line)"/>
            <NavigationProperty Name="Own" Type="Collection(N.Line)" ContainsTarget="true"/></EntityType>
            <EntityContainer Name="C"><EntitySet Name="Lines" EntityType="N.Line"/>
            <EntitySet Name="Heads" EntityType="N.Head">
            <NavigationPropertyBinding Path="Lines" Target="Lines"/></EntitySet>
            <Singleton Name="Me" Type="N.Line"/>
            """)

    @Test(
        "Are refused by name, also where they are expanded",
        arguments: ["Lines", "Heads?$expand=Lines", "Heads?$expand=Own"])
    func refused(query: String) async throws {
        let service = try HabitService(metadata: Self.metadata) { _, _ in nil }
        let store = try await service.store([])
        #expect {
            try store.addQuery(.init(name: "q", query: query))
        } throws: { error in
            (error as? ODataError)?.code == .badRequest && "\(error)".contains("N.Line has no key")
                && "\(error)".contains("query q")
        }
        #expect(try await store.queries.isEmpty)
    }

    @Test("A singleton needs none")
    func singleton() async throws {
        let service = try HabitService(metadata: Self.metadata) { _, _ in
            .init(body: #"{"@odata.context":"$metadata#Me","Text":"a"}"#)
        }
        let store = try await service.store([.init(name: "me", query: "Me")])
        try await store.download()
        #expect(try await store.entities(try await store.query("Me")).map { $0["Text"] } == [.string("a")])
    }

    private static let nested = HabitService.metadata.replacing(
        "<EntityContainer Name=\"C\">",
        with: """
            <EntityType Name="Site"><Key><PropertyRef Name="At/Code" Alias="code"/></Key>
            <Property Name="At" Type="N.At" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
            <ComplexType Name="At"><Property Name="Code" Type="Edm.String" Nullable="false"/></ComplexType>
            <EntityType Name="Head"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <NavigationProperty Name="Sites" Type="Collection(N.Site)"/>
            <NavigationProperty Name="Own" Type="Collection(N.Site)" ContainsTarget="true"/></EntityType>
            <EntityType Name="Tail"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <NavigationProperty Name="Site" Type="N.Site"/></EntityType>
            <EntityContainer Name="C"><EntitySet Name="Sites" EntityType="N.Site"/>
            <EntitySet Name="Heads" EntityType="N.Head">
            <NavigationPropertyBinding Path="Sites" Target="Sites"/></EntitySet>
            <EntitySet Name="Tails" EntityType="N.Tail">
            <NavigationPropertyBinding Path="Site" Target="Sites"/></EntitySet>
            <Singleton Name="Me" Type="N.Site"/>
            """)

    private static func names(_ error: any Error) -> Bool {
        (error as? ODataError)?.code == .notImplemented && "\(error)".contains("N.Site")
            && "\(error)".contains("code (At/Code)")
    }

    @Test(
        "A key in a complex property is refused by name, also where it is expanded or contained",
        arguments: ["Sites", "Me", "Sites?$select=Name", "Heads", "Heads?$expand=Sites", "Tails?$expand=Site"])
    func nestedKey(query: String) async throws {
        let service = try HabitService(metadata: Self.nested) { _, _ in nil }
        let store = try await service.store([])
        #expect {
            try store.addQuery(.init(name: "q", query: query))
        } throws: {
            Self.names($0)
        }
        #expect(try await store.queries.isEmpty)
    }

    @Test("Entities with such a key are neither read nor made on the device; the others of the service are")
    func nestedKeyHere() async throws {
        let service = try HabitService(metadata: Self.nested) { _, _ in .init(body: #"{"value":[{"ID":1}]}"#) }
        let store = try await service.store([.init(name: "q", query: "Tails")])
        try await store.download()
        #expect(try await store.entities(try await store.query("Tails")).map { $0["ID"] } == [.integer(1)])
        for url in ["Sites", "Sites('x')", "Sites(code='x')", "Tails?$expand=Site"] {
            let query = try await store.query(url)
            await #expect {
                _ = try await store.entities(query)
            } throws: {
                Self.names($0)
            }
        }
        let made = ChangeRequest(
            try await store.query("Sites").path,
            .create(EntityPayload(["At": .complex(["Code": .string("x")])])))
        await #expect {
            _ = try await store.change(made)
        } throws: {
            Self.names($0)
        }
    }
}
