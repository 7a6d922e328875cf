extension BoundQuery {
    /// The URL that asks a V4 service for the same: ``url``, which only this library reads where `replace` is in it.
    ///
    /// - Throws: ``QueryError`` (`notImplemented`) naming what V4 cannot say.
    package func version4URL() throws(QueryError) -> String {
        guard !QuerySets(self).callsReplace else {
            throw QueryError(.notImplemented, "The function replace cannot be said in OData V4.")
        }
        return url
    }
}
