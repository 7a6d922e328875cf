import ODataQuery
import ODataStores

extension SQLiteStore {
    /// The SQL that answers `query`, statement by statement, each with its bindings as a comment below it. Those of
    /// expanded navigation properties take the rows that they belong to as `:parents`.
    ///
    /// - Throws: ``ODataError`` for what the store cannot answer.
    public func explain(_ query: BoundQuery) throws -> [String] { try executor.explanation(of: query) }
}
