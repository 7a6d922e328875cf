import ByteStreams
import HTTPTypes
import ODataAttachments
import ODataStores
import ODataTesting
import Testing

@Suite("Limits of attachments that the metadata tell")
struct AttachmentLimitTests {
    /// Those of ``InspectionSite``, with limits.
    private static let metadata = """
        <?xml version="1.0" encoding="utf-8"?>
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="service">
          <EntityType Name="Inspections">
            <Key><PropertyRef Name="InspectionID"/></Key>
            <Property Name="InspectionID" Type="Edm.Int64" Nullable="false"/>
            <Property Name="Title" Type="Edm.String"/>
            <Property Name="Plan" Type="Edm.Stream" MaxLength="2"/>
            <Property Name="Sketch" Type="Edm.Stream">
              <Annotation Term="Org.OData.Core.V1.AcceptableMediaTypes">
                <Collection><String>application/pdf</String></Collection>
              </Annotation>
            </Property>
            <NavigationProperty Name="Photos" Type="Collection(service.Photos)">
              <Annotation Term="Org.OData.Validation.V1.MaxItems" Int="3"/>
            </NavigationProperty>
            <NavigationProperty Name="Files" Type="Collection(service.Files)">
              <Annotation Term="Org.OData.Validation.V1.MaxItems" Int="1"/>
            </NavigationProperty>
          </EntityType>
          <EntityType Name="Photos" HasStream="true">
            <Key><PropertyRef Name="PhotoID"/></Key>
            <Property Name="PhotoID" Type="Edm.Int64" Nullable="false"/>
            <Property Name="InspectionID" Type="Edm.Int64"/>
            <Property Name="Caption" Type="Edm.String"/>
            <Annotation Term="Org.OData.Core.V1.AcceptableMediaTypes"><Collection><String>image/*</String></Collection>
            </Annotation>
            <Annotation Term="Org.OData.Validation.V1.Maximum" Int="4"/>
          </EntityType>
          <EntityType Name="Files">
            <Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Guid" Nullable="false"/>
            <Property Name="InspectionID" Type="Edm.Int64"/>
            <Property Name="filename" Type="Edm.String"/>
            <Property Name="mimeType" Type="Edm.String"/>
            <Property Name="status" Type="Edm.String"/>
            <Property Name="content" Type="Edm.Stream">
              <Annotation Term="Org.OData.Validation.V1.Maximum" String="1KB"/>
              <Annotation Term="Org.OData.Core.V1.MediaType" String="image/png"/>
            </Property>
          </EntityType>
          <EntityContainer Name="Container">
            <EntitySet Name="Inspections" EntityType="service.Inspections">
              <NavigationPropertyBinding Path="Photos" Target="Photos"/>
              <NavigationPropertyBinding Path="Files" Target="Files"/>
            </EntitySet>
            <EntitySet Name="Photos" EntityType="service.Photos"/>
            <EntitySet Name="Files" EntityType="service.Files"/>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func limited() -> FaultPlan {
        FaultPlan { attempt in
            guard attempt.request.path?.contains("$metadata") == true else { return nil }
            return .body(Array(metadata.utf8), contentType: "application/xml")
        }
    }

    /// Why an addition is refused; nil if it is not.
    private func refusal(
        of name: String, _ length: Int, _ type: String, in manager: AttachmentManager
    ) async throws -> ODataError.Code? {
        do {
            let content = ByteContent([UInt8](repeating: 7, count: length))
            try await manager.add(content, AttachmentDetails(name: name, contentType: type))
            return nil
        } catch let error as ODataError {
            return error.code
        }
    }

    @Test("Media entities: size, type and number")
    func mediaEntities() async throws {
        try await InspectionSite.open { site in
            let photos = try await site.photos(Self.limited()).manager(for: "Inspections(1)")
            try await photos.fetchAttachments()
            #expect(photos.attachments.count == 2)
            #expect(try await refusal(of: "a", 5, "image/png", in: photos) == .tooLarge)
            #expect(try await refusal(of: "a", 4, "text/plain", in: photos) == .unsupportedMediaType)
            #expect(try await refusal(of: "a", 4, "image/png", in: photos) == nil)
            #expect(try await refusal(of: "b", 4, "image/png", in: photos) == .conflict, "there are three")
            try await photos.markForDeletion(photos.attachments[0].id)
            #expect(try await refusal(of: "b", 4, "image/png", in: photos) == nil)
            #expect(try await photos.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try site.served().count == 3)
        }
    }

    @Test("Where there may be no more, what is marked for deletion makes room for what was added before")
    func room() async throws {
        try await InspectionSite.open { site in
            let photos = try await site.photos(Self.limited()).manager(for: "Inspections(1)")
            #expect(try await refusal(of: "a", 4, "image/png", in: photos) == nil)
            #expect(try await refusal(of: "b", 4, "image/png", in: photos) == nil)
            try await photos.fetchAttachments()
            #expect(photos.attachments.map(\.name) == ["a", "b", "gauge", "valve"])
            #expect(try await refusal(of: "c", 4, "image/png", in: photos) == .conflict)
            try await photos.markForDeletion(photos.attachments[2].id)
            // With the one of the other inspection.
            try site.execute(
                """
                CREATE TRIGGER Full BEFORE INSERT ON Photos WHEN (SELECT count(*) FROM Photos) >= 4
                BEGIN SELECT RAISE(ABORT, 'There may be no more.'); END
                """)
            let results = try await photos.postLocalEdits()
            #expect(results.map { $0.error?.message } == [nil, nil, nil])
            #expect(results.map(\.attachment.name) == ["a", "b", "gauge"])
            #expect(try site.served() == ["2|valve|0202", "4|a|07070707", "5|b|07070707"])
        }
    }

    @Test("Stream properties: each has its own size and type")
    func streamProperties() async throws {
        try await InspectionSite.open { site in
            let backEnd = StreamPropertyBackEnd(store: try site.online(Self.limited()))
            let owner = try AttachmentOwner(folder: site.path + "/journal", backEnd: backEnd)
            let streams = try await owner.manager(for: "Inspections(2)")
            #expect(try await refusal(of: "Plan", 3, "text/plain", in: streams) == .tooLarge)
            #expect(try await refusal(of: "Sketch", 3, "text/plain", in: streams) == .unsupportedMediaType)
            #expect(try await refusal(of: "Sketch", 3, "application/pdf", in: streams) == nil)
            #expect(try await refusal(of: "Plan", 2, "text/plain", in: streams) == nil)
            #expect(try await streams.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try site.plans(2) == "0707|070707")
        }
    }

    @Test("A name, or keywords, that no property would have is refused before it is queued", arguments: 0..<3)
    func nothingToKeepThemIn(kind: Int) async throws {
        try await InspectionSite.open { site in
            let store = try site.online()
            let backEnds: [any AttachmentBackEnd] = [
                MediaEntityBackEnd(store: store, navigation: "Photos"), StreamPropertyBackEnd(store: store),
                AttachmentSetBackEnd(store: store, navigation: "Files", names: .init(name: "title", keywords: "tags")),
            ]
            let owner = try AttachmentOwner(folder: site.path + "/journal", backEnd: backEnds[kind])
            let manager = try await owner.manager(for: "Inspections(2)")
            let named = AttachmentDetails(name: "Sketch", contentType: "image/png", keywords: ["leak"])
            let keywords = await #expect(throws: ODataError.self) { try await manager.add(ByteContent([7]), named) }
            #expect(keywords?.code == .badRequest && keywords?.message.contains("keywords") == true)
            let added = try await manager.add(
                ByteContent([7]), AttachmentDetails(name: "Sketch", contentType: "image/png"))
            // It is the service's only when it is posted.
            try await manager.update(added.id, details: AttachmentDetails(name: "Plan", contentType: "image/png"))
            #expect(try await manager.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            try await manager.fetchAttachments()
            let posted = try #require(manager.attachments.first { $0.id == added.id })
            var details = posted.details
            details.name = "Sketch"
            let renamed = details
            let name = await #expect(throws: ODataError.self) { try await manager.update(added.id, details: renamed) }
            #expect(name?.code == .badRequest && name?.message.contains("cannot be called Sketch") == true)
            #expect(!manager.hasLocalEdits)
            try await manager.update(added.id, content: ByteContent([8]), details: posted.details)
            #expect(try await manager.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
        }
    }

    @Test("Sets with the content as a stream property: size, type and number")
    func sets() async throws {
        try await InspectionSite.open { site in
            let backEnd = AttachmentSetBackEnd(store: try site.online(Self.limited()), navigation: "Files")
            let owner = try AttachmentOwner(folder: site.path + "/journal", backEnd: backEnd)
            let files = try await owner.manager(for: "Inspections(1)")
            #expect(try await refusal(of: "a", 1025, "image/png", in: files) == .tooLarge)
            #expect(try await refusal(of: "a", 4, "image/gif", in: files) == .unsupportedMediaType)
            #expect(try await refusal(of: "a", 4, "image/png", in: files) == nil)
            #expect(try await refusal(of: "b", 4, "image/png", in: files) == .conflict)
            #expect(files.attachments.map(\.name) == ["a"])
        }
    }
}
