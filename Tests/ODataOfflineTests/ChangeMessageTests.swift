import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

@Suite("Messages about changes that cannot be made")
struct ChangeMessageTests {
    private static let schema = """
        <EntityType Name="Cat"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityType Name="P"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
          <Property Name="CatID" Type="Edm.Int32" Nullable="false"/>
          <NavigationProperty Name="Cat" Type="NS.Cat" Nullable="false">
            <ReferentialConstraint Property="CatID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityType Name="Q" BaseType="NS.P"/>
        <EntityType Name="Part" BaseType="NS.P" Abstract="true"/>
        <EntityContainer Name="C">
          <EntitySet Name="Ps" EntityType="NS.P"><NavigationPropertyBinding Path="Cat" Target="Cats"/></EntitySet>
          <EntitySet Name="Cats" EntityType="NS.Cat"/></EntityContainer>
        """

    /// What is changed, and what both stores say of it.
    private static func faults(_ service: ModelService) throws -> [(ChangeRequest, ODataError.Code, String)] {
        let entity = try service.path("Ps(1)")
        func body(_ type: String? = nil, binds: (String, String)? = nil) throws -> EntityPayload {
            var payload = EntityPayload(["CatID": .integer(1)])
            payload.type = type.map { EdmQualifiedName($0) }
            if let (name, url) = binds {
                payload = EntityPayload(
                    [:], bindings: [.init(navigation: name, references: [.path(try service.path(url))])])
            }
            return payload
        }
        func new(_ type: String) throws -> ChangeRequest {
            var payload = try body(type)
            payload.properties["ID"] = .integer(2)
            return ChangeRequest(try service.path("Ps"), .create(payload))
        }
        func conditional(ifMatch: String? = nil, ifNoneMatch: String? = nil) throws -> ChangeRequest {
            var request = ChangeRequest(entity, .update(try body()))
            (request.ifMatch, request.ifNoneMatch) = (ifMatch, ifNoneMatch)
            return request
        }
        return [
            (try conditional(ifMatch: #""a", W/"b""#), .preconditionFailed, #"its ETag is not "a", W/"b"."#),
            (try conditional(ifNoneMatch: "*"), .preconditionFailed, "The entity exists, and If-None-Match is *."),
            (try new("NS.Nope"), .badRequest, "Ps does not hold entities of type NS.Nope."),
            (try new("NS.Cat"), .badRequest, "Ps does not hold entities of type NS.Cat."),
            (try new("NS.Part"), .badRequest, "NS.Part is abstract: name a type that derives from it by @odata.type."),
            (
                ChangeRequest(entity, .update(try body("NS.Q"))), .badRequest,
                "The entity is a NS.P: its type cannot be changed to NS.Q."
            ),
            (
                ChangeRequest(entity, .update(try body(binds: ("Dog", "Cats(1)")))), .badRequest,
                "NS.P has no navigation property Dog."
            ),
            (
                ChangeRequest(entity, .update(try body(binds: ("Cat", "Ps(1)")))), .badRequest,
                "The navigation property Cat leads to entities of Cats, not to an entity of Ps."
            ),
            (
                ChangeRequest(try service.path("Ps(1)/Cat/$ref"), .removeReference(nil)), .badRequest,
                "The navigation property Cat must lead to an entity: set another reference instead of removing it."
            ),
            (
                ChangeRequest(try service.path("Ps(1)/CatID/$value"), .setRawValue(Array("x".utf8), contentType: nil)),
                .badRequest, "The property CatID takes values of Edm.Int32, not “x”."
            ),
        ]
    }

    @Test("A fault has one code and one message in tables and in the queue of a device, and nothing changes")
    func messages() async throws {
        let service = try ModelService(schema: Self.schema)
        try await service.create("Cats", #"{"ID":1}"#)
        try await service.create("Ps", #"{"ID":1,"CatID":1}"#)
        let (device, folder) = try await service.device(["Ps", "Cats"])
        defer { withExtendedLifetime(folder) {} }
        let stores: [(String, any ODataStore)] = [("tables", service.tables), ("device", device)]
        for (request, code, message) in try Self.faults(service) {
            for (place, store) in stores {
                let error = await #expect(throws: ODataError.self, "\(place): \(message)") {
                    try await store.change(request)
                }
                #expect(error?.code == code, "\(place): \(message)")
                #expect(error?.message.hasSuffix(message) == true, "\(place): \(error?.message ?? "") – \(message)")
            }
        }
        #expect(try await device.queueEntries().isEmpty)
    }

    @Test("An entity without an ETag meets If-Match: *")
    func anyVersion() async throws {
        let service = try ModelService(schema: Self.schema)
        try await service.create("Cats", #"{"ID":1}"#)
        try await service.create("Ps", #"{"ID":1,"CatID":1}"#)
        let (device, folder) = try await service.device(["Ps", "Cats"])
        defer { withExtendedLifetime(folder) {} }
        for store in [service.tables, device] as [any ODataStore] {
            var request = ChangeRequest(try service.path("Ps(1)"), .update(EntityPayload(["CatID": .integer(1)])))
            request.ifMatch = "*"
            #expect(try await store.change(request).outcome == .updated)
        }
    }
}
