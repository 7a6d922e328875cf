import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

/// Reads the rows of one query in blocks, with their expanded rows.
///
/// `@unchecked Sendable`: a cursor belongs to one connection and is used only in that connection's serial queue, but
/// must be handed from one call into the queue to the next.
final class EntityCursor: @unchecked Sendable {
    static let blockRows = 512
    /// The number of rows in the first block of a query with `$expand`. Later blocks adapt to the target.
    private static let firstExpanded = 32
    /// The target for the number of rows in a block, expanded rows included.
    private static let targetRows = 20_000
    private static let blockBytes = 1 << 20
    /// Half of the length that a block's spans can address, so that one more row always fits.
    static let maxBytes = Int(UInt32.max / 2)
    static let tooLarge = ODataError(
        .tooLarge, "The rows with their expanded rows are too large for one block: request less with $top or $select.")

    private let plan: QueryPlan
    private let statement: RawStatement
    /// How many rows were read so far.
    private(set) var rowsRead = 0
    private(set) var isAtEnd = false
    private var blockLimit: Int
    /// The order values of the last row.
    private var last: [SQLBinding] = []
    /// The start of the next page, once the end is reached; nil if there is no next page.
    private(set) var next: PageToken?

    /// - Parameter row: the id of the row, for a plan that reads one by its id.
    init(_ plan: QueryPlan, row: Int64? = nil, in db: Database, staysOpen: Bool) throws {
        self.plan = plan
        blockLimit = plan.expands.isEmpty ? Self.blockRows : Self.firstExpanded
        statement = try RawStatement(plan.statement.sql, row: row, in: db, isCached: !staysOpen)
    }

    /// The next rows; nil at the end.
    ///
    /// - Parameter isWhole: whether the block is to have all rows.
    func block(in db: Database, isWhole: Bool = false) throws -> RowBlock? {
        guard !isAtEnd else { return nil }
        var block = RowBlock()
        let maxRows = isWhole ? Int.max : blockLimit
        // A block that is to have all rows is most often one entity.
        block.slots.reserveCapacity((isWhole ? 1 : blockLimit) * plan.decoder.shape.properties.count)
        var level = RowLevel(plans: plan.expands, projection: plan.statement.projection)
        let maxBytes = isWhole ? Self.maxBytes : Self.blockBytes
        while !isAtEnd, level.headers.count < maxRows, block.buffer.count < maxBytes {
            try takeRow(&level, &block)
        }
        try plan.decoder.misfits?.check()
        guard !level.headers.isEmpty else { return nil }
        if !isAtEnd { last = plan.statement.projection.order.map { statement.pointer.binding(at: CInt($0)) } }
        try level.expand(in: db, block: &block, within: plan.budget)
        try plan.decoder.misfits?.check()
        level.emit(to: &block)
        blockLimit = limit(after: level.headers.count, rows: block.rows.count)
        try plan.revision?(&block, plan.decoder.shape, db)
        return block
    }

    /// The number of rows in the next block, estimated from the last block.
    private func limit(after count: Int, rows: Int) -> Int {
        guard !plan.expands.isEmpty else { return Self.blockRows }
        return max(1, min(Self.blockRows, count * 4, Self.targetRows * count / max(1, rows)))
    }

    /// Whether a token can describe the start of the unread rows.
    var canBreakOff: Bool { plan.limit != nil && plan.statement.token(after: last, count: rowsRead) != nil }

    /// Ends the read after the rows that were read.
    ///
    /// - Returns: The token of the remaining rows; nil at the end, or if tokens are not requested.
    func breakOff() -> PageToken? {
        guard !isAtEnd, plan.limit != nil else { return nil }
        defer { close() }
        return plan.statement.token(after: last, count: rowsRead)
    }

    private func takeRow(_ level: inout RowLevel, _ block: inout RowBlock) throws {
        guard try statement.step() else {
            close()
            return
        }
        rowsRead += 1
        level.append(statement.pointer, decoder: plan.decoder, to: &block)
        guard rowsRead == plan.limit else { return }
        let last = plan.statement.projection.order.map { statement.pointer.binding(at: CInt($0)) }
        if try statement.step() { next = plan.token(after: last) }
        close()
    }

    /// Ends the statement before its last row.
    func close() {
        isAtEnd = true
        statement.finish()
    }
}

/// Which part of a result is read.
struct ReadExtent: Sendable {
    /// The number of rows that remain of the page; nil for all.
    var pageRows: Int?
    /// The end of the previous page or run.
    var token: PageToken?
}
