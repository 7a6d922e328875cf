import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores
import SQLiteEncryption

/// Reads the rows of an offline store.
struct StoreReads: Sendable {
    let state: StoreState

    /// The response, and the temporary keys that were hidden in it as far as it was read.
    func response(to request: ReadRequest, pageSize: Int?) async throws -> (result: ReadResult, hidden: TemporaryIDs) {
        let (offline, database) = try state.working()
        let sets = try await makeTables(for: request.query, offline, in: database)
        let asked = request
        let hidden = TemporaryIDs()
        let (query, executor) = try await database.reading { db in
            var executor = try offline.executor(for: asked, sets, in: db)
            executor.revision = hidden.revision
            let resolver = PathResolver(db: db, schema: offline.schema)
            return (try resolver.resolve(asked.query, model: offline.model), executor)
        }
        var request = request
        request.query = query
        do { return (try await executor.read(request, in: database.pool, pageSize: pageSize), hidden) } catch {
            throw ODataError(any: error)
        }
    }

    /// What the database knows of a stream.
    ///
    /// - Throws: ``ODataError`` `notFound` if the path leads to no entity, `badRequest` if to no stream.
    func stream(at path: ResourcePath) async throws -> StoredStream {
        let (offline, database) = try state.working()
        try await makeTables(for: QuerySets(path).names, offline, in: database)
        return try await database.reading { db in try StoredStream(path: path, offline: offline, in: db) }
    }

    /// The tables of a query: those of its rows, and those that `$search` uses.
    ///
    /// - Returns: The sets of the query.
    func makeTables(
        for query: BoundQuery, _ offline: OfflineModel, in database: StoreDatabase
    ) async throws -> QuerySets {
        let sets = QuerySets(query)
        try await makeTables(for: sets.names, offline, in: database)
        guard !sets.searched.isEmpty, !database.isReadOnly else { return sets }
        let isMissing = try await database.reading {
            try LocalSearch(db: $0, schema: offline.schema).isMissing(for: sets.searched)
        }
        guard isMissing else { return sets }
        try await database.writing(mayLeave: true) {
            try LocalSearch(db: $0, schema: offline.schema).make(for: sets.searched)
        }
        return sets
    }

    /// A set that nothing was downloaded of reads as empty.
    func makeTables(for sets: Set<String>, _ offline: OfflineModel, in database: StoreDatabase) async throws {
        guard try await !database.reading({ try TableMaker(db: $0, schema: offline.schema).has(sets) }) else { return }
        guard !database.isReadOnly else {
            throw ODataError(
                .notFound, "The store has nothing of \(sets.sorted().joined(separator: ", ")) yet, and is only read.")
        }
        try await database.writing(mayLeave: true) { db in
            for set in sets.sorted() { try TableMaker(db: db, schema: offline.schema).make(set) }
        }
    }
}

extension ODataError {
    /// Any error of the layers below a store.
    package init(any error: any Error) {
        switch error {
        case let error as ODataError: self = error
        case let error as QueryError: self.init(query: error)
        case let error as DatabaseError: self.init(database: error)
        case let error as ReplacedFile: self.init(replaced: error)
        case is CancellationError: self.init(.cancelled, "The task was cancelled.", cause: error)
        default: self.init(.internalError, "\(error)", cause: error)
        }
    }
}
