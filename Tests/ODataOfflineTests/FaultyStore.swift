import ByteStreams
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Synchronization
import Testing

/// Passes everything on to a store, but fails where the plan says.
final class FaultyStore: ODataStore {
    struct Plan {
        /// Reads fail from this one on, counted from 1.
        var failingRead: Int?
        /// What they fail with; nil: the service cannot be reached.
        var failingReadStatus: Int?
        /// Changes that are executed but whose response is lost.
        var lostResponses: Set<Int> = []
        /// Changes that are lost on their way, without the client knowing.
        var lostRequests: Set<Int> = []
        /// The service knows nothing of repeated requests.
        var isForgetful = false
        /// The service does not take requests with ids: their first sending is too long ago.
        var refusesRepetition = false
        /// Changes that are refused with 409.
        var refusedChanges: Set<Int> = []
        /// The service takes no request with an id at all.
        var refusesIDs = false
        /// The service cannot be reached by changes from this one on.
        var failingChange: Int?
        /// Streams of these paths are broken.
        var brokenStreams: Set<String> = []
        /// The digest that the service tells of all streams.
        var digest: String?
        var tracksChanges = true
        var goneDelta = false
        /// The next link that follows so many leads back to the first of them.
        var circle: Int?
        /// Changes begin with one to a link, in so many bytes.
        var linkChange: Int?
    }

    struct Count {
        var reads = 0
        var changes = 0
        /// The paths of the streams that were asked for.
        var streamPaths: [String] = []
        var streams: Int { streamPaths.count }
        /// The bytes of streams that were read.
        var streamBytes = 0
        var requests: [String] = []
        var nextLinks: [String] = []
        var headers: [[HeaderField]] = []
        var firstSent: [String?] = []
    }

    private let base: any ODataStore
    private let state: Mutex<(plan: Plan, count: Count)>

    init(_ base: any ODataStore, _ plan: Plan = Plan()) {
        self.base = base
        state = Mutex((plan, Count()))
    }

    var count: Count { state.withLock { $0.count } }
    func set(_ plan: Plan) { state.withLock { $0 = (plan, Count()) } }

    /// Executes what `store` uploads without a response to the first request, which it does not recognise again.
    func loseResponse(to store: OfflineStore) async {
        var plan = Plan()
        plan.isForgetful = true
        plan.lostResponses = [1]
        set(plan)
        await #expect(throws: ODataError.self) { try await store.upload() }
        plan.lostResponses = []
        set(plan)
    }

    func model() async throws -> EdmModel { try await base.model() }

    func read(_ request: ReadRequest) async throws -> ReadResult {
        var request = request
        try state.withLock { state in
            state.count.reads += 1
            if let limit = state.plan.failingRead, state.count.reads >= limit {
                guard let status = state.plan.failingReadStatus else { throw Self.unreachable }
                var error = ODataError(.internalError, "The gateway is not well.")
                error.status = status
                throw error
            }
            if state.plan.goneDelta, request.continuation?.contains("deltatoken") == true {
                throw ODataError(.gone, "The token is not known any more.")
            }
            if !state.plan.tracksChanges { request.tracksChanges = false }
        }
        var result = try await base.read(request)
        guard case .entities(let reader) = result.body else { return result }
        var blocks: [RowBlock] = []
        while var block = try await reader.next() {
            block.nextLink = block.nextLink.map(passedOn)
            blocks.append(block)
        }
        if let size = state.withLock({ $0.plan.linkChange }), request.continuation?.contains("deltatoken") == true {
            blocks.insert(Self.linkChange(size), at: 0)
        }
        result.body = .entities(RowBlocks(blocks, shape: reader.shape))
        return result
    }

    private func passedOn(_ link: String) -> String {
        state.withLock { state in
            if let circle = state.plan.circle, state.count.nextLinks.count >= circle { return state.count.nextLinks[0] }
            state.count.nextLinks.append(link)
            return link
        }
    }

    private static func linkChange(_ size: Int) -> RowBlock {
        var block = RowBlock()
        block.buffer = Array(repeating: 0, count: size)
        var header = RowHeader()
        header.change = .addedLink
        block.rows.append(header)
        return block
    }

    func change(_ request: ChangeRequest) async throws -> ChangeResult {
        let (requests, isLost) = try passed([request])
        let result = try await base.change(requests[0])
        guard isLost else { return result }
        throw Self.noResponse
    }

    /// A change set counts as one change.
    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] {
        let (requests, isLost) = try passed(requests)
        let results = try await base.changeSet(requests)
        guard isLost else { return results }
        throw Self.noResponse
    }

    private func passed(_ requests: [ChangeRequest]) throws -> (requests: [ChangeRequest], isLost: Bool) {
        var requests = requests
        let isLost = try state.withLock { state in
            state.count.changes += 1
            state.count.requests += requests.map(\.target.url)
            state.count.headers += requests.map(\.headers)
            state.count.firstSent += requests.map(\.repeatability?.firstSent)
            if let limit = state.plan.failingChange, state.count.changes >= limit { throw Self.unreachable }
            if state.plan.lostRequests.contains(state.count.changes) { throw Self.noResponse }
            if state.plan.refusedChanges.contains(state.count.changes) {
                throw ODataError(.conflict, "Somebody else works on it.")
            }
            if state.plan.refusesRepetition, requests.contains(where: { $0.repeatability != nil }) {
                throw ODataError(.preconditionFailed, "First sent too long ago.")
            }
            if state.plan.refusesIDs, requests.contains(where: { $0.repeatability != nil }) {
                throw ODataError(.notImplemented, "Repeatable requests are not supported.")
            }
            if state.plan.isForgetful { for index in requests.indices { requests[index].repeatability = nil } }
            return state.plan.lostResponses.contains(state.count.changes)
        }
        return (requests, isLost)
    }

    private static var noResponse: ODataError {
        var error = Self.unreachable
        error.isOutcomeUnknown = true
        return error
    }

    func readStream(_ request: StreamRequest) async throws -> StreamResult {
        let digest = try state.withLock { state in
            state.count.streamPaths.append(request.path.url)
            if state.plan.brokenStreams.contains(request.path.url) {
                throw ODataError(.forbidden, "Broken on purpose.")
            }
            return state.plan.digest
        }
        var result = try await base.readStream(request)
        result.digest = digest
        let chunks = try result.content.chunks().makeAsyncIterator()
        let counted = ByteChunks { [self] in
            let chunk = try await chunks.next()
            state.withLock { $0.count.streamBytes += chunk?.count ?? 0 }
            return chunk
        }
        result.content = ByteContent(counted, length: result.content.length)
        return result
    }

    private static var unreachable: ODataError { ODataError(.unreachable, "Cut on purpose.") }
}
