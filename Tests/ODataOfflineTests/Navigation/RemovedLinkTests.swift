import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

@Suite("Links of single-valued navigation properties that updates remove")
struct RemovedLinkTests {
    private static let schema = """
        <EntityType Name="Cat"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
          <Property Name="GroupID" Type="Edm.Int32"/>
          <NavigationProperty Name="Cat" Type="NS.Cat"/><NavigationProperty Name="Other" Type="NS.Cat"/>
          <NavigationProperty Name="Cats" Type="Collection(NS.Cat)"/>
          <NavigationProperty Name="Group" Type="NS.Cat">
            <ReferentialConstraint Property="GroupID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityContainer Name="C">
          <EntitySet Name="Items" EntityType="NS.Item">
            <NavigationPropertyBinding Path="Cat" Target="Cats"/><NavigationPropertyBinding Path="Other" Target="Cats"/>
            <NavigationPropertyBinding Path="Cats" Target="Cats"/><NavigationPropertyBinding Path="Group" Target="Cats"/>
          </EntitySet>
          <EntitySet Name="Cats" EntityType="NS.Cat"/></EntityContainer>
        """

    private static let bound = #"""
        {"ID":1,"Name":"item","Cat@odata.bind":"Cats(1)","Other@odata.bind":"Cats(1)","Group@odata.bind":"Cats(1)",
        "Cats@odata.bind":["Cats(1)","Cats(2)"]}
        """#

    private func opened(
        version: String? = nil, query: String = "Items?$expand=Cat,Other,Group,Cats"
    ) async throws -> (service: ModelService, store: OfflineStore, folder: TemporaryFolder) {
        let service = try ModelService(schema: Self.schema, version: version)
        for (id, name) in [(1, "a"), (2, "b")] {
            try await service.create("Cats", #"{"ID":\#(id),"Name":"\#(name)"}"#)
        }
        try await service.create("Items", Self.bound)
        let (store, folder) = try await service.device([query, "Cats"])
        return (service, store, folder)
    }

    /// `a-a-` where Other and Cats lead nowhere.
    private func links(_ service: ModelService, _ store: any ODataStore, _ item: Int = 1) async throws -> String {
        var links = ""
        for name in ["Cat", "Other", "Group"] {
            links += try await service.names("Items(\(item))/\(name)", on: store).first ?? "-"
        }
        return try await links + service.names("Items(\(item))/Cats?$orderby=ID", on: store).joined()
    }

    struct Case: Sendable {
        var updates: [String]
        /// What waits then, before V4 too.
        var requests: [String]
        var links: String
    }

    private static let cases: [Case] = [
        .init(updates: [#"{"Cat@odata.bind":null}"#], requests: ["DELETE Items(1)/Cat/$ref"], links: "-aaab"),
        .init(updates: [#"{"Cat":null}"#], requests: ["DELETE Items(1)/Cat/$ref"], links: "-aaab"),
        .init(
            updates: [#"{"Cat@odata.bind":null,"Other@odata.bind":null}"#],
            requests: ["DELETE Items(1)/Cat/$ref", "DELETE Items(1)/Other/$ref"], links: "--aab"),
        .init(
            updates: [#"{"Name":"x","Cat@odata.bind":null,"Other@odata.bind":"Cats(2)"}"#],
            requests: ["PATCH Items(1)", "DELETE Items(1)/Cat/$ref"], links: "-baab"),
        // A property tells the relation.
        .init(updates: [#"{"Group@odata.bind":null}"#], requests: ["PATCH Items(1)"], links: "aa-ab"),
        .init(
            updates: [#"{"Cat@odata.bind":null}"#, #"{"Cat@odata.bind":null}"#],
            requests: ["DELETE Items(1)/Cat/$ref"], links: "-aaab"),
        .init(
            updates: [#"{"Cat@odata.bind":"Cats(2)"}"#, #"{"Cat@odata.bind":null}"#],
            requests: ["PATCH Items(1)", "DELETE Items(1)/Cat/$ref"], links: "-aaab"),
        .init(
            updates: [#"{"Cat@odata.bind":null}"#, #"{"Cat@odata.bind":"Cats(2)"}"#],
            requests: ["DELETE Items(1)/Cat/$ref", "PATCH Items(1)"], links: "baaab"),
        .init(
            updates: [#"{"Cat@odata.bind":null}"#, #"{"Name":"y"}"#, #"{"Cat@odata.bind":null}"#],
            requests: ["DELETE Items(1)/Cat/$ref", "PATCH Items(1)"], links: "-aaab"),
        // What is bound is added to a collection.
        .init(updates: [#"{"Cats@odata.bind":[]}"#], requests: ["PATCH Items(1)"], links: "aaaab"),
    ]

    @Test(
        "A request of its own removes them where no property tells the relation", arguments: cases, [nil, "v2"])
    func updates(_ wanted: Case, version: String?) async throws {
        let (service, store, folder) = try await opened(version: version)
        defer { withExtendedLifetime(folder) {} }
        for body in wanted.updates { try await service.request("Items(1)", body, on: store, creates: false) }
        #expect(try await store.queueEntries().map { "\($0.method) \($0.url)" } == wanted.requests)
        #expect(try await links(service, store) == wanted.links)
        #expect(try await store.upload().isComplete)
        #expect(try await links(service, service.tables) == wanted.links)
        for _ in 1...2 {
            try await store.download()
            #expect(try await links(service, store) == wanted.links)
        }
    }

    @Test("One that is not in the store is removed too", arguments: [nil, "v2"])
    func unknown(version: String?) async throws {
        let (service, store, folder) = try await opened(version: version, query: "Items")
        defer { withExtendedLifetime(folder) {} }
        try await service.request("Items(1)", #"{"Cat@odata.bind":null}"#, on: store, creates: false)
        #expect(try await store.upload().isComplete)
        #expect(try await links(service, service.tables) == "-aaab")
    }

    @Test("An entity that was not created yet is created without them")
    func creation() async throws {
        let (service, store, folder) = try await opened()
        defer { withExtendedLifetime(folder) {} }
        try await service.request(
            "Items", #"{"ID":2,"Cat@odata.bind":"Cats(1)","Other@odata.bind":null}"#, on: store, creates: true)
        try await service.request("Items(2)", #"{"Cat@odata.bind":null}"#, on: store, creates: false)
        #expect(try await store.queueEntries().map { "\($0.method) \($0.url)" } == ["POST Items"])
        #expect(try await store.upload().isComplete)
        #expect(try await links(service, service.tables, 2) == "---")
        #expect(try await links(service, store, 2) == "---")
    }

    @Test("An undone removal leaves the link")
    func undone() async throws {
        let (service, store, folder) = try await opened()
        defer { withExtendedLifetime(folder) {} }
        try await service.request("Items(1)", #"{"Cat@odata.bind":null,"Name":"x"}"#, on: store, creates: false)
        for entry in try await store.queueEntries().reversed() { _ = try await store.undo(.request(entry.id)) }
        #expect(try await links(service, store) == "aaaab")
        #expect(try await store.queueEntries().isEmpty)
    }
}
