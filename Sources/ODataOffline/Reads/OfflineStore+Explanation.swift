import GRDB
import ODataQuery
import ODataSQLite
import ODataStores

extension OfflineStore {
    /// The SQL of `query`, statement by statement, each with its bindings as a comment below it. The statements of
    /// expanded navigation properties have their parent rows as `:parents`.
    ///
    /// - Throws: ``ODataError`` for what the store does not support.
    public func explain(_ query: BoundQuery) async throws -> [String] {
        let (offline, database) = try working()
        let sets = try await reads.makeTables(for: query, offline, in: database)
        return try await database.reading { db in
            var query = query
            query.path = try PathResolver(db: db, schema: offline.schema).resolve(query.path)
            return try offline.executor(for: ReadRequest(query), sets, in: db).explanation(of: query)
        }
    }
}
