import Foundation
import OData
import Observation

/// A service in memory with notes and photos, and an offline store over it.
final class Yard: Sendable {
    let service: SQLiteStore
    let offline: OfflineStore
    private let folder: URL

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("yard-\(UUID().uuidString)")
        service = try SQLiteStore(model: try CSDL.read(xml: Array(Self.metadata.utf8)).model)
        try await service.load([
            StoredEntity("Notes", EntityPayload(["ID": 1, "Text": "one", "Weight": 5])),
            StoredEntity("Notes", EntityPayload(["ID": 2, "Text": "two", "Weight": 7])),
        ])
        offline = try OfflineStore(folder: folder.path, remote: service)
        try await offline.open()
        for set in ["Notes", "Photos"] { try offline.addQuery(DefiningQuery(name: set, query: set)) }
        try await offline.download()
    }

    deinit {
        try? offline.close()
        try? FileManager.default.removeItem(at: folder)
    }

    var notes: EntityCollection<DynamicEntity> { EntityCollections(offline)["Notes"].orderBy { $0["Text"] } }

    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Yard" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Note"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/>
            <Property Name="Weight" Type="Edm.Int32"/>
          </EntityType>
          <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
          </EntityType>
          <EntityContainer Name="Container"><EntitySet Name="Notes" EntityType="Yard.Note"/>
            <EntitySet Name="Photos" EntityType="Yard.Photo"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
}

/// Returns when `condition` holds of observable objects, as a view that is drawn again when they change would see it.
@MainActor
func until(_ condition: @MainActor () -> Bool) async {
    while true {
        let (changes, signal) = AsyncStream<Void>.makeStream()
        let holds = withObservationTracking(condition) { signal.finish() }
        if holds { return }
        for await _ in changes {}
    }
}
