import ODataFormats
import ODataMetadata
import ODataModel
import ODataStores

/// Entity sets that the app declares, which exist only on the device.
struct LocalSets: Sendable {
    /// The declaration as it is kept in the store.
    let csdl: String
    let schemas: [EdmSchema]
    let names: Set<String>

    /// - Throws: ``ODataError`` `badRequest` if the document declares no entity sets or something else than sets.
    init(csdl: String) throws {
        self.csdl = csdl
        let document: EdmModel
        do { document = try CSDL.read(xml: Array(csdl.utf8)).model } catch {
            throw ODataError(.badRequest, "The declaration of client-only sets cannot be read: \(error)", cause: error)
        }
        schemas = document.schemas.map { schema in
            var schema = schema
            // The model's container is the service's.
            schema.container = nil
            return schema
        }
        let sets = schemas.flatMap(\.entitySets)
        guard !sets.isEmpty else { throw ODataError(.badRequest, "The declaration has no entity sets.") }
        names = Set(sets.map(\.name))
        for type in schemas.flatMap(\.types) {
            if let property = type.properties.first(where: { $0.type.element == .primitive(.untyped) }) {
                throw ODataError(
                    .badRequest, "\(type.name)/\(property.name) is of a type that the declaration does not have.")
            }
        }
    }

    /// Checks that the sets can stand beside those of `service`.
    ///
    /// - Throws: ``ODataError`` `badRequest` naming what clashes.
    func check(with service: EdmModel) throws {
        let namespaces = Set(service.schemas.map(\.namespace) + [SystemSets.namespace])
        if let schema = schemas.first(where: { namespaces.contains($0.namespace) }) {
            throw ODataError(
                .badRequest, "The namespace \(schema.namespace) is taken: declare client-only sets in another.")
        }
        if let name = names.sorted().first(where: { service.entitySet(named: $0) != nil }) {
            throw ODataError(
                .badRequest, "The service has an entity set \(name): give the client-only set another name.")
        }
        let own = Set(schemas.flatMap(\.types).map(\.name))
        for type in schemas.flatMap(\.types) {
            for navigation in type.navigationProperties where !own.contains(navigation.target) {
                guard let target = service.structuredType(named: navigation.target) else {
                    throw ODataError(.badRequest, "\(type.name)/\(navigation.name) leads to an unknown type.")
                }
                let isComplete = navigation.constraints.allSatisfy {
                    target.property(named: $0.referencedProperty) != nil
                }
                guard !navigation.constraints.isEmpty, isComplete else {
                    throw ODataError(
                        .badRequest,
                        "\(type.name)/\(navigation.name) leads to the service's entities: it needs referential "
                            + "constraints on its properties.")
                }
            }
        }
    }
}

extension OfflineStore {
    /// Declares entity sets that exist only on the device: they support all requests, are never uploaded and do not
    /// need the network. Their rows stay until they are deleted or the store is cleared; the declaration stays even
    /// then. A later call replaces the declaration: it may add elements, and remove unused ones.
    ///
    /// Navigation properties to entities of the service need referential constraints. Omitted keys are generated.
    ///
    /// - Parameter csdl: A metadata document with the sets in its container.
    /// - Throws: ``ODataError`` `badRequest` if the declaration is wrong or clashes with the service's metadata,
    ///   `metadataChanged` if what is stored does not fit, `conflict` while a download or rebuild runs.
    public func addLocalSets(csdl: String) async throws {
        guard try offlineModel().locals?.csdl != csdl else { return }
        try await models.declare(LocalSets(csdl: csdl))
    }

    /// As ``addLocalSets(csdl:)``.
    public func addLocalSets(_ schema: EdmSchema) async throws {
        let document = EdmModel.lenient(schemas: [schema]).model
        let xml: [UInt8]
        do { xml = try CSDL.xml(document) } catch { throw ODataError(.badRequest, error.message, cause: error) }
        try await addLocalSets(csdl: String(decoding: xml, as: UTF8.self))
    }
}
