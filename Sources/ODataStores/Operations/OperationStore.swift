import ODataModel
import ODataQuery
import Synchronization

/// A store with operations written in Swift: those of ``OperationHandlers``, on top of whatever store.
///
/// Requests without an operation are the base store's. Where an operation gives a query of the base store, all further
/// path segments and query options become part of that query.
///
/// [OData-Protocol, section 11.5]
public final class OperationStore: ODataStore {
    /// The store without the operations.
    public let base: any ODataStore
    private let operations: OperationHandlers
    private let combined = Mutex<(base: EdmModel, whole: EdmModel)?>(nil)

    /// - Parameters:
    ///   - base: Has the data.
    ///   - operations: What is added to its model; other operations of the base store stay its own.
    public init(_ base: any ODataStore, operations: OperationHandlers) {
        self.base = base
        self.operations = operations
    }

    /// As the base store.
    public var recognizesRepeatedRequests: Bool { base.recognizesRepeatedRequests }

    /// True of actions that say what they do, where the base store records calls with their changes, as the one of
    /// SQLite files does. Calls of other actions with ``ChangeRequest/repeatability`` are refused.
    public func recognizesRepeatedCalls(of action: EdmOperationDeclaration) -> Bool {
        operations.handler(of: action) == nil
            ? base.recognizesRepeatedCalls(of: action) : operations.recorder(of: action, in: base) != nil
    }

    /// The base store's model with the operations and their imports.
    public func model() async throws -> EdmModel {
        let model = try await base.model()
        if let known = combined.withLock({ $0 }), known.base == model { return known.whole }
        let whole = operations.added(to: model)
        combined.withLock { $0 = (model, whole) }
        return whole
    }

    public func currentModel() async throws -> EdmModel {
        _ = try await base.currentModel()
        return try await model()
    }

    public func read(_ request: ReadRequest) async throws -> ReadResult {
        if let link = request.continuation { return try await readOn(request, link: link) }
        guard !QuerySets(request.query).operations.isEmpty else { return try await base.read(request) }
        let resolver = try await resolver(for: request.scope)
        var request = request
        var functions = FunctionEvaluation(resolver)
        request.query = try await functions.evaluated(request.query)
        guard request.query.path.hasOperation else { return try await base.read(request) }
        return try await resolver.read(request)
    }

    public func readStream(_ request: StreamRequest) async throws -> StreamResult {
        guard request.path.hasOperation else { return try await base.readStream(request) }
        var request = request
        request.path = try await resolver(for: request.scope).basePath(request.path)
        return try await base.readStream(request)
    }

    public func change(_ request: ChangeRequest) async throws -> ChangeResult {
        let request = try await evaluated(request)
        guard request.target.hasOperation else { return try await base.change(request) }
        guard let result = try await changeSet([request]).first else {
            throw ODataError.noResult(of: "The change")
        }
        return result
    }

    /// What actions of the set see is the store before it.
    public func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] {
        var given = requests
        for index in requests.indices { given[index] = try await evaluated(requests[index]) }
        let requests = given
        guard requests.contains(where: \.target.hasOperation) else { return try await base.changeSet(requests) }
        return try await ActionRun(resolver: try await resolver(for: requests.first?.scope)).run(requests)
    }

    /// A link belongs to the base store's query that it was made for.
    private func readOn(_ request: ReadRequest, link: String) async throws -> ReadResult {
        guard request.query.path.hasOperation else { return try await base.read(request) }
        var request = request
        do {
            request.query = try QueryParser(model: try await model()).link(link)
        } catch let error as QueryError {
            throw ODataError(.badRequest, error.description, cause: error)
        }
        return try await base.read(request)
    }

    /// The change of what `Products/$filter(Price gt Shop.Least())/$each` leads to.
    private func evaluated(_ request: ChangeRequest) async throws -> ChangeRequest {
        guard !QuerySets(request.target).operations.isEmpty else { return request }
        var request = request
        var functions = FunctionEvaluation(try await resolver(for: request.scope))
        request.target = try await functions.evaluated(request.target)
        return request
    }

    /// Handlers of apps get the very store; those of a service's request are held to its limits.
    private func resolver(for scope: WorkScope?) async throws -> OperationResolver {
        let scope = scope ?? WorkScope()
        return OperationResolver(
            base: base, store: scope == WorkScope() ? base : ScopedStore(base: base, scope: scope),
            model: try await model(), operations: operations)
    }
}

extension OperationStore: ImmediateStore {
    package func immediateResult(of request: ReadRequest, model: EdmModel) -> ImmediateResult? {
        guard let store = base as? any ImmediateStore, let own = baseModel(of: model),
            QuerySets(request.query).operations.isEmpty
        else { return nil }
        return store.immediateResult(of: request, model: own)
    }

    package func isCurrent(_ model: EdmModel) -> Bool {
        guard let store = base as? any ImmediateStore, let own = baseModel(of: model) else { return false }
        return store.isCurrent(own)
    }

    /// The model of the base store that `model` was made of last.
    private func baseModel(of model: EdmModel) -> EdmModel? {
        combined.withLock { $0 }.flatMap { $0.whole == model ? $0.base : nil }
    }
}

extension ResourcePath {
    /// Whether the path contains an operation.
    var hasOperation: Bool {
        if case .operation = root { return true }
        return segments.contains { if case .operation = $0 { true } else { false } }
    }
}
