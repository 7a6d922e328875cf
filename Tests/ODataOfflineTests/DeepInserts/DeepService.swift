import ODataModel
import ODataQuery
import ODataStores
import Synchronization

/// Passes changes on to a store as a service with a habit about deep inserts does, and keeps what came.
final class DeepService: ODataStore {
    struct Habits {
        /// Nested entities are refused with this.
        var refusal: (code: ODataError.Code, status: Int)?
        /// The outer entity is made before that.
        var keepsOuter = false
        /// Nested entities are passed over.
        var ignoresNested = false
        /// A product or customer that is refused, nested too.
        var refusesProduct: String?
        /// New orders without items are refused.
        var wantsItems = false
        /// There are no batches.
        var hasNoBatches = false
        /// What is executed has no response.
        var losesResponses = false
        /// Nothing arrives, and there is no response.
        var losesRequests = false
        /// `$expand` is refused.
        var refusesExpand = false
        /// Texts are kept otherwise.
        var storesUpperCase = false
        /// What the metadata say of the container.
        var annotations: [EdmAnnotation] = []
    }

    private let base: any ODataStore
    private let state: Mutex<(habits: Habits, lines: [String], requests: [ChangeRequest])>

    init(_ base: any ODataStore, _ habits: Habits = Habits()) {
        self.base = base
        state = Mutex((habits, [], []))
    }

    /// `Orders{Items:2}`; in brackets for a change set.
    var lines: [String] { state.withLock { $0.lines } }
    var requests: [ChangeRequest] { state.withLock { $0.requests } }

    func use(_ habits: Habits) { state.withLock { $0 = (habits, [], []) } }

    private var habits: Habits { state.withLock { $0.habits } }

    func model() async throws -> EdmModel {
        let model = try await base.model()
        guard !habits.annotations.isEmpty else { return model }
        var schemas = model.schemas
        schemas[0].containerAnnotations += habits.annotations
        return try EdmModel(schemas: schemas)
    }

    func read(_ request: ReadRequest) async throws -> ReadResult {
        guard !habits.refusesExpand || request.query.options.expand.isEmpty else {
            throw ODataError(.notImplemented, "No $expand.")
        }
        return try await base.read(request)
    }

    func readStream(_ request: StreamRequest) async throws -> StreamResult { try await base.readStream(request) }

    func change(_ request: ChangeRequest) async throws -> ChangeResult {
        note([request], line: Self.line(request))
        let request = try await received(request)
        let result = try await base.change(request)
        if habits.losesResponses { throw Self.noResponse }
        return result
    }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] {
        note(requests, line: "[\(requests.map(Self.line).joined(separator: " "))]")
        guard !habits.hasNoBatches else { throw ODataError(.batchRefused, "No batches.") }
        var received: [ChangeRequest] = []
        for request in requests { received.append(try await self.received(request)) }
        let results = try await base.changeSet(received)
        if habits.losesResponses { throw Self.noResponse }
        return results
    }

    private func note(_ requests: [ChangeRequest], line: String) {
        state.withLock { state in
            state.lines.append(line)
            state.requests += requests
        }
    }

    private func received(_ request: ChangeRequest) async throws -> ChangeRequest {
        if habits.losesRequests { throw Self.noResponse }
        guard case .create(var payload) = request.operation else { return request }
        if !payload.nested.isEmpty, let refusal = habits.refusal {
            if habits.keepsOuter {
                _ = try await base.change(ChangeRequest(request.target, .create(payload.withoutNested)))
            }
            var error = ODataError(refusal.code, "No nested entities here.")
            error.status = refusal.status
            throw error
        }
        if let product = habits.refusesProduct, payload.names(product) {
            var error = ODataError(.badRequest, "No \(product) here.")
            error.status = 400
            throw error
        }
        if habits.wantsItems, request.target.entitySet?.name == "Orders", payload.nested.isEmpty {
            var error = ODataError(.badRequest, "An order has items.")
            error.status = 400
            throw error
        }
        if habits.ignoresNested { payload = payload.withoutNested }
        var request = request
        // The service knows no repeated requests.
        request.repeatability = nil
        request.operation = .create(habits.storesUpperCase ? payload.upperCase : payload)
        return request
    }

    private static func line(_ request: ChangeRequest) -> String {
        guard case .create(let payload) = request.operation else { return request.target.url }
        return request.target.url + shape(payload)
    }

    private static func shape(_ payload: EntityPayload) -> String {
        guard !payload.nested.isEmpty else { return "" }
        let parts = payload.nested.map { "\($0.navigation):\($0.entities.count)\($0.entities.first.map(shape) ?? "")" }
        return "{\(parts.joined(separator: ","))}"
    }

    private static var noResponse: ODataError {
        var error = ODataError(.unreachable, "The connection was lost.")
        error.isOutcomeUnknown = true
        return error
    }
}

extension EntityPayload {
    fileprivate func names(_ product: String) -> Bool {
        [properties["Product"], properties["CustomerID"]].contains(.string(product))
            || nested.flatMap(\.entities).contains { $0.names(product) }
    }

    fileprivate var withoutNested: EntityPayload {
        var payload = self
        payload.nested = []
        return payload
    }

    fileprivate var upperCase: EntityPayload {
        var payload = self
        for member in properties.members {
            guard case .string(let text) = member.value, member.name != "CustomerID" else { continue }
            payload.properties[member.name] = .string(text.uppercased())
        }
        for index in nested.indices { payload.nested[index].entities = nested[index].entities.map(\.upperCase) }
        return payload
    }
}
