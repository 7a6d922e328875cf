import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

extension OfflineStore: LiveStore {
    /// The results of `query`, again whenever the app, a download or an upload changes them.
    ///
    /// Results are held as a whole: use `$top` to limit them. See ``LiveQuery``.
    ///
    /// - Parameters:
    ///   - query: Any that the store can read.
    ///   - annotations: The instance annotations that the entities have, see ``ReadRequest/annotations``; when one
    ///     changes, the entity has changed.
    public func live(_ query: BoundQuery, annotations: String? = nil) -> LiveQuery {
        var request = ReadRequest(query)
        request.annotations = annotations
        return LiveQuery(store: self, request: request)
    }
}

/// A result, and the ids in it that are temporary.
struct LiveState: Sendable {
    var result: LiveResult
    var temporary: [String: TemporaryID]
}

extension OfflineStore {
    /// The tables and columns that the result of `request` is read from.
    func region(of request: ReadRequest) async throws -> DatabaseRegion {
        let (offline, database) = try working()
        let query = request.query
        let sets = try await makeTables(for: query, offline, in: database)
        if query.path.root == .all { return .fullDatabase }
        return try await database.reading { db in
            let executor = try offline.executor(for: request, sets, in: db)
            let statements = try executor.statements(for: query).map(\.text)
            return try statements.reduce(into: DatabaseRegion()) { region, sql in
                region.formUnion(try db.makeStatement(sql: sql).databaseRegion)
            }
        }
    }

    /// Notifies `observer` of commits from now on. Until it is registered, any commit wakes it, since it cannot join a
    /// running transaction.
    func observe(_ observer: CommitObserver, signal: AsyncStream<Void>.Continuation) {
        let commits = liveQueries.commits
        database.pool.asyncWriteWithoutTransaction { [liveQueries] db in
            db.add(transactionObserver: observer)
            if liveQueries.commits != commits { signal.yield() }
        }
    }

    func liveState(of request: ReadRequest) async throws -> LiveState {
        try await liveQueries.turns.taking {
            let (answer, hidden) = try await answer(request, pageSize: nil)
            var result = LiveResult(content: .nothing, count: answer.count)
            switch answer.body {
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
    func liveResult(_ state: LiveState, after before: LiveState) async throws -> LiveResult {
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
        let (offline, database) = try working()
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
