import ODataQuery

/// How much one statement is, so that no short query becomes one that fills the memory: the text that is written for
/// it, and what SQLite makes of that. SQLite copies a table of the statement's own to each place that names it, and the
/// expression of a computed column too, unless the table that has the column is ``isolated(_:)``.
struct StatementSize {
    /// The longest statement in bytes: SQLite's own limit for its text.
    private static let longest = 1_000_000
    /// What SQLite copies of a statement at most, in bytes.
    private static let mostCopied = 300_000
    /// How many tables of its own a statement may have: each of them has the columns of those before.
    static let mostTables = 250
    /// All text in bytes that may be written for a statement, parts of it that others are made of included.
    private static let mostWritten = 64 << 20
    /// The longest expression in bytes that is copied to the places that name its column.
    private static let longestCopy = 400

    /// How long one value in bytes may be that is made out of many: a collection by `nest`, or a copy of it.
    static let longestValue = 4 << 20
    /// How long all such values of a row may be together: SQLite, the reader and the response each hold the row.
    static let longestValues = 8 << 20
    /// How many computed texts a row may have that do not count among the long values.
    static let fewTexts = 4

    private var written = 0
    /// What stands for a name, in bytes.
    private var lengths: [String: Int] = [:]

    /// Counts a part that was written.
    mutating func write(_ part: SQLFragment) throws {
        let length = part.byteCount
        written += length
        guard length <= Self.longest, written <= Self.mostWritten else { throw Self.tooLong }
    }

    /// Looks at a whole statement.
    func check(_ statement: SQLFragment) throws { _ = try checkedLength(of: statement) }

    private func checkedLength(of statement: SQLFragment) throws -> Int {
        let length = length(of: statement)
        guard length - statement.byteCount <= Self.mostCopied else { throw Self.tooMuch }
        guard statement.byteCount <= Self.longest else { throw Self.tooLong }
        return length
    }

    /// `statement` with what it names copied to these places, in bytes.
    private func length(of statement: SQLFragment) -> Int {
        var length = statement.byteCount
        guard !lengths.isEmpty else { return length }
        statement.forEachName { name, _ in length += lengths[name] ?? 0 }
        return length
    }

    /// Counts a table of the statement's own.
    mutating func name(table: String, _ statement: SQLFragment) throws {
        try write(statement)
        lengths[table] = try checkedLength(of: statement)
    }

    /// Counts columns of a table of the statement's own.
    ///
    /// - Returns: Whether they are too long to be copied: their table is to be isolated.
    mutating func name(columns: [(name: String, sql: SQLFragment)]) -> Bool {
        let known = columns.map { length(of: $0.sql) }
        guard known.allSatisfy({ $0 <= Self.longestCopy }) else { return true }
        for (column, length) in zip(columns, known) { lengths[column.name] = length }
        return false
    }

    /// A table whose columns are computed once for each row, and not copied to the places that name them: SQLite leaves
    /// subqueries with an offset as they are.
    static func isolated(_ statement: SQLFragment) -> SQLFragment { statement + " LIMIT -1 OFFSET 0" }

    static var tooManyTables: QueryError {
        QueryError(.limitExceeded, "The query has more than \(mostTables) steps that each make a table.")
    }

    private static var tooLong: QueryError {
        QueryError(.limitExceeded, "The query needs a statement of more than \(longest) bytes.")
    }

    private static var tooMuch: QueryError {
        QueryError(
            .limitExceeded,
            "The query uses what it makes so often that a statement has more than \(mostCopied) bytes of it.")
    }
}
