import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataStores

/// Brings one defining query up to date: executes the actions of ``QueryDownloadMachine``, which read pages into stage
/// tables and publish these.
///
/// Each step is stored with its position, so that an interrupted download continues at the page it reached.
struct QueryDownload {
    typealias Action = QueryDownloadMachine.Action

    private static let diagnosticLimit = 20

    let store: OfflineStore
    let offline: OfflineModel
    let remote: any ODataStore
    let bound: BoundQuery
    let since: ChangedSinceQuery?
    let meter: DownloadMeter
    var machine: QueryDownloadMachine
    var trail = NextLinkTrail()
    /// Bytes of the entities that were received in this run.
    var bytes: Int64 = 0
    /// Diagnostics of the pages of this run.
    var diagnostics: [String] = []
    /// The number of entities of the whole result, if the service has returned it.
    var total: Int64?
    /// The number of entities that this download probably receives, if it reads all of them again.
    private let expected: Int64?
    /// The entities of the page that is being read, as far as they are not handed over to be written.
    var pending = 0
    /// Whether the first page of the whole result requests the count although the query does not.
    var asksForCount: Bool
    /// The page that is requested while the previous one is written.
    var ahead: PrefetchedPage?
    private var publishing: Date?
    var record: QueryRecord { machine.record }

    init(
        _ record: QueryRecord, store: OfflineStore, offline: OfflineModel, remote: any ODataStore,
        progress: @escaping @Sendable (DownloadProgress) -> Void
    ) throws {
        self.store = store
        self.offline = offline
        self.remote = remote
        meter = DownloadMeter(record.definition.name, report: progress)
        expected = record.expectedRows
        machine = QueryDownloadMachine(record)
        (bound, since) = try QueryCheck(offline: offline).completed(record.definition)
        asksForCount = store.configuration.countsEntities && bound.isCountable
    }

    mutating func run() async throws -> DownloadReport.Query {
        let start = store.configuration.now()
        defer { endReadingAhead() }
        let (root, first) = try await prepare()
        var action = first
        while true {
            switch action {
            case .finish: return report(since: start)
            case .fail(let error): throw error
            default: do { action = try await perform(action, root) } catch { action = machine.failed(error) }
            }
        }
    }

    private mutating func perform(_ action: Action, _ root: QueryNode) async throws -> Action {
        switch action {
        case .makeStages: return try await makeStages(for: root)
        case .readPage(let page): return try await readPages(from: page, into: root)
        case .readExpansions: return try await readExpansions(of: root)
        case .publish(let content): return try await publish(root, content)
        case .checkLink(let error):
            let isLost = try await isWorthReadingAnew(after: error)
            return machine.checkedLink(error, isLost: isLost)
        case .discard(let error): return try await transaction { machine, _ in machine.discarded(error) }
        case .finish, .fail: return action
        }
    }

    /// Continues an interrupted download, or begins one.
    private mutating func prepare() async throws -> (QueryNode, Action) {
        try await transaction { [offline, bound] machine, db in
            let root = try QueryNodeBuilder(db: db, offline: offline, query: machine.record.id).tree(for: bound)
            let stages = StageTables(db: db)
            let choice = RefreshChoice(record: machine.record, bound: bound)
            let action = machine.started(choice.mode, reason: choice.reason, hasStages: try stages.fit(root))
            guard case .makeStages = action else { return (root, action) }
            try stages.make(for: root, machine.content)
            return (root, machine.madeStages())
        }
    }

    private mutating func makeStages(for root: QueryNode) async throws -> Action {
        endReadingAhead()
        (trail, diagnostics) = (NextLinkTrail(), [])
        return try await transaction { machine, db in
            try StageTables(db: db).make(for: root, machine.content)
            return machine.madeStages()
        }
    }

    private mutating func publish(_ root: QueryNode, _ content: StagePublication.Content) async throws -> Action {
        report(.publishing)
        let now = store.configuration.now()
        publishing = now
        // A transaction of its own: others may write before the next one.
        try await transaction { _, db in try StageKeys(db: db, root: root).makeIndexes() }
        return try await transaction { [offline, since] machine, db in
            let isWhole = content == .result
            let greatest = isWhole ? nil : try since?.greatest(of: root, isComplete: false, in: db)
            try StagePublication(
                db: db, offline: offline, root: root, content: content, isContinued: machine.isContinued
            ).run()
            if isWhole { try QueryRelease(db: db, schema: offline.schema).removeFormer(of: machine.record.id) }
            return machine.published(
                at: StoreTime(date: now).column,
                since: isWhole
                    ? try since?.greatest(of: root, isComplete: true, in: db) : greatest ?? machine.record.since)
        }
    }

    /// A transaction of this download, which saves the state machine after `body`.
    mutating func transaction<Result: Sendable>(
        _ body: @escaping @Sendable (inout QueryDownloadMachine, Database) throws -> Result
    ) async throws -> Result {
        let (result, machine) = try await step.run(machine, body)
        self.machine = machine
        return result
    }

    var step: DownloadTransaction { DownloadTransaction(database: store.database) }

    mutating func endReadingAhead() {
        ahead?.cancel()
        ahead = nil
    }

    mutating func note(_ odd: [RowDiagnostic]) {
        for text in odd.map(\.message) where diagnostics.count < Self.diagnosticLimit && !diagnostics.contains(text) {
            diagnostics.append(text)
        }
    }

    func report(_ phase: DownloadProgress.Phase) {
        let received = record.phase == .keys ? record.rows : record.rows + pending
        meter.note { [record, total, bytes, expected] state in
            state.phase = phase
            state.entities = received
            state.totalEntities = total
            state.expectedEntities = total ?? (record.mode == .full || record.mode == .comparison ? expected : nil)
            state.fraction = state.expectedEntities.map { Double(received) / Double(max(1, $0, Int64(received))) }
            state.pages = record.pages
            state.bytes = bytes
        }
    }

    private func report(since start: Date) -> DownloadReport.Query {
        let (end, read) = (store.configuration.now(), publishing ?? start)
        var query = DownloadReport.Query(name: record.definition.name, mode: record.mode ?? .full)
        query.entities = record.rows
        query.pages = record.pages
        query.bytes = bytes
        query.diagnostics = diagnostics
        query.reason = record.reason
        query.reading = .seconds(read.timeIntervalSince(start))
        query.publishing = .seconds(end.timeIntervalSince(read))
        return query
    }
}
