import ODataModel
import ODataQuery

/// Applies changes among which actions are called: what the actions plan and all other changes happen together.
struct ActionRun {
    /// What became of one request.
    private enum Step {
        /// A change of the base store, at this position of all changes.
        case change(Int)
        /// An action: what it gives, and the wishes of the request.
        case planned(OperationResult, ChangeRequest)
        /// The same of a call that is recorded, at this position of all such calls.
        case recorded(Int, ChangeRequest)
    }

    private struct Plan {
        var changes: [ChangeRequest] = []
        /// Nil if the request calls no action.
        var result: OperationResult?
        /// Whether the call is recorded with its changes.
        var isRecorded = false
    }

    let resolver: OperationResolver

    func run(_ requests: [ChangeRequest]) async throws -> [ChangeResult] {
        var changes: [ChangeRequest] = []
        var origins: [Int] = []
        var calls: [RepeatableCall] = []
        var steps: [Step] = []
        for (index, request) in requests.enumerated() {
            do {
                let plan = try await plan(request, isAlone: requests.count == 1)
                let places = changes.count..<(changes.count + plan.changes.count)
                if let result = plan.result, plan.isRecorded {
                    steps.append(.recorded(calls.count, request))
                    calls.append(RepeatableCall(request: request, changes: places, result: queried(result)))
                } else {
                    steps.append(plan.result.map { .planned($0, request) } ?? .change(changes.count))
                }
                changes += plan.changes
                origins += places.map { _ in index }
            } catch { throw Self.located(error, at: index) }
        }
        let results = try await apply(changes, calls: calls, origins: origins)
        var responses: [ChangeResult] = []
        for step in steps {
            switch step {
            case .change(let position): responses.append(results.changes[position])
            case .planned(let result, let request): responses.append(try await changeResult(result, to: request))
            case .recorded(let position, let request):
                responses.append(try await changeResult(results.calls[position], to: request))
            }
        }
        return responses
    }

    private func apply(
        _ changes: [ChangeRequest], calls: [RepeatableCall], origins: [Int]
    ) async throws -> (changes: [ChangeResult], calls: [OperationResult]) {
        guard !changes.isEmpty || !calls.isEmpty else { return ([], []) }
        do {
            if !calls.isEmpty, let store = resolver.base as? any ActionRecordingStore {
                return try await store.changeSet(changes, calls: calls)
            }
            let results =
                changes.count == 1
                ? [try await resolver.store.change(changes[0])] : try await resolver.store.changeSet(changes)
            return (results, [])
        } catch {
            let position = (error as? ODataError)?.requestIndex ?? 0
            throw Self.located(error, at: origins.indices.contains(position) ? origins[position] : 0)
        }
    }

    /// The changes of one request; with a result if it calls an action.
    private func plan(_ request: ChangeRequest, isAlone: Bool) async throws -> Plan {
        guard case .call(let arguments) = request.operation else {
            var request = request
            if request.target.hasOperation { request.target = try await resolver.basePath(request.target) }
            return Plan(changes: [request])
        }
        let recorder = try recorder(of: request)
        if let earlier = try await recorder?.recorded(request) { return Plan(result: earlier) }
        let isRecorded = recorder != nil
        let (operation, binding) = try await action(request.target)
        let values = try ArgumentCheck(operation: operation, model: resolver.model).checked(arguments)
        if let binding, binding.segments.last == .each {
            let changes = try await planEach(operation, arguments: values, of: binding, request)
            return Plan(changes: changes, result: .nothing, isRecorded: isRecorded)
        }
        if let binding { try await checkConditions(request, binding: binding) }
        let invocation = resolver.invocation(operation, arguments: values, binding: binding)
        switch resolver.operations.handler(of: operation) {
        case .planned(let planner):
            let plan = try await planner(invocation)
            return Plan(changes: plan.changes, result: plan.result, isRecorded: isRecorded)
        case .performed(let handler):
            guard isAlone else {
                throw ODataError(
                    .notImplemented, "\(operation.name) cannot be undone: call it outside of a change set.")
            }
            return Plan(result: try await handler(invocation))
        case .function, nil:
            throw ODataError(.notImplemented, "The action \(operation.name) is declared, but nothing executes it.")
        }
    }

    /// Where a call with a ``RepeatabilityHeaders`` is recorded; nil for one without.
    ///
    /// - Throws: ``ODataError`` `notImplemented` where it is not: it could happen twice.
    private func recorder(of request: ChangeRequest) throws -> (any ActionRecordingStore)? {
        guard request.repeatability != nil, let action = request.target.lastCall?.operation,
            resolver.operations.handler(of: action) != nil
        else { return nil }
        guard let recorder = resolver.operations.recorder(of: action, in: resolver.base) else {
            throw ODataError(
                .notImplemented,
                "What \(action.name) has done is not remembered: call it without Repeatability-Request-ID.")
        }
        return recorder
    }

    /// The result as one that can be recorded: members by a query for them.
    private func queried(_ result: OperationResult) -> OperationResult {
        guard case .members(let keys, let set) = result else { return result }
        return .query(resolver.members(keys, of: set))
    }

    /// `Products/$filter(Price gt 5)/$each/Model.Approve`: what the action plans for all members.
    ///
    /// [OData-URL, section 4.14]
    private func planEach(
        _ operation: EdmOperationDeclaration, arguments: EdmComplexValue, of binding: ResourcePath,
        _ request: ChangeRequest
    ) async throws -> [ChangeRequest] {
        guard case .planned(let planner) = resolver.operations.handler(of: operation) else {
            throw ODataError(
                .notImplemented, "\(operation.name) cannot be undone: call it on one entity after the other.")
        }
        guard operation.result == nil || request.returnPreference == .minimal else {
            throw ODataError(
                .notImplemented,
                "The results of \(operation.name) for each member are not returned: ask with Prefer: return=minimal.")
        }
        guard request.ifMatch == nil, request.ifNoneMatch == nil else {
            throw ODataError(.badRequest, "The members of a collection have no ETag in common: leave out If-Match.")
        }
        let collection = ResourcePath(root: binding.root, segments: Array(binding.segments.dropLast()))
        var changes: [ChangeRequest] = []
        for member in try await resolver.members(of: collection) {
            changes += try await planner(resolver.invocation(operation, arguments: arguments, binding: member)).changes
        }
        return changes
    }

    private func action(_ target: ResourcePath) async throws -> (EdmOperationDeclaration, ResourcePath?) {
        if case .operation(let call) = target.segments.last {
            var binding = ResourcePath(root: target.root, segments: Array(target.segments.dropLast()))
            if binding.hasOperation { binding = try await resolver.basePath(binding) }
            return (call.operation, binding)
        }
        guard case .operation(let call) = target.root, target.segments.isEmpty else {
            throw ODataError(.badRequest, "\(target.url) is not an action.")
        }
        return (call.operation, nil)
    }

    /// `If-Match` of a call is about the entity that the action is bound to, which must exist.
    private func checkConditions(_ request: ChangeRequest, binding: ResourcePath) async throws {
        guard binding.target == .entity else { return }
        var read = ReadRequest(BoundQuery(path: binding))
        read.ifMatch = request.ifMatch
        read.ifNoneMatch = request.ifNoneMatch
        let result = try await resolver.store.read(read)
        switch result.body {
        case .notModified: throw ODataError(.preconditionFailed, "The entity is as If-None-Match forbids.")
        case .entities(let reader):
            guard try await reader.next()?.rows.isEmpty == false else { fallthrough }
        case .nothing: throw ODataError(.notFound, "There is no entity to call the action on.")
        case .value, .count: break
        }
    }

    /// What cannot be shown of a call that is recorded is left out: it has happened.
    private func changeResult(_ result: OperationResult, to request: ChangeRequest) async throws -> ChangeResult {
        let bare = ChangeResult(.called, isRepeatable: request.repeatability != nil)
        guard request.returnPreference != .minimal else { return bare }
        do { return try await shown(result, of: request, in: bare) } catch _ where bare.isRepeatable { return bare }
    }

    private func shown(
        _ result: OperationResult, of request: ChangeRequest, in bare: ChangeResult
    ) async throws -> ChangeResult {
        var response = bare
        var read = ReadRequest(BoundQuery(path: request.target, options: request.resultOptions))
        switch result {
        case .nothing: return response
        case .value(let value):
            guard let type = request.target.valueType else { return response }
            response.called = try ValueResult(value, type).result(request.resultOptions)
        case .entities(let entities):
            guard let call = request.target.lastCall else { return response }
            response.called = try EntityListResult(entities: entities, call: call, model: resolver.model)
                .result(read.query, rest: [])
        case .query(let query):
            read.query = try await resolver.composed(query, with: request.resultOptions)
            response.called = try await resolver.store.read(read)
            response.path = query.path.target == .entity ? query.path : nil
        case .members(let keys, let set):
            read.query = try await resolver.composed(resolver.members(keys, of: set), with: request.resultOptions)
            response.called = try await resolver.store.read(read)
        }
        return response
    }

    private static func located(_ error: any Error, at index: Int) -> any Error {
        guard var error = error as? ODataError else { return error }
        error.requestIndex = index
        return error
    }
}

extension ResourcePath {
    /// The operation that the path ends with.
    package var lastCall: OperationCall? {
        if case .operation(let call) = segments.last { return call }
        if segments.isEmpty, case .operation(let call) = root { return call }
        return nil
    }
}
