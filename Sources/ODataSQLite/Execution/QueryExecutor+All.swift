import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

/// `$all`, `$all/Model.Customer`: the entities of all sets, one set after the other unless there is an order.
///
/// [OData-URL, section 4.15]
extension QueryExecutor {
    private static let runRows = 4096

    func all(for request: ReadRequest, in database: any DatabaseReader, pageRows: Int?) async throws -> ReadResult {
        let query = try request.query.unrolled(model: model, limit: maxLevels)
        let parts = try parts(of: query)
        let shape = try shape(ofUnrolled: query)
        let extent = ReadExtent(pageRows: pageRows, token: try Self.token(of: request))
        let link = Self.link(request.query)
        func start(in database: any DatabaseReader) async throws -> (RowRun, PageMarks) {
            try await scheduler.read(database, for: request.scope) { db in
                let count = query.options.count ? try self.count(of: parts, in: db) : nil
                let page = PageMarks(count: count, link: link)
                return (try self.run(parts, query.options, shape, extent, page, isFirst: true, in: db), page)
            }
        }
        var source = database
        var (run, page) = try await start(in: source)
        if run.rest != nil, let snapshot = try Self.snapshot(of: database) {
            source = snapshot
            (run, page) = try await start(in: source)
        }
        return ReadResult(
            .entities(
                RowRuns(shape: shape, first: run) { [source, page] extent in
                    try await scheduler.read(source, for: request.scope) {
                        try self.run(parts, query.options, shape, extent, page, isFirst: false, in: $0)
                    }
                }))
    }

    func countOfAll(_ query: BoundQuery, in db: Database) throws -> Int64 {
        try count(of: try parts(of: query), in: db)
    }

    private func count(of parts: [BoundQuery], in db: Database) throws -> Int64 {
        try parts.reduce(0) { $0 + (try count(of: $1, in: db)) }
    }

    /// A query for each set that can have such entities.
    private func parts(of query: BoundQuery) throws -> [BoundQuery] {
        var paths = model.entitySets.map { ResourcePath($0) }
        for segment in query.path.resource.segments {
            guard case .cast(let type) = segment else {
                throw ODataError(.notImplemented, "The store cannot read \(query.path.url).")
            }
            paths = paths.compactMap { path in
                guard let own = path.entityType(in: model) else { return nil }
                if own.isKind(of: type) { return path }
                return type.isKind(of: own) ? path.appending(.cast(type)) : nil
            }
        }
        guard query.options.apply == nil else {
            throw ODataError(.notImplemented, "The store cannot evaluate $apply on $all.")
        }
        return paths.map { BoundQuery(path: $0, options: query.options) }
    }

    /// Some rows from the start of `extent`.
    private func run(
        _ parts: [BoundQuery], _ options: QueryOptions, _ shape: RowShape, _ extent: ReadExtent, _ page: PageMarks,
        isFirst: Bool, in db: Database
    ) throws -> RowRun {
        guard parts.count <= 1 || options.orderBy.isEmpty else {
            return try turns(parts, options, shape, extent, page, limit: Self.runRows, isFirst: isFirst, in: db)
        }
        let limit = min(extent.pageRows ?? .max, Self.runRows)
        var place = try AllPosition(extent.token, options: options)
        var run = RowRun(blocks: [], rest: nil)
        var left = limit
        while left > 0, place.part < parts.count, place.top != 0 {
            left -= try read(parts[place.part], shape, at: &place, limit: left, into: &run.blocks, in: db)
        }
        let hasMore = place.part < parts.count && place.top != 0
        let isPageEnd = extent.pageRows == limit
        if hasMore, !isPageEnd {
            run.rest = ReadExtent(pageRows: extent.pageRows.map { $0 - limit }, token: place.token)
        }
        page.mark(&run.blocks, isFirst: isFirst, next: hasMore && isPageEnd ? place.token : nil)
        return run
    }

    /// Reads rows of one set; returns their number.
    private func read(
        _ part: BoundQuery, _ shape: RowShape, at place: inout AllPosition, limit: Int,
        into blocks: inout [RowBlock], in db: Database
    ) throws -> Int {
        var query = part
        query.options.count = false
        if place.skip > 0 {
            let count = try count(of: query, in: db)
            guard count > place.skip else {
                place.skip -= Int(count)
                place.part += 1
                return 0
            }
        }
        query.options.skip = place.skip
        query.options.top = place.top
        place.skip = 0
        let plan = try QueryPlan(
            query, shape: shape, extent: ReadExtent(token: place.inner), limit: limit, translator: translator,
            budget: budget, revision: revision, clock: .running(on: db))
        let cursor = try EntityCursor(plan, in: db, staysOpen: false)
        defer { cursor.close() }
        while let block = try cursor.block(in: db) { blocks.append(block) }
        place.top = place.top.map { $0 - cursor.rowsRead }
        place.inner = cursor.next
        if cursor.next == nil { place.part += 1 }
        return cursor.rowsRead
    }
}

/// The position of a read of `$all`.
private struct AllPosition {
    /// The position of the current set.
    var part = 0
    /// The position in that set.
    var inner: PageToken?
    var skip: Int
    var top: Int?

    init(_ token: PageToken?, options: QueryOptions) throws {
        skip = options.skip ?? 0
        top = options.top
        guard let token else { return }
        guard case .integer(let part) = token.values.first, part >= 0, token.values.count > 1 || token.order == 0
        else {
            throw ODataError(reading: PageToken.unknown)
        }
        self.part = Int(part)
        skip = 0
        top = token.remaining
        guard token.values.count > 1 else { return }
        inner = PageToken(values: Array(token.values.dropFirst()), remaining: token.remaining, order: token.order)
    }

    var token: PageToken {
        PageToken(values: [.integer(Int64(part))] + (inner?.values ?? []), remaining: top, order: inner?.order ?? 0)
    }
}
