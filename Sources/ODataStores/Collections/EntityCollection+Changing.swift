import ByteStreams
import ODataModel
import ODataQuery

extension EntityCollection {
    /// Creates an entity; related entities that were read are bound to it, others created with it.
    ///
    /// - Returns: The entity as the store has it then, with what the store has made.
    @discardableResult
    public func create(_ element: Element) async throws -> Element {
        var request = ChangeRequest(try await path(query.path), .create(element.creation))
        request.returnPreference = .representation
        return try await created(try await change(request))
    }

    func created(_ result: ChangeResult) async throws -> Element {
        if let made = try await self.element(of: result) { return made }
        guard let path = result.path, let made = try await read(path) else {
            throw ODataError(.invalidResponse, "\(query.path) gave neither the entity that it made nor its address.")
        }
        return made
    }

    /// Sends the properties that have other values than those that were read, on condition that nobody else has
    /// changed the entity.
    ///
    /// - Returns: The entity as the store has it then.
    /// - Throws: ``ODataError`` `preconditionFailed` if somebody has.
    @discardableResult
    public func update(_ element: Element) async throws -> Element {
        let changes = element.changes
        guard !changes.isEmpty else { return element }
        var request = try await request(element, .update(EntityPayload(changes)))
        request.returnPreference = .representation
        let result = try await change(request)
        if let updated = try await self.element(of: result) { return updated }
        guard let updated = try await find(element) else {
            throw ODataError(.notFound, "\(try location(of: element)) was updated, and is gone since.")
        }
        return updated
    }

    /// Deletes an entity, on condition that nobody else has changed it since it was read.
    ///
    /// - Throws: ``ODataError`` `preconditionFailed` if somebody has.
    public func delete(_ element: Element) async throws {
        _ = try await change(try await request(element, .delete))
    }

    /// Deletes the entity with this key, whatever its version.
    public func delete(_ key: Element.Key) async throws {
        let target = try await path(query.path + Element.entityKey(key).urlText)
        _ = try await change(ChangeRequest(target, .delete))
    }

    /// Relates two entities, or takes the relation away for nil: `PUT Products(1)/Category/$ref`.
    public func link<Related: CollectionElement>(
        _ element: Element, _ relation: KeyPath<Element.Fields, ToOne<Related>>, to other: Related?
    ) async throws {
        let name = Element.Fields(path: .root)[keyPath: relation].relations.joined(separator: "/")
        let change = try other.map { ChangeRequest.Operation.addReference(try reference(to: $0)) }
        try await changeLink(element, name, change ?? .removeReference(nil))
    }

    /// Adds to a relation: `POST Orders(1)/Items/$ref`.
    public func add<Related: CollectionElement>(
        _ other: Related, to relation: KeyPath<Element.Fields, ToMany<Related>>, of element: Element
    ) async throws {
        try await changeLink(element, name(of: relation), .addReference(try reference(to: other)))
    }

    /// Takes out of a relation: `DELETE Orders(1)/Items/$ref?$id=…`.
    public func remove<Related: CollectionElement>(
        _ other: Related, from relation: KeyPath<Element.Fields, ToMany<Related>>, of element: Element
    ) async throws {
        try await changeLink(element, name(of: relation), .removeReference(try reference(to: other)))
    }

    func changeLink(
        _ element: Element, _ name: String, _ operation: ChangeRequest.Operation
    ) async throws {
        let target = try await path("\(try location(of: element))/\(name)/$ref")
        _ = try await change(ChangeRequest(target, operation))
    }

    func reference(to other: some CollectionElement) throws -> EntityReference {
        guard let id = other.entityID else {
            throw ODataError(.badRequest, "The other entity has no id: create it, or read it, before it is related.")
        }
        return .url(id)
    }

    private func request(
        _ element: Element, _ operation: ChangeRequest.Operation
    ) async throws -> ChangeRequest {
        var request = ChangeRequest(try await path(try location(of: element)), operation)
        request.ifMatch = element.entityTag
        return request
    }

    func change(_ request: ChangeRequest) async throws -> ChangeResult {
        try await collections.changing { try await store.change(request) }
    }

    private func element(of result: ChangeResult) async throws -> Element? {
        guard var entity = result.entity else { return nil }
        entity.etag = entity.etag ?? result.etag
        return try Element.elements(of: [entity], model: try await store.model()).first
    }

    private func read(_ path: ResourcePath) async throws -> Element? {
        let entities = try await store.entities(BoundQuery(path: path))
        return try Element.elements(of: entities, model: try await store.model()).first
    }
}
