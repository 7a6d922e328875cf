import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import ODataTesting
import Testing

@Suite("Sets that the metadata restrict")
struct RestrictedSetTests {
    private static let changes: [(String, ChangeRequest.Operation)] = [
        ("T", .create(EntityPayload(["ID": .integer(9)]))),
        ("T(1)", .update(EntityPayload(["D": .double(1)]))),
        ("T(1)", .replace(EntityPayload(["D": .double(1)]))),
        ("T(1)/D", .setValue(.double(1))),
        ("T(1)", .delete),
    ]

    /// The metadata of `HabitService` whose set T has these annotations.
    private static func metadata(_ annotations: String) -> String {
        HabitService.metadata.replacing(
            #"<EntitySet Name="T" EntityType="N.T">"#,
            with: #"<EntitySet Name="T" EntityType="N.T">\#(annotations)"#)
    }

    private static func restriction(_ term: String, _ member: String, _ value: String) -> String {
        """
        <Annotation Term="Org.OData.Capabilities.V1.\(term)Restrictions"><Record>
        <PropertyValue Property="\(member)" \(value)/></Record></Annotation>
        """
    }

    private static func store(_ metadata: String) async throws -> (HabitService, OfflineStore) {
        let service = try HabitService(metadata: metadata) { _, _ in nil }
        let store = try await service.store([.init(name: "t", query: "T")])
        try await store.download()
        return (service, store)
    }

    @Test("Their changes are refused before they are queued", arguments: changes.indices)
    func refused(position: Int) async throws {
        let none =
            Self.restriction("Insert", "Insertable", #"Bool="false""#)
            + Self.restriction("Update", "Updatable", #"Bool="false""#)
            + Self.restriction("Delete", "Deletable", #"Bool="false""#)
        let (service, store) = try await Self.store(Self.metadata(none))
        let (path, operation) = Self.changes[position]
        let change = ChangeRequest(try store.path(path), operation)
        await #expect {
            _ = try await store.change(change)
        } throws: { error in
            (error as? ODataError)?.code == .methodNotAllowed && "\(error)".contains("Entities of T cannot be ")
        }
        #expect(try await store.queueEntries().isEmpty)
        let rows = try await store.entities(try await store.query("T"))
        #expect(rows.map { $0["D"] } == [.double(0.5), .double(0.5)])
        withExtendedLifetime(service) {}
    }

    @Test(
        "Only what is restricted is refused, and only by a constant",
        arguments: [
            (restriction("Insert", "Insertable", #"Bool="false""#), 4),
            (restriction("Update", "Updatable", #"Bool="false""#), 2),
            (restriction("Delete", "Deletable", #"Bool="false""#), 4),
            (restriction("Insert", "Insertable", #"Bool="true""#), 5),
            (restriction("Update", "Updatable", #"Path="D""#), 5),
        ])
    func others(annotation: String, accepted: Int) async throws {
        var count = 0
        for (path, operation) in Self.changes {
            let (service, store) = try await Self.store(Self.metadata(annotation))
            do {
                _ = try await store.change(ChangeRequest(try store.path(path), operation))
                count += 1
            } catch let error as ODataError { #expect(error.code == .methodNotAllowed) }
            withExtendedLifetime(service) {}
        }
        #expect(count == accepted)
    }

    @Test("SAP's attributes, which services that accept changes write too, refuse nothing")
    func sap() async throws {
        let service = try HabitService(
            metadata: """
                <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"
                xmlns:sap="http://www.sap.com/Protocols/SAPData"
                xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
                <edmx:DataServices m:DataServiceVersion="2.0">
                <Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
                <EntityType Name="T"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
                <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
                <EntitySet Name="T" EntityType="N.T" sap:creatable="false" sap:updatable="false"/></EntityContainer>
                </Schema></edmx:DataServices></edmx:Edmx>
                """
        ) { _, _ in nil }
        let store = try await service.store([.init(name: "t", query: "T")])
        _ = try await store.change(
            ChangeRequest(try store.path("T"), .create(EntityPayload(["ID": .integer(9)]))))
        #expect(try await store.queueEntries().count == 1)
        withExtendedLifetime(service) {}
    }
}
