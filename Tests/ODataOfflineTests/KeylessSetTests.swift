import HTTPTypes
import ODataOffline
import ODataStores
import ODataTesting
import Testing

@Suite("Sets whose type has no key")
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
        #expect(try store.queries.isEmpty)
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
}
