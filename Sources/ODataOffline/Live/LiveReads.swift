import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// A result, and the ids in it that are temporary.
struct LiveState: Sendable {
    var result: LiveResult
    var temporary: [String: TemporaryID]
}

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
                executor.revision = TemporaryIDs().revision
                return try query.isUnchanged(by: rows, executor, offline: offline, last: last, in: db)
            }
        }
    }

    func state(of request: ReadRequest) async throws -> LiveState {
        try await turns.taking {
            let (response, hidden) = try await reads.response(to: request, pageSize: nil)
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
            return LiveState(result: result, temporary: hidden.all)
        }
    }

    /// The result of `state` with its difference from the previous result.
    func result(of state: LiveState, after before: LiveState) async throws -> LiveResult {
        guard case .entities(let new) = state.result.content, case .entities(let old) = before.result.content else {
            return state.result
        }
        var result = state.result
        let renamed = try await renamed(old.compactMap { $0.id.flatMap { before.temporary[$0] } })
        result.difference = LiveDifference(from: old, to: new, renamed: renamed)
        return result
    }

    /// The ids that entities have now, by the temporary ones.
    private func renamed(_ ids: [TemporaryID]) async throws -> [String: String] {
        guard !ids.isEmpty else { return [:] }
        let (offline, database) = try reads.state.working()
        return try await database.reading { db in
            let resolver = PathResolver(db: db, schema: offline.schema)
            return try ids.reduce(into: [:]) { renamed, id in
                guard let row = try resolver.row(of: id.key, in: id.entitySet),
                    let table = offline.schema.tables[id.entitySet],
                    let key = try RowLookup(db: db, table: table).key(of: row)
                else { return }
                renamed[id.text] = ResourcePath(table.set).url + key.urlText
            }
        }
    }
}
