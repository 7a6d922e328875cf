import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

extension QueryExecutor {
    /// The number of rows that are read at once before a read becomes a streamed one.
    private static let firstRows = 2048
    /// The number of rows of the runs after the first one.
    private static let runRows = 16_384

    func entities(
        for request: ReadRequest, in database: any DatabaseReader, pageRows: Int?
    ) async throws -> ReadResult {
        let extent = ReadExtent(pageRows: pageRows, token: try Self.token(of: request))
        let (run, page, shape) = try await scheduler.read(database, for: request.scope) {
            db -> (RowRun, PageMarks, RowShape) in
            let page = PageMarks(
                count: try requestedCount(of: request.query, in: db), link: Self.link(request.query))
            let plan = try self.plan(for: request.query, extent, isFirst: true, in: db)
            return (try self.run(plan, request.query, extent, page, isFirst: true, in: db), page, plan.decoder.shape)
        }
        guard run.rest != nil else { return ReadResult(.entities(RowBlocks(run.blocks, shape: shape))) }
        guard let snapshot = try Self.snapshot(of: database) else {
            let rows = RowRuns(shape: shape, first: run) { extent in
                try await scheduler.read(database, for: request.scope) { db in
                    let plan = try self.plan(for: request.query, extent, shape, isFirst: false, in: db)
                    return try self.run(plan, request.query, extent, page, isFirst: false, in: db)
                }
            }
            return ReadResult(.entities(rows))
        }
        let (plan, fresh) = try await scheduler.read(snapshot, for: request.scope) { db in
            (
                try exactPlan(for: request.query, extent, shape, limit: pageRows, in: db),
                PageMarks(count: try requestedCount(of: request.query, in: db), link: page.link)
            )
        }
        return ReadResult(
            .entities(try await SnapshotRows(plan, page: fresh, snapshot: snapshot, timeLimit: request.scope.timeLimit))
        )
    }

    /// The number of rows of the first run of a page.
    static func firstRows(of pageRows: Int?) -> Int { min(pageRows ?? .max, firstRows) }

    /// - Parameter shape: That of the rows before, for runs after the first one.
    private func plan(
        for query: BoundQuery, _ extent: ReadExtent, _ shape: RowShape? = nil, isFirst: Bool, in db: Database
    ) throws -> QueryPlan {
        let limit = isFirst ? Self.firstRows(of: extent.pageRows) : min(extent.pageRows ?? .max, Self.runRows)
        guard extent.token != nil || shape != nil else { return try plan(for: query, limit: limit, in: db) }
        return try exactPlan(for: query, extent, shape, limit: limit, in: db)
    }

    private func exactPlan(
        for query: BoundQuery, _ extent: ReadExtent, _ shape: RowShape?, limit: Int?, in db: Database
    ) throws -> QueryPlan {
        let query = try query.unrolled(model: model, limit: maxLevels)
        return try QueryPlan(
            query, shape: try shape ?? self.shape(ofUnrolled: query), extent: extent, limit: limit,
            translator: translator, budget: budget, revision: revision, clock: .running(on: db))
    }

    /// A snapshot of the database; nil if there is a single connection.
    static func snapshot(of database: any DatabaseReader) throws -> (any DatabaseSnapshotReader)? {
        if let pool = database as? DatabasePool { return try pool.makeSnapshot() }
        return database as? any DatabaseSnapshotReader
    }

    /// Some rows from the start of `extent`.
    func run(
        _ plan: QueryPlan, _ query: BoundQuery, _ extent: ReadExtent, _ page: PageMarks, isFirst: Bool, in db: Database
    ) throws -> RowRun {
        let cursor = try EntityCursor(plan, in: db, staysOpen: false)
        defer { cursor.close() }
        var run = RowRun(blocks: [], rest: nil)
        try run.fill(from: cursor, in: db)
        if isFirst, run.blocks.isEmpty { try checkSource(of: query.path, in: db) }
        if let token = run.blocks.isEmpty ? nil : cursor.breakOff() {
            run.rest = ReadExtent(pageRows: extent.pageRows.map { $0 - cursor.rowsRead }, token: token)
            page.mark(&run.blocks, isFirst: isFirst, next: nil)
            return run
        }
        let isPageEnd = extent.pageRows == plan.limit
        if !isPageEnd, let next = cursor.next {
            run.rest = ReadExtent(pageRows: extent.pageRows.map { $0 - cursor.rowsRead }, token: next)
        }
        page.mark(&run.blocks, isFirst: isFirst, next: isPageEnd ? cursor.next : nil)
        return run
    }

    /// `$count=true`
    func requestedCount(of query: BoundQuery, in db: Database) throws -> Int64? {
        query.options.count ? try count(of: query, in: db) : nil
    }

    // MARK: Links

    static func link(_ query: BoundQuery) -> @Sendable (String) -> String {
        { token in
            var next = query
            next.options.skipToken = token
            return next.url
        }
    }

    /// The token of the query, or of the next link that the request follows.
    static func token(of request: ReadRequest) throws -> PageToken? {
        guard let link = request.continuation else {
            return try request.query.options.skipToken.map { try PageToken($0) }
        }
        let items = link.split(separator: "?", maxSplits: 1).last?.split(separator: "&") ?? []
        for item in items {
            for name in ["$skiptoken=", "%24skiptoken="] where item.hasPrefix(name) {
                return try PageToken(String(item.dropFirst(name.count)))
            }
        }
        throw ODataError(.badRequest, "The next link does not belong to this store: read again from the start.")
    }
}
