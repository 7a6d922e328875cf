import AsyncHTTPTransport
import OData

/// Somebody else's client of the field service.
struct FieldClient {
    let collections: EntityCollections

    init(_ root: String) throws {
        collections = EntityCollections(try OnlineStore(serviceRoot: root, transport: AsyncHTTPTransport()))
    }

    /// A property of an entity, as the service has it.
    func value(_ property: String, of id: Int64, in set: String) async throws -> EdmValue? {
        try await entity(id, in: set)?[property]
    }

    func change(_ property: String, to text: String, of id: Int64, in set: String) async throws {
        guard var entity = try await entity(id, in: set) else { return }
        entity[property] = .string(text)
        try await collections[set].update(entity)
    }

    /// The captions of all photos that have one of these.
    func captions(among names: [String]) async throws -> [String] {
        try await collections["Photos"].findAll().compactMap { $0["Caption"]?.lexical }
            .filter(names.contains).sorted()
    }

    func entity(_ id: Int64, in set: String) async throws -> DynamicEntity? {
        let keys = ["WorkOrders": "WorkOrderID", "Inspections": "InspectionID", "Photos": "PhotoID"]
        return try await collections[set].find(EntityKey(keys[set] ?? "ID", .integer(id)))
    }
}
