import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataStores

/// Brings one defining query up to date: reads its pages into stage tables, then publishes them.
///
/// Every step is kept with where it got to, so a download that was cut goes on at the page it reached.
struct QueryDownload {
    /// How many bytes of rows are kept in memory before they are written.
    static let batchBytes = 4 << 20
    private static let diagnosticLimit = 20

    let store: OfflineStore
    let offline: OfflineModel
    let remote: any ODataStore
    let bound: BoundQuery
    let since: SinceQuery?
    let progress: @Sendable (DownloadProgress) -> Void
    var record: QueryRecord
    var trail = NextLinkTrail()
    /// Bytes of the entities that came in this run.
    var bytes: Int64 = 0
    /// What was odd in what came in this run.
    var diagnostics: [String] = []
    /// Entities of the whole result, where the service has told.
    var total: Int64?
    /// Whether the first page of the whole result asks for that though the query does not.
    var asksForCount: Bool
    var isContinued = false
    /// The page that is asked for while the one before is written.
    var ahead: PageAhead?
    /// The link of a page of an expanded collection, while it is read.
    var expansionLink: String?

    init(
        _ record: QueryRecord, store: OfflineStore, offline: OfflineModel, remote: any ODataStore,
        progress: @escaping @Sendable (DownloadProgress) -> Void
    ) throws {
        self.store = store
        self.offline = offline
        self.remote = remote
        self.progress = progress
        self.record = record
        (bound, since) = try QueryCheck(offline: offline).completed(record.definition)
        asksForCount = store.configuration.countsEntities && bound.isCountable
    }

    mutating func run() async throws -> DownloadReport.Query {
        let start = store.configuration.now()
        let root = try await prepare()
        do {
            try await readAll(into: root)
        } catch let error as ODataError where isLost(error) {
            // 410: the delta token or the next link is not known any more.
            guard try await isWorthReadingAnew(after: error) else { throw error }
            try await readAnew(into: root, because: reason(for: error))
        }
        var read = store.configuration.now()
        var obstacle = try await publish(root)
        if let reason = obstacle {
            try await readAnew(into: root, because: reason)
            read = store.configuration.now()
            obstacle = try await publish(root)
        }
        if let obstacle { throw ODataError(.invalidResponse, obstacle) }
        return report(
            reading: read.timeIntervalSince(start), publishing: store.configuration.now().timeIntervalSince(read))
    }

    private mutating func readAll(into root: QueryNode) async throws {
        try await readPages(into: root)
        guard let obstacle = try await readExpansions(of: root) else { return }
        try await readAnew(into: root, because: obstacle)
    }

    /// Reads the whole result from its beginning. Links that are worth nothing even then are not kept for the next
    /// download.
    private mutating func readAnew(into root: QueryNode, because reason: String) async throws {
        try await restart(root, because: reason)
        do { try await readAll(into: root) } catch let error as ODataError where isLost(error) {
            try await giveUp()
            throw error
        }
    }

    /// Lets the next download begin again.
    mutating func giveUp() async throws {
        record = try await write { [record] db in
            var record = record
            record.phase = .idle
            try record.save(in: db)
            return record
        }
    }

    private func report(reading: TimeInterval, publishing: TimeInterval) -> DownloadReport.Query {
        var query = DownloadReport.Query(name: record.definition.name, mode: record.mode ?? .full)
        query.entities = record.rows
        query.pages = record.pages
        query.bytes = bytes
        query.diagnostics = diagnostics
        query.reason = record.reason
        query.reading = .seconds(reading)
        query.publishing = .seconds(publishing)
        return query
    }

    /// Takes up a download that was cut, or begins one.
    private mutating func prepare() async throws -> QueryNode {
        let (root, record, isContinued) = try await write { [record, offline, bound] db in
            var record = record
            let root = try QueryNodeBuilder(db: db, offline: offline, query: record.id).tree(for: bound)
            let isContinued = try record.phase != .idle && StageTables(db: db).fit(root)
            if !isContinued { try Self.begin(&record, RefreshChoice(record: record, bound: bound), root, in: db) }
            return (root, record, isContinued)
        }
        self.record = record
        self.isContinued = isContinued
        return root
    }

    private static func begin(
        _ record: inout QueryRecord, _ choice: RefreshChoice, _ root: QueryNode, in db: Database
    ) throws {
        try StageTables(db: db).make(for: root)
        let mode = choice.mode
        record.mode = mode
        record.reason = mode == .comparison ? choice.reason : nil
        record.phase = mode == .delta || mode == .changedSince ? .delta : .full
        record.continuation = mode == .delta ? record.delta : nil
        record.pendingDelta = nil
        record.pages = 0
        record.rows = 0
        try record.save(in: db)
    }

    /// Reads the whole result again.
    mutating func restart(_ root: QueryNode, because reason: String) async throws {
        ahead?.cancel()
        ahead = nil
        expansionLink = nil
        trail = NextLinkTrail()
        diagnostics = []
        record = try await write { [record] db in
            var record = record
            try Self.restart(&record, root, because: reason, in: db)
            return record
        }
        isContinued = false
    }

    static func restart(
        _ record: inout QueryRecord, _ root: QueryNode, because reason: String, in db: Database
    ) throws {
        try StageTables(db: db).make(for: root)
        record.delta = nil
        record.mode = record.reads > 0 ? .comparison : .full
        record.reason = reason
        record.phase = .full
        record.continuation = nil
        record.pendingDelta = nil
        record.pages = 0
        record.rows = 0
        try record.save(in: db)
    }

    /// A transaction of this download; the query may have been removed since the last one.
    func write<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        try await store.database.writing { [record] db in
            let isThere = try Bool.fetchOne(
                db, sql: #"SELECT EXISTS (SELECT 1 FROM "$query" WHERE "id" = ?)"#, arguments: [record.id])
            guard isThere == true else {
                throw ODataError(.conflict, "The defining query \(record.definition.name) was removed meanwhile.")
            }
            return try body(db)
        }
    }

    mutating func note(_ odd: [RowDiagnostic]) {
        for text in odd.map(\.message) where diagnostics.count < Self.diagnosticLimit && !diagnostics.contains(text) {
            diagnostics.append(text)
        }
    }

    func report(_ phase: DownloadProgress.Phase) {
        var state = DownloadProgress(phase, query: record.definition.name)
        state.entities = record.rows
        state.totalEntities = total
        state.pages = record.pages
        state.bytes = bytes
        progress(state)
    }
}

extension QueryDownload {
    /// An obstacle that lets the transaction not be kept.
    private struct Unpublishable: Error { var reason: String }

    /// - Returns: Why the changes that came cannot be applied; nothing has been changed then.
    private mutating func publish(_ root: QueryNode) async throws -> String? {
        report(.publishing)
        let time = StoreTime(date: store.configuration.now()).column
        do {
            record = try await write { [record, offline, since, isContinued] db in
                let publication = Publication(
                    db: db, offline: offline, root: root, content: record.phase.content, isContinued: isContinued)
                var record = record
                let isComplete = record.phase == .fullRead
                let greatest = isComplete ? nil : try since?.greatest(of: root, isComplete: false, in: db)
                if let obstacle = try publication.run() { throw Unpublishable(reason: obstacle) }
                if isComplete { record.since = try since?.greatest(of: root, isComplete: true, in: db) }
                record.since = greatest ?? record.since
                if record.mode != .changedSince { record.delta = record.pendingDelta }
                record.phase = .idle
                record.continuation = nil
                record.pendingDelta = nil
                record.downloaded = time
                record.reads += 1
                try record.save(in: db)
                return record
            }
        } catch let error as Unpublishable {
            return error.reason
        }
        return nil
    }
}

extension QueryRecord.Phase {
    fileprivate var content: Publication.Content {
        switch self {
        case .deltaRead: .changes
        case .keysRead: .changesAndKeys
        case .idle, .full, .delta, .keys, .fullRead: .result
        }
    }
}
