import AsyncHTTPTransport
import Foundation
import GRDB
import ODataAttachments
import ODataModel
import ODataOffline
import ODataOnline
import ODataSQLite
import ODataServer
import ODataService
import ODataStores
import ODataTesting
import ODataTransport

/// Inspections with photos, a plan and files, served over HTTP on a loopback port, and a folder for those who use them.
final class InspectionSite: Sendable {
    let path: String
    private let file: SQLiteStore
    private let server: ODataServer
    private let transport = AsyncHTTPTransport()

    /// Does `body` at a site of its own, which is gone afterwards.
    ///
    /// - Parameters:
    ///   - model: Declares what is served; nil: inspections, photos and files, as tables tell them.
    ///   - requiresETags: Whether the service demands conditions of changes.
    static func open(
        model: EdmModel? = nil, requiresETags: Bool = false, _ body: (InspectionSite) async throws -> Void
    ) async throws {
        let site = try await InspectionSite(model, requiresETags: requiresETags)
        do { try await body(site) } catch {
            try? await site.close()
            throw error
        }
        try await site.close()
    }

    private init(_ model: EdmModel?, requiresETags: Bool) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/attachments-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        var configuration = SQLiteStore.Configuration()
        configuration.tracksChanges = true
        let file: SQLiteStore
        if let model {
            file = try SQLiteStore(model: model, path: path + "/service.db", configuration: configuration)
        } else {
            let queue = try DatabaseQueue(path: path + "/service.db")
            try await queue.write { try $0.execute(sql: InspectionSite.schema) }
            try queue.close()
            configuration.media = [MediaColumn(set: "Photos", column: "Content")]
            file = try SQLiteStore(path: path + "/service.db", configuration: configuration)
        }
        var service = ODataService.Configuration()
        service.requiresETags = requiresETags
        server = try await ODataServer.start(service: ODataService(store: file, configuration: service))
        (self.path, self.file) = (path, file)
    }

    private static let schema = """
        CREATE TABLE Inspections (InspectionID INTEGER PRIMARY KEY, Title TEXT, Plan BLOB, Sketch BLOB);
        CREATE TABLE Photos (
            PhotoID INTEGER PRIMARY KEY, InspectionID INTEGER REFERENCES Inspections(InspectionID),
            Caption TEXT CHECK (Caption <> 'refused'), Content BLOB);
        CREATE TABLE Files (
            ID UUID PRIMARY KEY, InspectionID INTEGER REFERENCES Inspections(InspectionID), filename TEXT,
            mimeType TEXT, status TEXT, content BLOB);
        INSERT INTO Inspections VALUES (1, 'pump', x'0a0b', NULL), (2, 'tank', NULL, NULL);
        INSERT INTO Photos VALUES (1, 1, 'gauge', x'01'), (2, 1, 'valve', x'0202'), (3, 2, 'lid', x'030303');
        """

    private func close() async throws {
        try await transport.shutdown()
        try await server.stop()
        try file.close()
        try FileManager.default.removeItem(atPath: path)
    }

    /// - Parameters:
    ///   - plan: What the network does to requests.
    ///   - wrap: Makes the transport that is used.
    func online(
        _ plan: FaultPlan = .none, through wrap: (any HTTPTransport) -> any HTTPTransport = { $0 }
    ) throws -> OnlineStore {
        let faulty = FaultTransport(next: transport, plan: plan)
        return try OnlineStore(serviceRoot: server.rootURL, transport: wrap(faulty))
    }

    /// Photos without an offline store, with the journal in a folder.
    func photos(_ plan: FaultPlan = .none, folder: String = "journal") throws -> AttachmentOwner {
        let backEnd = Self.photos(of: try online(plan))
        return try AttachmentOwner(folder: "\(path)/\(folder)", backEnd: backEnd)
    }

    /// Files without an offline store, with the journal in a folder.
    func attachments(_ plan: FaultPlan = .none, folder: String = "journal") throws -> AttachmentOwner {
        let backEnd = AttachmentSetBackEnd(store: try online(plan), navigation: "Files")
        return try AttachmentOwner(folder: "\(path)/\(folder)", backEnd: backEnd)
    }

    static func photos(of store: any ODataStore) -> MediaEntityBackEnd {
        MediaEntityBackEnd(store: store, navigation: "Photos", names: .init(name: "Caption"))
    }

    /// An offline store with all that the service has in these sets.
    func device(
        _ folder: String = "device", sets: [String] = ["Inspections", "Photos", "Files"]
    ) async throws -> OfflineStore {
        let store = try OfflineStore(folder: "\(path)/\(folder)", remote: try online())
        try await store.open()
        let known = try await store.queries.map(\.name)
        for set in sets where !known.contains(set) {
            try store.addQuery(DefiningQuery(name: set, query: set, retrievesStreams: true))
        }
        try await store.download()
        return store
    }

    /// What a process that is killed now leaves behind.
    func copy(_ folder: String, to target: String) throws {
        try FileManager.default.copyItem(atPath: "\(path)/\(folder)", toPath: "\(path)/\(target)")
    }

    /// Another client's change.
    func execute(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path + "/service.db")
        try queue.inDatabase { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// `1|gauge|01`: the photos of an inspection at the service.
    func served(_ inspection: Int = 1) throws -> [String] {
        try fetch(
            """
            SELECT PhotoID || '|' || coalesce(Caption, '') || '|' || hex(Content) FROM Photos
            WHERE InspectionID = \(inspection) ORDER BY PhotoID
            """)
    }

    /// `valve.png|image/png|07`: the files at the service.
    func files() throws -> [String] {
        try fetch("SELECT filename || '|' || mimeType || '|' || hex(content) FROM Files ORDER BY filename")
    }

    /// `0a0b|`: the plan and the sketch of an inspection at the service.
    func plans(_ inspection: Int) throws -> String? {
        try fetch("SELECT hex(Plan) || '|' || hex(Sketch) FROM Inspections WHERE InspectionID = \(inspection)").first
    }

    private func fetch(_ sql: String) throws -> [String] {
        let queue = try DatabaseQueue(path: path + "/service.db")
        defer { try? queue.close() }
        return try queue.read { try String.fetchAll($0, sql: sql) }
    }
}
