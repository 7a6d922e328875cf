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
    var isContinued = false
    /// The page that is asked for while the one before is written.
    var ahead: PageAhead?

    init(
        _ record: QueryRecord, store: OfflineStore, offline: OfflineModel, remote: any ODataStore,
        progress: @escaping @Sendable (DownloadProgress) -> Void
    ) throws {
        self.store = store
        self.offline = offline
        self.remote = remote
        self.progress = progress
        self.record = record
        let check = QueryCheck(offline: offline)
        let asked = QueryCompletion(offline: offline).complete(try check.bound(record.definition))
        since = try SinceQuery(record.definition, bound: asked, offline: offline)
        bound = since?.complete ?? asked
    }

    mutating func run() async throws -> DownloadReport.Query {
        let start = store.configuration.now()
        let root = try await prepare()
        do {
            try await readAll(into: root)
        } catch let error as ODataError where isLost(error) {
            // 410: the delta token or the next link is not known any more.
            try await restart(root, because: error.message)
            try await readAll(into: root)
        }
        var read = store.configuration.now()
        var obstacle = try await publish(root)
        if let reason = obstacle {
            try await restart(root, because: reason)
            try await readAll(into: root)
            read = store.configuration.now()
            obstacle = try await publish(root)
        }
        if let obstacle { throw ODataError(.invalidResponse, obstacle) }
        return report(
            reading: read.timeIntervalSince(start), publishing: store.configuration.now().timeIntervalSince(read))
    }

    private mutating func readAll(into root: QueryNode) async throws {
        try await readPages(into: root)
        try await readExpansions(of: root)
    }

    private func report(reading: TimeInterval, publishing: TimeInterval) -> DownloadReport.Query {
        var query = DownloadReport.Query(name: record.definition.name, mode: record.mode ?? .full)
        query.entities = record.rows
        query.pages = record.pages
        query.bytes = bytes
        query.reason = record.reason
        query.reading = .seconds(reading)
        query.publishing = .seconds(publishing)
        return query
    }

    /// Whether an error says that a link that was kept is worth nothing any more. Services do not agree on how they
    /// refuse a delta link.
    private func isLost(_ error: ODataError) -> Bool {
        guard record.continuation != nil else { return false }
        switch error.code {
        case .gone: return true
        case .badRequest, .notFound, .notImplemented:
            return record.mode == .delta && record.continuation == record.delta
        default: return false
        }
    }

    /// Takes up a download that was cut, or begins one.
    private mutating func prepare() async throws -> QueryNode {
        let (root, record, isContinued) = try await write { [record, offline, bound] db in
            var record = record
            let root = try QueryNodeBuilder(db: db, offline: offline, query: record.id).tree(for: bound)
            let isContinued = try record.phase != .idle && db.tableExists(root.seen)
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

    func report(_ phase: DownloadProgress.Phase) {
        var state = DownloadProgress(phase, query: record.definition.name)
        state.entities = record.rows
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
