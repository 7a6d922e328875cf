import ODataQuery
import ODataStores

extension SQLiteStore {
    /// The SQL of `query`, statement by statement, each followed by a comment with its bindings. Statements of expanded
    /// navigation properties have the parent rows as the parameter `:parents`.
    ///
    /// - Throws: ``ODataError`` for what the store does not support.
    public func explain(_ query: BoundQuery) throws -> [String] { try executor.explanation(of: query) }
}
