import HTTPTypes

/// Who answers which method on which kind of resource.
struct Route: Sendable {
    let method: HTTPRequest.Method
    let kind: ResourceKind
    let action: any RequestHandler

    init(_ method: HTTPRequest.Method, _ kind: ResourceKind, _ action: any RequestHandler) {
        self.method = method
        self.kind = kind
        self.action = action
    }
}

/// Answers one method on one kind of resource.
protocol RequestHandler: Sendable {
    /// - Throws: Anything: ``ServiceFailure/init(_:)`` gives it its status.
    func respond(to call: ServiceCall) async throws -> ServiceResponse
}

enum Router {
    /// HEAD is answered as GET is.
    static let routes: [Route] = [
        Route(.get, .serviceDocument, ReadServiceDocument()),
        Route(.get, .metadata, ReadMetadata()),
        Route(.post, .batch, RunBatch()),

        Route(.get, .collection, ReadCollection()),
        Route(.post, .collection, CreateEntity()),
        Route(.get, .count, ReadCount()),

        Route(.get, .entity, ReadEntity()),
        Route(.patch, .entity, UpdateEntity()),
        Route(.put, .entity, ReplaceEntity()),
        Route(.delete, .entity, DeleteEntity()),

        Route(.get, .references, ReadReferences()),
        Route(.post, .references, AddReference()),
        Route(.delete, .references, RemoveReference()),
        Route(.get, .reference, ReadReference()),
        Route(.put, .reference, AddReference()),
        Route(.delete, .reference, RemoveReference()),

        Route(.get, .property, ReadProperty()),
        Route(.put, .property, SetProperty()),
        Route(.delete, .property, DeleteProperty()),
        Route(.get, .rawValue, ReadRawValue()),
        Route(.put, .rawValue, SetRawValue()),
        Route(.delete, .rawValue, DeleteProperty()),

        Route(.get, .media, ReadStream()),
        Route(.put, .media, ReplaceStream()),
        Route(.delete, .media, DeleteStream()),
        Route(.get, .stream, ReadStream()),
        Route(.put, .stream, ReplaceStream()),
        Route(.delete, .stream, DeleteStream()),
    ]

    /// - Throws: 405 with `Allow` where nobody answers `method`.
    static func route(_ method: HTTPRequest.Method, _ kind: ResourceKind, isReadOnly: Bool) throws -> Route {
        let candidates = routes.filter { $0.kind == kind && !(isReadOnly && $0.action is any ChangeHandler) }
        let sought = method == .head ? .get : method
        guard let route = candidates.first(where: { $0.method == sought }) else {
            let methods = candidates.map(\.method)
            throw ServiceFailure.methodNotAllowed(method, allowed: methods.contains(.get) ? methods + [.head] : methods)
        }
        return route
    }
}
