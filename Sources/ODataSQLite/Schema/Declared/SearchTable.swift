import ODataSQL

/// The full-text table for `$search`, which triggers maintain.
struct SearchTable {
    let table: PublishedTable
    /// `$search$Products`
    let name: String
    private let paths: [String]

    /// Nil if the table has nothing to search.
    init?(_ table: PublishedTable) {
        guard let paths = table.declared?.searchable, !paths.isEmpty, table.rowID != nil else { return nil }
        self.table = table
        self.paths = paths
        name = "$search$\(table.name)"
    }

    var statements: [DeclaredStatements.Statement] {
        let columns = paths.indices.map { "c\($0)" }
        let list = columns.joined(separator: ", ")
        let id = quoted(DeclaredTable.rowID)
        let forget = "DELETE FROM \(quoted(name)) WHERE rowid = OLD.\(id)"
        let take = "INSERT INTO \(quoted(name)) (rowid, \(list)) VALUES (NEW.\(id), \(values("NEW")))"
        return [
            .init(
                name: name,
                sql:
                    "CREATE VIRTUAL TABLE \(quoted(name)) USING fts5(\(list), tokenize = 'unicode61 remove_diacritics 2')",
                fill: """
                    INSERT INTO \(quoted(name)) (rowid, \(list)) SELECT r.\(id), \(values("r")) \
                    FROM \(quoted(table.name)) AS r
                    """),
            trigger("insert", "AFTER INSERT", [take]),
            trigger("update", "AFTER UPDATE", [forget, take]),
            trigger("delete", "AFTER DELETE", [forget]),
        ]
    }

    private func trigger(_ suffix: String, _ event: String, _ steps: [String]) -> DeclaredStatements.Statement {
        let trigger = "$search_\(suffix)_\(table.name)"
        let body = steps.joined(separator: "; ")
        return .init(
            name: trigger,
            sql: "CREATE TRIGGER \(quoted(trigger)) \(event) ON \(quoted(table.name)) BEGIN \(body); END")
    }

    /// `NEW."Name", json_extract(NEW."Address", '$."City"')`
    private func values(_ row: String) -> String {
        paths.map { path in
            let steps = path.split(separator: "/").map(String.init)
            guard let first = steps.first, let column = table.column(ofProperty: first) else { return "NULL" }
            let value = "\(row).\(quoted(column.name))"
            guard steps.count > 1 else { return value }
            let inner = "$" + steps.dropFirst().map { ".\"\($0)\"" }.joined()
            return "json_extract(\(value), \(quotedText(inner)))"
        }.joined(separator: ", ")
    }
}
