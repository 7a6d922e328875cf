import GRDB
import ODataModel
import ODataSQL
import ODataStores
import Synchronization

/// Rows that are read block by block from one snapshot of the database.
final class SnapshotRows: EntityReader {
    let shape: RowShape
    private let page: PageMarks
    private let snapshot: any DatabaseSnapshotReader
    private let cursor: EntityCursor
    private let isStarted = Mutex(false)
    private let timeLimit: Duration?

    /// - Parameter timeLimit: How long the database may work for each block.
    init(
        _ plan: QueryPlan, page: PageMarks, snapshot: any DatabaseSnapshotReader, timeLimit: Duration?
    ) async throws {
        self.page = page
        self.timeLimit = timeLimit
        self.snapshot = snapshot
        shape = plan.decoder.shape
        cursor = try await snapshot.read { try EntityCursor(plan, in: $0, staysOpen: true) }
    }

    func next() async throws -> RowBlock? {
        let isFirst = isStarted.withLock { started in
            defer { started = true }
            return !started
        }
        return try await ODataError.wrapping(timeLimit) {
            try await snapshot.read { [cursor, page, timeLimit] db in
                try WorkClock.run(timeLimit, on: db) {
                    var blocks = try cursor.block(in: db).map { [$0] } ?? []
                    page.mark(&blocks, isFirst: isFirst, next: cursor.next)
                    return blocks.first
                }
            }
        }
    }
}

/// Rows that are read in runs, each of which starts after the last row of the previous run: the rows of `$all`, and all
/// rows of a database with a single connection. The latter has no snapshot: changes in between may be visible in later
/// runs.
final class RowRuns: EntityReader {
    let shape: RowShape
    private let run: @Sendable (ReadExtent) async throws -> RowRun
    private let state: Mutex<RowRun>

    init(shape: RowShape, first: RowRun, run: @escaping @Sendable (ReadExtent) async throws -> RowRun) {
        self.shape = shape
        self.run = run
        state = Mutex(first)
    }

    func next() async throws -> RowBlock? {
        if let block = state.withLock({ $0.blocks.isEmpty ? nil : $0.blocks.removeFirst() }) { return block }
        guard let extent = state.withLock({ $0.rest }) else { return nil }
        var next = try await ODataError.wrapping { try await run(extent) }
        let block = next.blocks.isEmpty ? nil : next.blocks.removeFirst()
        state.withLock { [next] in $0 = next }
        return block
    }
}

/// Some blocks, and the remaining extent.
struct RowRun: Sendable {
    /// The number of bytes after which a run ends, even if rows remain.
    private static let bytes = 8 << 20

    var blocks: [RowBlock]
    var rest: ReadExtent?

    /// Takes blocks of a cursor until there are enough bytes, or all blocks if no token can describe the rest.
    mutating func fill(from cursor: EntityCursor, in db: Database) throws {
        var left = Self.bytes
        while left > 0 || !cursor.canBreakOff, let block = try cursor.block(in: db) {
            left -= block.size
            blocks.append(block)
        }
    }
}

extension RowBlock {
    /// About how many bytes it takes.
    fileprivate var size: Int {
        buffer.count + slots.count * MemoryLayout<RowSlot>.stride + rows.count * MemoryLayout<RowHeader>.stride
    }
}

/// What is returned with the first block of a page and with the last one.
struct PageMarks: Sendable {
    /// `@odata.count`
    let count: Int64?
    /// The next link for a token.
    let link: @Sendable (String) -> String

    /// - Parameter next: where the next page starts, if `blocks` ends a page.
    func mark(_ blocks: inout [RowBlock], isFirst: Bool, next: PageToken?) {
        if isFirst, count != nil {
            if blocks.isEmpty { blocks.append(RowBlock()) }
            blocks[0].count = count
        }
        if let next, !blocks.isEmpty { blocks[blocks.count - 1].nextLink = link(next.text) }
    }
}
