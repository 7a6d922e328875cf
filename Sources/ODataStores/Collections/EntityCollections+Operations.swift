import ODataModel
import ODataQuery

/// Operations of the service itself, by the names of their imports.
///
/// [OData-CSDLXML, sections 13.5 and 13.6]
extension EntityCollections {
    /// A function. Arguments that are nil stand for optional parameters that are left out.
    public func function(_ name: String, _ arguments: KeyValuePairs<String, EdmValue?> = [:]) -> FunctionCall {
        FunctionCall(self, path: percentEncoded(name), arguments)
    }

    /// Calls an action. Arguments that are nil stand for optional parameters that are left out.
    ///
    /// - Throws: ``ODataError``.
    @discardableResult
    public func action(
        _ name: String, _ arguments: KeyValuePairs<String, EdmValue?> = [:]
    ) async throws -> ActionResult {
        try await call(percentEncoded(name), arguments)
    }

    /// Notifies the observers of collections that something may have changed, after an error too.
    func changing(_ change: () async throws -> ChangeResult) async throws -> ChangeResult {
        defer { changes.announce() }
        return try await change()
    }

    /// - Parameter path: Of the action, percent-encoded.
    func call(_ path: String, _ arguments: KeyValuePairs<String, EdmValue?>) async throws -> ActionResult {
        let target = try await of(DynamicEntity.self, in: "").path(path)
        let members = arguments.compactMap { name, value in
            value.map { EdmComplexValue.Member(name: name, value: $0) }
        }
        let request = ChangeRequest(target, .call(arguments: EdmComplexValue(members)))
        let result = try await changing { try await store.change(request) }
        return ActionResult(result: result.called, path: path)
    }
}

/// Operations that are bound to entities or to collections of them, by their qualified names.
///
/// [OData-CSDLXML, section 12.3]
extension EntityCollection {
    /// A function of all entities, whatever `where` and the like say.
    public func function(_ name: String, _ arguments: KeyValuePairs<String, EdmValue?> = [:]) -> FunctionCall {
        FunctionCall(collections, path: "\(query.path)/\(percentEncoded(name))", arguments)
    }

    /// A function of one entity.
    ///
    /// - Throws: ``ODataError`` `badRequest` for an entity without a key.
    public func function(
        _ name: String, of element: Element, _ arguments: KeyValuePairs<String, EdmValue?> = [:]
    ) throws -> FunctionCall {
        let path = "\(try location(of: element))/\(percentEncoded(name))"
        return FunctionCall(collections, path: path, arguments)
    }

    /// Calls an action of all entities, whatever `where` and the like say.
    @discardableResult
    public func action(
        _ name: String, _ arguments: KeyValuePairs<String, EdmValue?> = [:]
    ) async throws -> ActionResult {
        try await collections.call("\(query.path)/\(percentEncoded(name))", arguments)
    }

    /// Calls an action of one entity, whatever its version.
    @discardableResult
    public func action(
        _ name: String, of element: Element, _ arguments: KeyValuePairs<String, EdmValue?> = [:]
    ) async throws -> ActionResult {
        let path = "\(try location(of: element))/\(percentEncoded(name))"
        return try await collections.call(path, arguments)
    }

    /// The entity of a singleton, or that a function gives.
    ///
    /// - Throws: ``ODataError``; `notFound` where there is none.
    public func one() async throws -> Element {
        guard let element = try await oneIfAny() else {
            throw ODataError(.notFound, "\(query.path) is null.")
        }
        return element
    }

    /// The entity of a singleton, or that a function gives; nil where there is none.
    public func oneIfAny() async throws -> Element? { try await findAll().first }
}

extension CollectionElement {
    /// The entity as an argument of an action: its id, or its values where it has none.
    ///
    /// [OData-JSON, section 18: Action Invocation]
    public var argument: EdmValue {
        .complex(entityID.map { ["@odata.id": .string($0)] } ?? creation.properties)
    }
}
