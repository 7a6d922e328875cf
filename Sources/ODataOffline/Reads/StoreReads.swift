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

    /// The response, without temporary keys.
    func response(to request: ReadRequest, pageSize: Int?) async throws -> ReadResult {
        let (offline, database) = try state.working()
        let sets = try await makeTables(for: request.query, offline, in: database)
        let asked = request
        let (query, executor) = try await database.readingDirectly { db in
            var executor = try offline.executor(for: asked, sets, in: db)
            executor.revision = TemporaryKeys.revision(offline.schema)
            let resolver = PathResolver(db: db, schema: offline.schema)
            return (try resolver.resolve(asked.query, model: offline.model), executor)
        }
        var request = request
        request.query = query
        do { return try await executor.read(request, in: database.pool, pageSize: pageSize) } catch {
            throw ODataError(any: error)
        }
    }

    /// The row of a stream in the database.
    ///
    /// - Throws: ``ODataError`` `notFound` if the path leads to no entity, `badRequest` if to no stream.
    func stream(at path: ResourcePath) async throws -> StoredStream {
        let (offline, database) = try state.working()
        try await makeTables(for: QuerySets(path).names, offline, in: database)
        return try await database.reading { db in try StoredStream(path: path, offline: offline, in: db) }
    }

    /// The sets of a query that no defining query holds; nil for none.
    func unheldSets(of query: BoundQuery) async throws -> String? {
        let (offline, database) = try state.working()
        let held = try await database.reading { db in
            try QueryRecord.all(in: db).compactMap { try? QueryCheck(offline: offline).bound($0.definition) }
        }.reduce(into: Set<String>()) { $0.formUnion(QuerySets($1).names) }
        let missing = QuerySets(query).names.filter {
            !held.contains($0) && !offline.schema.isView($0) && !offline.isLocal($0)
        }
        guard !missing.isEmpty else { return nil }
        return missing.sorted().joined(separator: ", ")
    }

    /// Executes `body` in a transaction, with the row of a stream.
    func changingStream<Result: Sendable>(
        at path: ResourcePath, _ body: @escaping @Sendable (Database, StoredStream) throws -> Result
    ) async throws -> Result {
        let (offline, database) = try state.working()
        try await makeTables(for: QuerySets(path).names, offline, in: database)
        return try await database.writing { db in
            try body(db, try StoredStream(path: path, offline: offline, in: db))
        }
    }

    /// The tables of a query: those of its rows, and the full-text tables of `$search`.
    ///
    /// - Returns: The sets of the query.
    func makeTables(
        for query: BoundQuery, _ offline: OfflineModel, in database: StoreDatabase
    ) async throws -> QuerySets {
        let sets = QuerySets(query)
        try await makeTables(for: sets.names, offline, in: database)
        guard !sets.searched.isEmpty, !database.isReadOnly else { return sets }
        let isMissing = try await database.readingDirectly {
            try LocalSearch(db: $0, schema: offline.schema).isMissing(for: sets.searched)
        }
        guard isMissing else { return sets }
        try await database.writing(isCancellable: true) {
            try LocalSearch(db: $0, schema: offline.schema).make(for: sets.searched)
        }
        return sets
    }

    /// A set without downloaded entities reads as empty.
    func makeTables(for sets: Set<String>, _ offline: OfflineModel, in database: StoreDatabase) async throws {
        guard try await !database.readingDirectly({ try TableMaker(db: $0, schema: offline.schema).has(sets) }) else {
            return
        }
        guard !database.isReadOnly else {
            throw ODataError(
                .notFound, "The read-only store does not contain \(sets.sorted().joined(separator: ", ")) yet.")
        }
        try await database.writing(isCancellable: true) { db in
            for set in sets.sorted() { try TableMaker(db: db, schema: offline.schema).make(set) }
        }
    }
}

extension ODataError {
    /// Maps the errors of the layers below a store.
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
