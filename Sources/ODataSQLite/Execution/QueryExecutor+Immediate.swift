import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

/// Reads on a thread that must not wait.
extension QueryExecutor {
    /// Results with more rows, expanded ones included, or with more bytes are read elsewhere: writing them takes time,
    /// too.
    private static let immediateRows = 512
    private static let immediateBytes = 131_072

    /// The result of a read of entities by a plan that is kept and whose reads are short by experience.
    ///
    /// - Parameter isKnown: Whether the schema and the values have been checked in the state that the connection reads.
    /// - Returns: Nil if the read is of another kind, fails, would wait or takes too long: see ``read(_:in:pageSize:)``.
    func immediateResult(
        of request: ReadRequest, in pool: DatabasePool, pageSize: Int?, isKnown: (Database) -> Bool
    ) -> ImmediateResult? {
        let pageRows = Self.pageRows(for: request, pageSize: pageSize)
        guard let query = Self.immediateQuery(of: request),
            let plan = keptPlan(for: query, limit: query.path.target == .entity ? nil : Self.firstRows(of: pageRows)),
            plan.pace.expectsShort()
        else { return nil }
        do {
            let limit = request.scope.timeLimit
            let result = try scheduler.direct.immediateResult(in: pool, within: limit) { db -> ImmediateResult? in
                guard isKnown(db) else { return nil }
                return query.path.target == .entity
                    ? try immediateEntity(for: request, query, plan, in: db)
                    : try immediateEntities(for: request, plan, pageRows, in: db)
            }
            guard case .entities(let blocks, _) = result?.body, Self.isLong(blocks) else { return result }
            plan.pace.overrun()
        } catch is TimeIsOver {
            plan.pace.overrun()
        } catch {
            // The error is that of a read that waits.
        }
        return nil
    }

    /// Whether the state that the connection of a read on this thread reads is known.
    func immediately(in pool: DatabasePool, isKnown: (Database) -> Bool) -> Bool {
        (try? scheduler.direct.immediateResult(in: pool) { isKnown($0) }) ?? false
    }

    /// The query that is planned; nil for reads of other kinds.
    private static func immediateQuery(of request: ReadRequest) -> BoundQuery? {
        var query = request.query
        guard request.continuation == nil, !request.tracksChanges, query.path.root != .all,
            query.options.skipToken == nil, query.options.deltaToken == nil, !query.options.expandsStreams,
            query.path.suffix == nil || query.path.suffix == .ref, !query.path.segments.contains(.each)
        else { return nil }
        switch query.path.target {
        case .entity: query.options = query.options.ofOneEntity
        case .collection: break
        default: return nil
        }
        return query
    }

    /// A navigation property without a value is read where it can be found out why.
    private func immediateEntity(
        for request: ReadRequest, _ query: BoundQuery, _ plan: QueryPlan, in db: Database
    ) throws -> ImmediateResult? {
        let block = try block(for: query, plan, in: db)
        guard let row = block.rows.first else { return nil }
        let etag = block.text(row.etag)
        if try Self.precondition(request, etag: etag) != nil { return ImmediateResult(.notModified, etag: etag) }
        return ImmediateResult(.entities([block], plan.decoder.shape), etag: etag)
    }

    private func immediateEntities(
        for request: ReadRequest, _ plan: QueryPlan, _ pageRows: Int?, in db: Database
    ) throws -> ImmediateResult? {
        let page = PageMarks(count: try requestedCount(of: request.query, in: db), link: Self.link(request.query))
        let extent = ReadExtent(pageRows: pageRows)
        let run = try run(plan, request.query, extent, page, isFirst: true, in: db)
        guard run.rest == nil else { throw TimeIsOver() }
        return ImmediateResult(.entities(run.blocks, plan.decoder.shape))
    }

    private static func isLong(_ blocks: [RowBlock]) -> Bool {
        blocks.reduce(0) { $0 + $1.rows.count } > immediateRows
            || blocks.reduce(0) { $0 + $1.buffer.count } > immediateBytes
    }
}
