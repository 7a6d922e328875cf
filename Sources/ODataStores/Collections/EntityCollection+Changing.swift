import ByteStreams
import ODataModel
import ODataQuery

extension EntityCollection {
    /// Creates an entity; related entities that were read are bound to it, others created with it.
    ///
    /// - Returns: The entity as the store has it then, with what the store has made, and with the navigation properties
    ///   that the collection expands or the element has.
    /// - Throws: ``ODataError``; where the entity was made and could not be read then, with its
    ///   ``ODataError/createdID``: it is not to be created again.
    @discardableResult
    public func create(_ element: Element) async throws -> Element {
        try await created(try await change(try await creation(of: element)), as: element)
    }

    func creation(of element: Element) async throws -> ChangeRequest {
        var request = ChangeRequest(try await path(query.path), .create(element.creation))
        request.returnPreference = .representation
        return request
    }

    func created(_ result: ChangeResult, as element: Element) async throws -> Element {
        do {
            let paths = expandedPaths(with: element)
            let made = try await self.element(of: result)
            if let made, hasNavigation(result.entity, paths) { return made }
            let address = try result.path?.url ?? made.map(location(of:))
            if let address, let read = try await read(address, with: paths) { return read }
            throw ODataError(.invalidResponse, "\(query.path) gave neither the entity that it made nor its address.")
        } catch {
            let id = result.entityID ?? result.entity?.canonicalID ?? result.path?.url
            throw ODataError(ofReading: error, after: "made", id ?? "An entity of \(query.path)", createdID: id)
        }
    }

    /// Sends the properties that have other values than those that were read, on condition that no other client has
    /// changed the entity; navigation properties to one that lead to another entity are sent with them, as
    /// `"Category@odata.bind":"Categories(1)"`.
    ///
    /// Of an entity that was made here everything is sent that is not null, to the entity with its key, whatever the
    /// version.
    ///
    /// - Returns: The entity as the store has it then, with the navigation properties that the collection expands.
    ///   Those that the element has beside them come whole.
    /// - Throws: ``ODataError``; `preconditionFailed` if another client has, `badRequest` for changes that an update
    ///   cannot send: other members of a navigation property to many, related entities that are new or have changes of
    ///   their own. Where the entity was updated and could not be read then, ``ODataError/isOutcomeUnknown`` is true.
    @discardableResult
    public func update(_ element: Element) async throws -> Element {
        guard var request = try await update(of: element) else { return element }
        let paths = expandedPaths(with: element)
        request.returnPreference = hasNavigation(nil, paths) ? .representation : .minimal
        return try await updated(try await change(request), at: request.target, with: paths)
    }

    /// As ``update(_:)``, which takes the place of the element: `try await orders.save(&order)`.
    public func save(_ element: inout Element) async throws { element = try await update(element) }

    /// Sends all properties: those that the element does not have get their default values, or null. Navigation
    /// properties stay as they are. On condition that no other client has changed the entity.
    ///
    /// [OData-Protocol, section 11.4.3: Update an Entity]
    ///
    /// - Returns: As ``update(_:)``.
    @discardableResult
    public func replace(_ element: Element) async throws -> Element {
        let payload = try await withoutKey(EntityPayload(element.creation.properties))
        let paths = expandedPaths(with: element)
        var request = try await request(element, .replace(payload))
        request.returnPreference = hasNavigation(nil, paths) ? .representation : .minimal
        return try await updated(try await change(request), at: request.target, with: paths)
    }

    /// What ``update(_:)`` asks the store for; nil where there is nothing to send.
    func update(of element: Element) async throws -> ChangeRequest? {
        var payload = try element.modification()
        if Element.source(of: element) == nil { payload = try await withoutKey(payload) }
        guard payload != EntityPayload() else { return nil }
        return try await request(element, .update(payload))
    }

    private func withoutKey(_ payload: EntityPayload) async throws -> EntityPayload {
        var payload = payload
        for key in try await entityType()?.key ?? [] { payload.properties[key] = nil }
        return payload
    }

    private func updated(
        _ result: ChangeResult, at target: ResourcePath, with paths: [[String]]
    ) async throws -> Element {
        do {
            if hasNavigation(result.entity, paths), let updated = try await self.element(of: result) {
                return updated
            }
            if let updated = try await read(target.url, with: paths) { return updated }
            throw ODataError(.notFound, "It is gone since.")
        } catch {
            throw ODataError(ofReading: error, after: "updated", target.url)
        }
    }

    /// Deletes an entity, on condition that no other client has changed it since it was read.
    ///
    /// - Throws: ``ODataError`` `preconditionFailed` if another client has.
    public func delete(_ element: Element) async throws {
        _ = try await change(try await request(element, .delete))
    }

    /// Deletes the entity with this key, whatever its version.
    public func delete(_ key: Element.Key) async throws {
        let target = try await path(query.path + Element.entityKey(key).urlText)
        _ = try await change(ChangeRequest(target, .delete))
    }

    /// Relates two entities, or takes the navigation property away for nil: `PUT Products(1)/Category/$ref`.
    public func link<Related: CollectionElement>(
        _ element: Element, _ navigation: KeyPath<Element.Fields, ToOne<Related>>, to other: Related?
    ) async throws {
        let name = Element.Fields(path: .root)[keyPath: navigation].navigationPath.joined(separator: "/")
        let change = try other.map { ChangeRequest.Operation.addReference(try reference(to: $0)) }
        try await changeLink(element, name, change ?? .removeReference(nil))
    }

    /// Adds to a navigation property: `POST Orders(1)/Items/$ref`.
    public func add<Related: CollectionElement>(
        _ other: Related, to navigation: KeyPath<Element.Fields, ToMany<Related>>, of element: Element
    ) async throws {
        try await changeLink(element, name(of: navigation), .addReference(try reference(to: other)))
    }

    /// Takes out of a navigation property: `DELETE Orders(1)/Items/$ref?$id=…`.
    public func remove<Related: CollectionElement>(
        _ other: Related, from navigation: KeyPath<Element.Fields, ToMany<Related>>, of element: Element
    ) async throws {
        try await changeLink(element, name(of: navigation), .removeReference(try reference(to: other)))
    }

    func changeLink(
        _ element: Element, _ name: String, _ operation: ChangeRequest.Operation
    ) async throws {
        try await changeLink(at: location(of: element), name, operation)
    }

    func changeLink(at location: String, _ name: String, _ operation: ChangeRequest.Operation) async throws {
        _ = try await change(ChangeRequest(try await path("\(location)/\(name)/$ref"), operation))
    }

    func reference(to other: some CollectionElement) throws -> EntityReference {
        guard let id = other.entityID else {
            throw ODataError(.badRequest, "The other entity has no id: create it, or read it, before it is related.")
        }
        return .url(id)
    }

    func request(
        _ element: Element, _ operation: ChangeRequest.Operation
    ) async throws -> ChangeRequest {
        var request = ChangeRequest(try await target(of: element), operation)
        request.ifMatch = element.entityTag
        return request
    }

    /// What the element has expanded and the collection does not.
    private func expandedPaths(with element: Element) -> [[String]] {
        guard query.expandTexts.isEmpty else { return [] }
        return element.expandedNavigation.filter { path in !query.expansions.contains { $0.navigation == path.first } }
    }

    /// Whether a response has all that is to come with the entity.
    private func hasNavigation(_ entity: EdmEntity?, _ paths: [[String]]) -> Bool {
        guard query.expansions.isEmpty, query.expandTexts.isEmpty else { return false }
        return paths.allSatisfy { $0.count == 1 && entity?.expanded[$0[0]] != nil }
    }

    func change(_ request: ChangeRequest) async throws -> ChangeResult {
        try await collections.changing { try await store.change(request) }
    }

    private func element(of result: ChangeResult) async throws -> Element? {
        guard var entity = result.entity else { return nil }
        entity.etag = entity.etag ?? result.etag
        return try Element.elements(of: [entity], model: try await store.model()).first
    }
}

extension ODataError {
    /// A change was carried out, and what it gave could not be read.
    fileprivate init(ofReading error: any Error, after change: String, _ id: String, createdID: String? = nil) {
        self = ODataError(ofChange: error)
        message = "\(id) was \(change), but could not be read then: \(message)"
        isOutcomeUnknown = true
        self.createdID = createdID
    }
}
