import ByteStreams
import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores
import SQLiteEncryption

extension OfflineStore {
    public func read(_ request: ReadRequest) async throws -> ReadResult {
        try await withStreams(try await answer(request, pageSize: configuration.pageSize).result, of: request)
    }

    /// The response, and the temporary keys that were hidden in it as far as it was read.
    func answer(_ request: ReadRequest, pageSize: Int?) async throws -> (result: ReadResult, hidden: TemporaryIDs) {
        let (offline, database) = try working()
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
        return try await mappingErrors { [request] in
            (try await executor.read(request, in: database.pool, pageSize: pageSize), hidden)
        }
    }

    /// A stream in the store: a media stream, a stream property, or the raw value of a property. A stream of a query
    /// with streams that is not on the device, because it was evicted or not downloaded yet, is fetched from the
    /// service and stored.
    ///
    /// - Throws: ``ODataError`` `mediaNotInStore` if the stream is not on the device and cannot be fetched, `notFound`
    ///   if the path does not lead to an entity or to content; for properties that are null with the status 204.
    public func readStream(_ request: StreamRequest) async throws -> StreamResult {
        let (offline, database) = try working()
        try await makeTables(for: QuerySets(request.path).names, offline, in: database)
        if case .property(let property) = request.path.target {
            return try await readRawValue(request, property)
        }
        let stored = try await database.reading { db in
            try StoredStream(path: request.path, offline: offline, in: db)
        }
        if stored.isAbsent(from: self), let remote, !database.isReadOnly,
            let result = try await fetch(stored, for: request, offline, from: remote)
        {
            return result
        }
        return try stored.result(for: request, in: self)
    }

    private func readRawValue(_ request: StreamRequest, _ property: EdmProperty) async throws -> StreamResult {
        let result = try await read(ReadRequest(BoundQuery(path: request.path.resource)))
        guard case .value(let value, _) = result.body, !value.isNull else { return .null }
        if case .binary(let bytes) = value {
            return StreamResult(
                content: ByteContent(bytes), contentType: "application/octet-stream", totalLength: Int64(bytes.count))
        }
        let bytes = Array(value.lexical.utf8)
        return StreamResult(
            content: ByteContent(bytes), contentType: "text/plain;charset=utf-8", totalLength: Int64(bytes.count))
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
        try await database.writing { try LocalSearch(db: $0, schema: offline.schema).make(for: sets.searched) }
        return sets
    }

    /// A set without downloaded entities reads as empty.
    func makeTables(for sets: Set<String>, _ offline: OfflineModel, in database: StoreDatabase) async throws {
        guard try await !database.reading({ try TableMaker(db: $0, schema: offline.schema).has(sets) }) else { return }
        guard !database.isReadOnly else {
            throw ODataError(
                .notFound, "The read-only store does not contain \(sets.sorted().joined(separator: ", ")) yet.")
        }
        try await database.writing { db in
            for set in sets.sorted() { try TableMaker(db: db, schema: offline.schema).make(set) }
        }
    }

    /// Errors of the layers below as ``ODataError``.
    func mappingErrors<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch { throw ODataError(any: error) }
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
