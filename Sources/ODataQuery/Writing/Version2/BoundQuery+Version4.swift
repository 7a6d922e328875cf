extension BoundQuery {
    /// The URL that asks a V4 service for the same: ``url``, which only this library reads where `replace` is in it.
    ///
    /// - Throws: ``QueryError`` (`notImplemented`) naming what V4 cannot say.
    package func version4URL() throws(QueryError) -> String {
        guard !options.callsReplace else {
            throw QueryError(.notImplemented, "The function replace cannot be said in OData V4.")
        }
        return url
    }
}

extension QueryOptions {
    /// Whether these or nested options call the function that V4 does not have.
    fileprivate var callsReplace: Bool {
        filter?.callsReplace == true || compute.contains { $0.expression.callsReplace }
            || orderBy.contains { $0.expression.callsReplace } || expand.contains { $0.options.callsReplace }
    }
}

extension Expression {
    fileprivate var callsReplace: Bool {
        if case .call(.replace, _) = self { true } else { operands.contains(where: \.callsReplace) }
    }
}
