import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// Reads the results of live queries.
struct LiveReads {
    let reads: StoreReads
    let turns: FairQueue

    /// The tables and columns that the result of `request` is read from.
    func region(of request: ReadRequest) async throws -> LiveRegion {
        let (offline, database) = try reads.state.working()
        let query = request.query
        let sets = try await reads.makeTables(for: query, offline, in: database)
        if query.path.root == .all { return LiveRegion(.fullDatabase, rows: nil) }
        return try await database.reading { db in
            let executor = try offline.executor(for: request, sets, in: db)
            let statements = try executor.statements(for: query).map(\.text)
            let region = try statements.reduce(into: DatabaseRegion()) { region, sql in
                region.formUnion(try db.makeStatement(sql: sql).databaseRegion)
            }
            return LiveRegion(region, rows: RowwiseQuery(query, in: offline.schema)?.region)
        }
    }

    /// Whether rows that were inserted or updated since `last` was read, and no others, leave the result as it was.
    ///
    /// - Parameter last: The entities of the last result by their ids.
    func isUnchanged(
        by rows: Set<Int64>, of request: ReadRequest, since last: [String: EdmEntity]
    ) async throws -> Bool {
        let (offline, database) = try reads.state.working()
        guard let query = RowwiseQuery(request.query, in: offline.schema) else { return false }
        return try await turns.taking {
            try await database.reading { db in
                var executor = try offline.executor(for: request, QuerySets(request.query), in: db)
                executor.revision = TemporaryKeys.revision(offline.schema)
                return try query.isUnchanged(by: rows, executor, offline: offline, last: last, in: db)
            }
        }
    }

    /// The result as it is now, without a difference.
    func result(of request: ReadRequest) async throws -> LiveResult {
        try await turns.taking {
            let response = try await reads.response(to: request, pageSize: nil)
            var result = LiveResult(content: .nothing, count: response.count)
            switch response.body {
            case .entities(let reader):
                let assembler = EntityAssembler(shape: reader.shape)
                var entities: [EdmEntity] = []
                while let block = try await reader.next() {
                    entities += assembler.entities(in: block)
                    result.count = block.count ?? result.count
                }
                result.content = .entities(entities)
            case .value(let value, _): result.content = .value(value)
            case .count(let count): result.content = .count(count)
            case .nothing, .notModified: break
            }
            return result
        }
    }
}
