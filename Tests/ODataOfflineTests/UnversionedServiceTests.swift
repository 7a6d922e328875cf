import ByteStreams
import ODataModel
import ODataOffline
import ODataQuery
import ODataService
import ODataStores
import ODataTesting
import Testing

/// A service that tells no ETags of its entities.
private struct UnversionedStore: ODataStore {
    let base: any ODataStore

    func model() async throws -> EdmModel { try await base.model() }

    func read(_ request: ReadRequest) async throws -> ReadResult {
        var result = try await base.read(request)
        result.etag = nil
        if case .entities(let reader) = result.body { result.body = .entities(UnversionedReader(reader)) }
        return result
    }

    func change(_ request: ChangeRequest) async throws -> ChangeResult {
        var request = request
        (request.ifMatch, request.ifNoneMatch) = (nil, nil)
        var result = try await base.change(request)
        result.etag = nil
        result.entity?.etag = nil
        return result
    }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { try await base.changeSet(requests) }
    func readStream(_ request: StreamRequest) async throws -> StreamResult { try await base.readStream(request) }
}

private final class UnversionedReader: EntityReader {
    private let base: any EntityReader
    var shape: RowShape { base.shape }

    init(_ base: any EntityReader) { self.base = base }

    func next() async throws -> RowBlock? {
        var block = try await base.next()
        for row in block?.rows.indices ?? 0..<0 { block?.rows[row].etag = .none }
        return block
    }
}

@Suite("Conflicts at services without ETags")
struct UnversionedServiceTests {
    private static let schema = """
        <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/><Property Name="Zip" Type="Edm.String"/>
        </ComplexType>
        <EntityType Name="W"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
          <Property Name="At" Type="Edm.DateTimeOffset" Precision="3"/>
          <Property Name="Price" Type="Edm.Decimal" Precision="9" Scale="3"/><Property Name="Place" Type="NS.Place"/>
          <Property Name="OwnerID" Type="Edm.Int32"/>
          <NavigationProperty Name="Owner" Type="NS.W">
            <ReferentialConstraint Property="OwnerID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Ws" EntityType="NS.W">
          <NavigationPropertyBinding Path="Owner" Target="Ws"/></EntitySet></EntityContainer>
        """

    enum Refresh: CaseIterable { case automatic, comparison, expanded }

    private func opened(
        _ refresh: Refresh, version: String? = nil
    ) async throws -> (service: ModelService, store: OfflineStore, folder: TemporaryFolder) {
        let service = try ModelService(schema: Self.schema)
        for id in 1...3 {
            try await service.create(
                "Ws",
                #"{"ID":\#(id),"Name":"w","At":"2024-01-01T10:00:00+02:00","Price":1.50,"Place":{"City":"A","Zip":"1"},"OwnerID":1}"#
            )
        }
        let folder = try TemporaryFolder()
        let remote = try service.responses.remote(over: UnversionedStore(base: service.tables), version: version)
        let store = try OfflineStore(
            folder: folder.path + "/store", remote: remote, configuration: Device.configuration())
        try await store.open()
        // Only the expansion brings entity 1.
        let query = refresh == .expanded ? "Ws?$filter=ID eq 2&$expand=Owner" : "Ws"
        try store.addQuery(
            DefiningQuery(name: "ws", query: query, refresh: refresh == .comparison ? .comparison : .automatic))
        try await store.download()
        return (service, store, folder)
    }

    private func conflicts(_ store: OfflineStore) async throws -> [String] { try await store.conflicts().map(\.path) }

    @Test("What did not change at the service is not a conflict", arguments: Refresh.allCases, [nil, "v2"])
    func unchanged(_ refresh: Refresh, version: String?) async throws {
        let (service, store, folder) = try await opened(refresh, version: version)
        defer { withExtendedLifetime(folder) {} }
        try await service.request("Ws(1)", #"{"Name":"A"}"#, on: store, creates: false)
        for round in 1...2 {
            // Another entity changes, so that a delta is not empty.
            try await service.update("Ws(2)", #"{"Name":"round \#(round)"}"#)
            try await store.download()
            #expect(try await conflicts(store) == [], "round \(round)")
            #expect(try await service.names("Ws(1)", on: store) == ["A"])
        }
        #expect(try await store.upload().isComplete)
        #expect(try await service.names("Ws(1)", on: service.tables) == ["A"])
    }

    @Test("A deletion, and a change that the service has in another form, are not conflicts")
    func otherForms() async throws {
        let (service, store, folder) = try await opened(.comparison)
        defer { withExtendedLifetime(folder) {} }
        _ = try await store.change(ChangeRequest(try service.path("Ws(3)"), .delete))
        try await service.request("Ws(1)", #"{"Name":"A","Place":{"City":"B"}}"#, on: store, creates: false)
        service.responses.set(
            "/Ws",
            ##"""
            {"@odata.context":"http://service.test/$metadata#Ws","value":[
            {"Place":{"Zip":"1","City":"A"},"Price":1.500,"At":"2024-01-01T08:00:00.000Z","OwnerID":1,"ID":1,"Name":"w"},
            {"ID":3,"Name":"w","At":"2024-01-01T08:00:00Z","Price":1.5,"OwnerID":1,"Place":{"Zip":"1","City":"A"}}]}
            """##)
        try await store.download()
        #expect(try await conflicts(store) == [])
        service.responses.clear()
        #expect(try await store.upload().isComplete)
        #expect(try await service.names("Ws?$orderby=ID", on: service.tables) == ["A", "w"])
    }

    @Test("A value that did change there is one, until the service has the old one again", arguments: Refresh.allCases)
    func changed(_ refresh: Refresh) async throws {
        let (service, store, folder) = try await opened(refresh)
        defer { withExtendedLifetime(folder) {} }
        try await service.request("Ws(1)", #"{"Name":"A"}"#, on: store, creates: false)
        try await service.update("Ws(1)", #"{"Name":"B"}"#)
        try await store.download()
        #expect(try await conflicts(store) == ["Ws(1)"])
        try await service.update("Ws(1)", #"{"Name":"w"}"#)
        try await store.download()
        #expect(try await conflicts(store) == [])
        // Another property is taken over.
        try await service.update("Ws(1)", #"{"Price":2}"#)
        try await store.download()
        #expect(try await conflicts(store) == [])
        let price = try await store.entities(try service.parser.query("Ws(1)")).first?["Price"]
        #expect(price == .decimal(EdmDecimal(2)))
    }

    enum Change: CaseIterable { case update, deletion, changeSet, later }
    enum Decision: CaseIterable { case mine, theirs, retry }

    @Test(
        "What a download has found changed there is not overwritten before the conflict is decided",
        arguments: Change.allCases, Decision.allCases)
    func undecided(_ change: Change, _ decision: Decision) async throws {
        let (service, store, folder) = try await opened(.comparison)
        defer { withExtendedLifetime(folder) {} }
        switch change {
        case .update, .later: try await service.request("Ws(1)", #"{"Name":"A"}"#, on: store, creates: false)
        case .deletion: _ = try await store.change(ChangeRequest(try service.path("Ws(1)"), .delete))
        case .changeSet:
            let names = ["Ws(1)", "Ws(2)"].map { ($0, EntityPayload(["Name": .string("A")])) }
            _ = try await store.changeSet(try names.map { ChangeRequest(try service.path($0), .update($1)) })
        }
        try await service.update("Ws(1)", #"{"Name":"B"}"#)
        try await store.download()
        // Another property, which is no conflict by itself.
        if change == .later { try await service.request("Ws(1)", #"{"Price":9}"#, on: store, creates: false) }
        for _ in 0..<2 {
            let report = try await store.upload()
            #expect(report.succeeded.isEmpty && report.failed.count == 1, "\(report)")
            #expect(try await service.names("Ws?$orderby=ID", on: service.tables) == ["B", "w", "w"])
            #expect(try await conflicts(store) == ["Ws(1)"])
        }
        let conflict = try #require(try await store.conflicts().first)
        switch decision {
        case .mine: try await store.resolve(conflict, as: .mine)
        case .theirs: try await store.resolve(conflict, as: .theirs)
        case .retry:
            // The service has the old value again.
            try await service.update("Ws(1)", #"{"Name":"w"}"#)
            try await store.download()
        }
        let report = try await store.upload()
        #expect(report.isComplete, "\(report)")
        #expect(try await store.queueEntries().isEmpty)
        let left = try await store.conflicts()
        #expect(left.isEmpty, "\(left)")
        let other = change == .changeSet ? "A" : "w"
        let first = decision == .theirs ? ["B"] : change == .deletion ? [] : ["A"]
        #expect(try await service.names("Ws?$orderby=ID", on: service.tables) == first + [other, "w"])
    }

    @Test("A rebuild finds none where nothing changed")
    func rebuilt() async throws {
        let (service, store, folder) = try await opened(.automatic)
        defer { withExtendedLifetime(folder) {} }
        try await service.request("Ws(1)", #"{"Name":"A"}"#, on: store, creates: false)
        _ = try await store.rebuild()
        #expect(try await conflicts(store) == [])
        try await store.download()
        #expect(try await conflicts(store) == [])
        #expect(try await service.names("Ws(1)", on: store) == ["A"])
    }
}
