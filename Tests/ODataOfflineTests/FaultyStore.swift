import ODataModel
import ODataQuery
import ODataStores
import Synchronization

/// Passes everything on to a store, but fails where the plan says.
final class FaultyStore: ODataStore {
    struct Plan {
        /// Reads fail from this one on, counted from 1.
        var failingRead: Int?
        /// Changes that are executed but whose answer is lost.
        var lostAnswers: Set<Int> = []
        /// The service cannot be reached by changes from this one on.
        var failingChange: Int?
        /// Streams of these paths are broken.
        var brokenStreams: Set<String> = []
        var tracksChanges = true
        var goneDelta = false
    }

    struct Count {
        var reads = 0
        var changes = 0
        var streams = 0
        var requests: [String] = []
    }

    private let base: any ODataStore
    private let state: Mutex<(plan: Plan, count: Count)>

    init(_ base: any ODataStore, _ plan: Plan = Plan()) {
        self.base = base
        state = Mutex((plan, Count()))
    }

    var count: Count { state.withLock { $0.count } }
    func set(_ plan: Plan) { state.withLock { $0 = (plan, Count()) } }

    func model() async throws -> Model { try await base.model() }

    func read(_ request: ReadRequest) async throws -> ReadResult {
        var request = request
        try state.withLock { state in
            state.count.reads += 1
            if let limit = state.plan.failingRead, state.count.reads >= limit { throw Self.unreachable }
            if state.plan.goneDelta, request.continuation?.contains("deltatoken") == true {
                throw ODataError(.gone, "The token is not known any more.")
            }
            if !state.plan.tracksChanges { request.tracksChanges = false }
        }
        return try await base.read(request)
    }

    func change(_ request: ChangeRequest) async throws -> ChangeResult {
        let isLost = try state.withLock { state in
            state.count.changes += 1
            state.count.requests.append(request.target.url)
            if let limit = state.plan.failingChange, state.count.changes >= limit { throw Self.unreachable }
            return state.plan.lostAnswers.contains(state.count.changes)
        }
        let result = try await base.change(request)
        guard isLost else { return result }
        var error = Self.unreachable
        error.isOutcomeUnknown = true
        throw error
    }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { try await base.changeSet(requests) }

    func readStream(_ request: StreamRequest) async throws -> StreamResult {
        try state.withLock { state in
            state.count.streams += 1
            if state.plan.brokenStreams.contains(request.path.url) {
                throw ODataError(.forbidden, "Broken on purpose.")
            }
        }
        return try await base.readStream(request)
    }

    private static var unreachable: ODataError { ODataError(.unreachable, "Cut on purpose.") }
}
