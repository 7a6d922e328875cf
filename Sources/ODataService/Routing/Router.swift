import HTTPTypes
import ODataQuery
import ODataStores

/// The action for each method on each kind of resource.
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

/// Responds to one method on one kind of resource.
protocol RequestHandler: Sendable {
    /// - Throws: Anything: ``ServiceFailure/init(_:)`` gives it its status.
    func respond(to call: ServiceCall) async throws -> ServiceResponse
}

/// Responds to reads whose responses may be there without a wait.
protocol ImmediateHandler: RequestHandler {
    /// Nil for a request that ``RequestHandler/respond(to:)`` is to respond to, as after an error.
    func immediateResponse(to call: ServiceCall, from store: any ImmediateStore) throws -> ServiceResponse?
}

enum Router {
    /// HEAD has the action of GET.
    static let routes: [Route] = [
        Route(.get, .serviceDocument, ReadServiceDocument()),
        Route(.get, .metadata, ReadMetadata()),
        Route(.post, .batch, RunBatch()),

        Route(.get, .collection, ReadCollection()),
        Route(.post, .collection, CreateEntity()),
        Route(.patch, .collection, UpdateCollection()),
        Route(.get, .count, ReadCount()),
        Route(.patch, .members, UpdateMembers()),
        Route(.delete, .members, DeleteEntity()),

        Route(.get, .entity, ReadEntity()),
        Route(.patch, .entity, UpdateEntity()),
        Route(.put, .entity, UpdateEntity(replaces: true)),
        Route(.delete, .entity, DeleteEntity()),

        Route(.get, .references, ReadReferences()),
        Route(.post, .references, AddReference()),
        Route(.put, .references, ReplaceReferences()),
        Route(.delete, .references, RemoveReference()),
        Route(.get, .reference, ReadReference()),
        Route(.put, .reference, AddReference()),
        Route(.delete, .reference, RemoveReference()),

        Route(.get, .property, ReadProperty()),
        Route(.put, .property, SetProperty()),
        Route(.patch, .property, SetProperty()),
        Route(.delete, .property, DeleteProperty()),
        Route(.get, .complexProperty, ReadProperty()),
        Route(.put, .complexProperty, SetProperty()),
        Route(.patch, .complexProperty, UpdateComplexProperty()),
        Route(.delete, .complexProperty, DeleteProperty()),
        Route(.get, .collectionProperty, ReadProperty()),
        Route(.put, .collectionProperty, SetProperty()),
        Route(.post, .collectionProperty, InsertValue()),
        Route(.delete, .collectionProperty, ClearCollection()),
        Route(.get, .rawValue, ReadRawValue()),
        Route(.put, .rawValue, SetRawValue()),
        Route(.delete, .rawValue, DeleteProperty()),

        Route(.get, .media, ReadStream()),
        Route(.put, .media, ReplaceStream()),
        Route(.delete, .media, DeleteStream()),
        Route(.get, .stream, ReadStream()),
        Route(.put, .stream, ReplaceStream()),
        Route(.delete, .stream, DeleteStream()),

        Route(.get, .functionValue, ReadProperty()),
        Route(.get, .rawFunctionValue, ReadRawValue()),
        Route(.post, .action, InvokeAction()),
    ]

    /// The methods of HTTP that the protocol uses; others are not implemented.
    static let known: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

    /// The handler of a method on a kind of resource; nil without one.
    ///
    /// - Throws: 501 for a method that is not the protocol's.
    static func route(_ method: HTTPRequest.Method, _ kind: ResourceKind, isV2: Bool) throws -> Route? {
        guard known.contains(method) || (isV2 && method == .merge) else {
            throw ServiceFailure(.notImplemented, "The method \(method.rawValue) is not supported.")
        }
        let sought = method == .head ? .get : method
        return (isV2 ? v2Routes : routes).first { $0.kind == kind && $0.method == sought }
    }

    /// The allowed methods, for `Allow`.
    static func allowed(
        _ kind: ResourceKind, isReadOnly: Bool, isV2: Bool = false
    ) -> [HTTPRequest.Method] {
        let methods = (isV2 ? v2Routes : routes)
            .filter { $0.kind == kind && !(isReadOnly && $0.action.isChange) }.map(\.method)
        return methods + (methods.contains(.get) ? [.head, .options] : [.options])
    }
}

extension RequestHandler {
    /// Whether the request changes something.
    var isChange: Bool { self is any ChangeHandler || self is UpdateCollection || self is ReplaceReferences }
}
