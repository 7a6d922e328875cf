import GRDBSQLite

extension SQLiteFunctions {
    static let searches: [(String, CInt, Implementation)] = [
        ("odata_search", -1, { SQLFunctionCall($0, $1, $2).searched() })
    ]
}

extension SQLFunctionCall {
    /// A query, whether it is a phrase, and the texts to look for it in: 1 where one of them has it.
    fileprivate func searched() {
        guard let query = query() else { return setResult(condition: false) }
        let isPhrase = integer(1) == 1
        for index in 2..<max(2, count) {
            if let text = text(index), SearchWords(text).contains(query, isPhrase: isPhrase) {
                return setResult(condition: true)
            }
        }
        setResult(condition: false)
    }

    /// Parsed once per statement.
    private func query() -> SearchWords? {
        if let known = sqlite3_get_auxdata(context, 0) {
            return Unmanaged<SearchQuery>.fromOpaque(known).takeUnretainedValue().words
        }
        guard let text = text(0) else { return nil }
        let query = SearchQuery(SearchWords(text))
        sqlite3_set_auxdata(context, 0, Unmanaged.passRetained(query).toOpaque()) { query in
            guard let query else { return }
            Unmanaged<SearchQuery>.fromOpaque(query).release()
        }
        return query.words
    }
}

/// Keeps a query for SQLite.
private final class SearchQuery {
    let words: SearchWords

    init(_ words: SearchWords) {
        self.words = words
    }
}
