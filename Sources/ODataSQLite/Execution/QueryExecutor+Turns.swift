import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

/// `$all?$orderby=Name`: the rows of all sets in one order. One statement returns which set the next row belongs to;
/// the rows of each set are read in the same order and merged accordingly.
extension QueryExecutor {
    /// Some rows from the start of `extent`.
    func turns(
        _ parts: [BoundQuery], _ options: QueryOptions, _ shape: RowShape, _ extent: ReadExtent, _ page: PageMarks,
        limit: Int, isFirst: Bool, in db: Database
    ) throws -> RowRun {
        var place = try TurnPosition(extent.token, options: options)
        let limit = min(extent.pageRows ?? .max, limit)
        let wanted = min(limit, place.top ?? .max)
        let (end, isTooGreat) = place.rows.addingReportingOverflow(wanted + 1)
        let found = try translator.turns(of: parts, by: options.orderBy, limit: isTooGreat ? .max : end).rows(in: db)
        let turns = found.map { row in if case .integer(let part)? = row.first { Int(part) } else { 0 } }
        let (before, own) = (turns.prefix(place.rows), turns.dropFirst(place.rows).prefix(wanted))
        var queues: [Int: RowQueue] = [:]
        for part in Set(own) {
            var query = parts[part]
            query.options.count = false
            query.options.skip = before.count(where: { $0 == part })
            query.options.top = own.count(where: { $0 == part })
            queues[part] = try RowQueue(
                QueryPlan(
                    query, shape: shape, translator: translator, budget: budget, revision: revision,
                    clock: .running(on: db)), in: db)
        }
        var run = RowRun(blocks: [], rest: nil)
        for part in own { if let block = queues[part]?.next() { run.blocks.append(block) } }
        place.advance(own.count)
        let hasMore = turns.count > place.rows && place.top != 0
        let isPageEnd = extent.pageRows == limit
        if hasMore, !isPageEnd {
            run.rest = ReadExtent(pageRows: extent.pageRows.map { $0 - limit }, token: place.token)
        }
        page.mark(&run.blocks, isFirst: isFirst, next: hasMore && isPageEnd ? place.token : nil)
        return run
    }
}

/// The rows of one set, one by one, with their expanded rows.
private struct RowQueue {
    private var blocks: [RowBlock] = []
    private var block = 0
    private var row = 0
    private var expansion = 0

    init(_ plan: QueryPlan, in db: Database) throws {
        let cursor = try EntityCursor(plan, in: db, staysOpen: false)
        defer { cursor.close() }
        while let block = try cursor.block(in: db) { blocks.append(block) }
    }

    mutating func next() -> RowBlock? {
        while block < blocks.count, row >= blocks[block].rows.count {
            block += 1
            row = 0
            expansion = 0
        }
        guard block < blocks.count else { return nil }
        let whole = blocks[block]
        let end = whole.end(of: row)
        var one = whole
        one.rows = Array(whole.rows[row..<end])
        one.expansions = []
        while expansion < whole.expansions.count, whole.expansions[expansion].row < end {
            var own = whole.expansions[expansion]
            own.row -= row
            one.expansions.append(own)
            expansion += 1
        }
        row = end
        return one
    }
}

/// The position of a read in one order.
private struct TurnPosition {
    /// The number of rows before.
    private(set) var rows: Int
    private(set) var top: Int?
    /// Identifies the order, for tokens.
    private let signature: UInt32

    init(_ token: PageToken?, options: QueryOptions) throws {
        rows = options.skip ?? 0
        top = options.top
        let order = options.queryItems.first { $0.name == "$orderby" }?.value ?? ""
        signature = PageToken.hash("turns:\(order)".utf8)
        guard let token else { return }
        guard case .integer(let rows)? = token.values.first, token.values.count == 1, rows >= 0,
            token.order == signature
        else {
            throw ODataError(reading: PageToken.unknown)
        }
        self.rows = Int(rows)
        top = token.remaining
    }

    mutating func advance(_ count: Int) {
        rows += count
        top = top.map { $0 - count }
    }

    var token: PageToken { PageToken(values: [.integer(Int64(rows))], remaining: top, order: signature) }
}
