import GRDB
import ODataModel
import ODataQuery
import ODataStores
import Synchronization

/// Reads the entities of a query that changed after a position of the log: those that belong to the result as rows,
/// the others as removed.
///
/// [OData-Protocol, section 11.3: Requesting Changes]
final class DeltaReader: EntityReader {
    /// How many log entries are looked at in one read of the database.
    private static let step = 100

    let shape: RowShape
    private let store: SQLiteStore
    private let log: ChangeLog
    private let table: PublishedTable
    private let query: BoundQuery
    private let pageSize: Int?
    private let state: Mutex<State>

    private struct State {
        var position: ChangePosition
        var count = 0
        var isAtEnd = false
    }

    init(
        store: SQLiteStore, log: ChangeLog, table: PublishedTable, query: BoundQuery, position: ChangePosition,
        pageSize: Int?
    ) throws {
        shape = try RowShape.shape(of: query, model: store.schema.model)
        self.store = store
        self.log = log
        self.table = table
        self.query = query
        self.pageSize = pageSize
        state = Mutex(State(position: position))
    }

    func next() async throws -> RowBlock? {
        let current = state.withLock { $0 }
        guard !current.isAtEnd else { return nil }
        let limit = min(Self.step, (pageSize ?? .max) - current.count)
        do {
            let (block, next) = try await store.reading { [self] db in try step(current, limit: limit, in: db) }
            state.withLock { $0 = next }
            return block
        } catch {
            state.withLock { $0.isAtEnd = true }
            throw ODataError.storage(error)
        }
    }

    private func step(_ current: State, limit: Int, in db: Database) throws -> (RowBlock, State) {
        var next = current
        let changes = try log.changes(of: table, after: current.position, limit: limit, in: db)
        let delta = DeltaBlock(access: store.access(db), table: table, query: query)
        var block = try delta.block(for: changes, shape: shape)
        next.count += changes.count
        if changes.count < limit {
            next.position = try log.position(in: db)
            next.isAtEnd = true
            block.deltaLink = link(next.position)
        } else if let last = changes.last {
            next.position.sequence = last.sequence
            if next.count == pageSize {
                next.isAtEnd = true
                block.nextLink = link(next.position)
            }
        }
        return (block, next)
    }

    private func link(_ position: ChangePosition) -> String {
        var query = query
        query.options.deltaToken = position.token
        return query.url
    }
}
