import Foundation
import OData
import ODataService
import ODataTesting

/// The field service sample behind a service in this process, and a folder for those who use it; all of it is gone
/// afterwards.
final class FieldSite: Sendable {
    let folder: String
    let file: SQLiteStore
    let service: ODataService

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/documentation-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var size = FieldServiceSample.Size()
        (size.partners, size.products, size.orders, size.equipment) = (10, 20, 30, 10)
        (size.workOrders, size.inspections, size.photos) = (20, 20, 6)
        try FieldServiceSample.create(at: folder + "/field-service.db", size: size)
        var configuration = SQLiteStore.Configuration()
        configuration.media = [MediaColumn(set: "Photos", column: "Content", contentType: "image/png")]
        configuration.tracksChanges = true
        file = try SQLiteStore(path: folder + "/field-service.db", configuration: configuration)
        service = ODataService(store: file)
    }

    deinit {
        try? file.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// - Parameter plan: What the network does to requests.
    func online(_ plan: FaultPlan = .none) throws -> OnlineStore {
        let transport = FaultTransport(next: InProcessTransport(service: service), plan: plan)
        return try OnlineStore(serviceRoot: "http://service.test/", transport: transport)
    }

    /// A store with all that the service has.
    func device(
        _ plan: FaultPlan = .none, configuration: OfflineStore.Configuration = .init()
    ) async throws -> OfflineStore {
        let store = try OfflineStore(
            folder: "\(folder)/device-\(UUID().uuidString)", remote: try online(plan), configuration: configuration)
        try await fill(store)
        return store
    }

    /// Opens a store, with all that the service has.
    func fill(_ store: OfflineStore) async throws {
        try await store.open()
        for set in ["SalesOrders?$expand=SalesOrderItems", "WorkOrders", "Inspections", "BusinessPartners"] {
            try store.addQuery(DefiningQuery(name: set, query: set))
        }
        try store.addQuery(DefiningQuery(name: "photos", query: "Photos", retrievesStreams: true))
        try await store.download()
    }

    /// The text of a property of one entity, as the service has it.
    func text(_ property: String, of entity: String) async throws -> String? {
        let query = try QueryParser(model: try await file.model()).query(entity)
        return try await file.entities(query).first?[property]?.lexical
    }

    /// Another client's change.
    func update(_ entity: String, _ properties: EdmComplexValue) async throws {
        let path = try QueryParser(model: try await file.model()).path(entity)
        _ = try await file.change(ChangeRequest(path, .update(EntityPayload(properties))))
    }

    /// The path of a new file with these bytes.
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = "\(folder)/\(name)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }
}
