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
    let progress: @Sendable (DownloadProgress) -> Void
    var record: QueryRecord
    var trail = NextLinkTrail()

    mutating func run() async throws -> DownloadReport.Query {
        let root = try await prepare()
        do {
            try await readPages(into: root)
        } catch let error as ODataError where error.code == .gone && record.continuation != nil {
            // 410: the delta token or the next link is not known any more.
            try await restart(root)
            try await readPages(into: root)
        }
        return try await publish(root)
    }

    /// Takes up a download that was cut, or begins one.
    private mutating func prepare() async throws -> QueryNode {
        let (root, record) = try await write { [record, offline, bound] db in
            var record = record
            let root = try QueryNodeBuilder(db: db, offline: offline, query: record.id).tree(for: bound)
            if record.phase == .idle { try Self.begin(&record, isDelta: record.delta != nil, root: root, in: db) }
            return (root, record)
        }
        self.record = record
        return root
    }

    private static func begin(_ record: inout QueryRecord, isDelta: Bool, root: QueryNode, in db: Database) throws {
        try StageTables(db: db).make(for: root)
        record.phase = isDelta ? .delta : .full
        record.continuation = isDelta ? record.delta : nil
        record.pendingDelta = nil
        record.pages = 0
        record.rows = 0
        try record.save(in: db)
    }

    /// Reads the whole result again.
    private mutating func restart(_ root: QueryNode) async throws {
        record = try await write { [record] db in
            var record = record
            record.delta = nil
            try Self.begin(&record, isDelta: false, root: root, in: db)
            return record
        }
    }

    /// A transaction of this download; the query may have been removed since the last one.
    private func write<Result: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        try await store.database.writing { [record] db in
            let isThere = try Bool.fetchOne(
                db, sql: #"SELECT EXISTS (SELECT 1 FROM "$query" WHERE "id" = ?)"#, arguments: [record.id])
            guard isThere == true else {
                throw ODataError(.conflict, "The defining query \(record.definition.name) was removed meanwhile.")
            }
            return try body(db)
        }
    }

    private mutating func readPages(into root: QueryNode) async throws {
        while record.phase == .full || record.phase == .delta {
            try Task.checkCancellation()
            try await followLink()
            var request = ReadRequest(bound, continuation: record.continuation)
            request.maxPageSize = store.configuration.downloadPageSize
            request.tracksChanges = true
            try await readPage(request, into: root)
        }
    }

    /// A read that goes round in a circle is given up: the next download begins it again.
    private mutating func followLink() async throws {
        guard let link = record.continuation else {
            trail = NextLinkTrail()
            return
        }
        do { try trail.follow(link) } catch {
            record = try await write { [record] db in
                var record = record
                record.phase = .idle
                try record.save(in: db)
                return record
            }
            throw error
        }
    }

    private func report(_ phase: DownloadProgress.Phase) {
        var state = DownloadProgress(phase, query: record.definition.name)
        state.entities = record.rows
        state.pages = record.pages
        progress(state)
    }

    private mutating func readPage(_ request: ReadRequest, into root: QueryNode) async throws {
        do {
            switch try await remote.read(request).body {
            case .entities(let reader): try await take(reader, into: root)
            case .nothing: try await write([], shape: nil, into: root, isLast: true)
            case .value, .count, .notModified:
                throw ODataError(.invalidResponse, "The service did not answer with entities.")
            }
        } catch let error as ODataError where error.code == .notFound && bound.path.target == .entity {
            // The one entity that the query names is not there (any more).
            try await write([], shape: nil, into: root, isLast: true)
        }
    }

    private mutating func take(_ reader: any EntityReader, into root: QueryNode) async throws {
        var blocks: [RowBlock] = []
        var bytes = 0
        while let block = try await next(of: reader) {
            bytes += block.buffer.count + block.slots.count * 16
            blocks.append(block)
            if bytes >= Self.batchBytes, block.nextLink == nil, block.deltaLink == nil {
                guard try await write(blocks, shape: reader.shape, into: root, isLast: false) else { return }
                blocks = []
                bytes = 0
            }
        }
        try await write(blocks, shape: reader.shape, into: root, isLast: true)
    }

    /// What is wrong with a page that breaks off or cannot be read is the service's answer.
    private func next(of reader: any EntityReader) async throws -> RowBlock? {
        do { return try await reader.next() } catch let error as ODataError {
            throw error
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw ODataError(
                .invalidResponse, "A page of \(record.definition.name) cannot be read: \(error)", cause: error)
        }
    }

    /// Rows and, with the last of a page, the link to the next one: one transaction.
    ///
    /// - Returns: False if changes have come that the stage cannot take: all is read again, and the rest of the page
    ///   does not count.
    @discardableResult
    private mutating func write(
        _ blocks: [RowBlock], shape: RowShape?, into root: QueryNode, isLast: Bool
    ) async throws -> Bool {
        let isDelta = record.phase == .delta
        let (needsFullRead, record) = try await write { [record, offline] db in
            var record = record
            var needsFullRead = false
            if let shape {
                let writer = try StageWriter(root: root, shape: shape, offline: offline, in: db)
                for block in blocks { try writer.write(block, isDelta: isDelta) }
                try writer.finish()
                record.rows += writer.rows
                needsFullRead = writer.needsFullRead
            }
            if needsFullRead {
                record.delta = nil
                try Self.begin(&record, isDelta: false, root: root, in: db)
            } else {
                if isLast { try Self.advance(&record, after: blocks) }
                try record.save(in: db)
            }
            return (needsFullRead, record)
        }
        self.record = record
        report(.reading)
        if needsFullRead, !isDelta {
            throw ODataError(.invalidResponse, "The service sent changes to links in a first read.")
        }
        return !needsFullRead
    }

    private static func advance(_ record: inout QueryRecord, after blocks: [RowBlock]) throws {
        record.pages += 1
        let next = blocks.last { $0.nextLink != nil }?.nextLink
        if let next {
            record.continuation = next
            return
        }
        record.pendingDelta = blocks.last { $0.deltaLink != nil }?.deltaLink
        record.phase = record.phase == .delta ? .deltaRead : .fullRead
    }

    private mutating func publish(_ root: QueryNode) async throws -> DownloadReport.Query {
        report(.publishing)
        let isDelta = record.phase == .deltaRead
        let report = DownloadReport.Query(
            name: record.definition.name, entities: record.rows, pages: record.pages, isDelta: isDelta)
        let time = StoreTime(date: store.configuration.now()).column
        record = try await write { [record, offline] db in
            try Publication(db: db, offline: offline, root: root, isDelta: isDelta).run()
            var record = record
            record.phase = .idle
            record.delta = record.pendingDelta
            record.continuation = nil
            record.pendingDelta = nil
            record.downloaded = time
            try record.save(in: db)
            return record
        }
        return report
    }
}
