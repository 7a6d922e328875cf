import ODataOffline
import ODataStores
import ODataTesting
import Testing

@Suite("Types of many columns")
struct WideTypeTests {
    /// Heads, which lead to and contain entities of a type of `count` properties, and their set.
    private static func metadata(_ count: Int) -> String {
        let properties = (1..<count).map { #"<Property Name="P\#($0)" Type="Edm.Int32"/>"# }.joined()
        return HabitService.metadata.replacing(
            "<EntityContainer Name=\"C\">",
            with: """
                <EntityType Name="Wide"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>\(properties)</EntityType>
                <EntityType Name="Head"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <NavigationProperty Name="Parts" Type="Collection(N.Wide)"/></EntityType>
                <EntityType Name="Owner"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <NavigationProperty Name="Own" Type="Collection(N.Wide)" ContainsTarget="true"/></EntityType>
                <EntityContainer Name="C"><EntitySet Name="Wides" EntityType="N.Wide"/>
                <EntitySet Name="Owners" EntityType="N.Owner"/>
                <EntitySet Name="Heads" EntityType="N.Head">
                <NavigationPropertyBinding Path="Parts" Target="Wides"/></EntitySet>
                """)
    }

    @Test(
        "That do not fit a table of SQLite are refused by name when the query is added, with the numbers",
        arguments: ["Wides", "Wides?$select=P1", "Heads?$expand=Parts", "Owners?$expand=Own", "Owners"])
    func refused(query: String) async throws {
        let service = try HabitService(metadata: Self.metadata(3_000)) { _, _ in nil }
        let store = try await service.store([])
        #expect {
            try store.addQuery(.init(name: "q", query: query))
        } throws: { error in
            (error as? ODataError)?.code == .badRequest && "\(error)".contains("N.Wide takes 30")
                && "\(error)".contains("at most 2000") && "\(error)".contains("query q")
        }
        #expect(try await store.queries.isEmpty)
        try store.addQuery(.init(name: "heads", query: "Heads"))
    }

    @Test("That fit are held")
    func held() async throws {
        let service = try HabitService(metadata: Self.metadata(1_900)) { _, _ in
            .init(body: ##"{"@odata.context":"$metadata#Wides","value":[{"ID":1,"P1899":7}]}"##)
        }
        let store = try await service.store([.init(name: "q", query: "Wides")])
        try await store.download()
        #expect(try await store.entities(try await store.query("Wides")).map { $0["P1899"] } == [.integer(7)])
    }
}
