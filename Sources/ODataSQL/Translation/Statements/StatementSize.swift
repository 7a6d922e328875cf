import ODataQuery

/// Limits the size of a statement, so that a short query cannot exhaust the memory: the size of its text, and the size
/// after SQLite's expansion. SQLite copies a common table expression to each place that refers to it, and the
/// expression of a computed column as well, unless its table is ``isolated(_:)``.
struct StatementSize {
    /// The longest statement in bytes: SQLite's own limit for its text.
    private static let longest = 1_000_000
    /// The maximum number of bytes that SQLite copies of a statement.
    private static let mostCopied = 300_000
    /// The maximum number of common table expressions; each has the columns of the previous ones.
    static let mostTables = 250
    /// The maximum number of bytes that are written for a statement, intermediate parts included.
    private static let mostWritten = 64 << 20
    /// The maximum number of bytes of an expression that is copied to the uses of its column.
    private static let longestCopy = 400

    /// The maximum number of bytes of one value that is composed of many: a collection of `nest`, or a copy of it.
    static let longestValue = 4 << 20
    /// The maximum number of bytes of all such values of a row: SQLite, the reader and the response each hold the row.
    static let longestValues = 8 << 20
    /// The number of computed texts of a row that are not counted as long values.
    static let fewTexts = 4

    private var written = 0
    /// The bytes of a reference to a name.
    private var lengths: [String: Int] = [:]

    /// Counts a part that was written.
    mutating func write(_ part: SQLFragment) throws {
        let length = part.byteCount
        written += length
        guard length <= Self.longest, written <= Self.mostWritten else { throw Self.tooLong }
    }

    /// Checks a whole statement.
    func check(_ statement: SQLFragment) throws { _ = try checkedLength(of: statement) }

    private func checkedLength(of statement: SQLFragment) throws -> Int {
        let length = length(of: statement)
        guard length - statement.byteCount <= Self.mostCopied else { throw Self.tooMuch }
        guard statement.byteCount <= Self.longest else { throw Self.tooLong }
        return length
    }

    /// The number of bytes of `statement` with the referenced tables copied in.
    private func length(of statement: SQLFragment) -> Int {
        var length = statement.byteCount
        guard !lengths.isEmpty else { return length }
        statement.forEachName { name, _ in length += lengths[name] ?? 0 }
        return length
    }

    /// Counts a common table expression.
    mutating func name(table: String, _ statement: SQLFragment) throws {
        try write(statement)
        lengths[table] = try checkedLength(of: statement)
    }

    /// Counts columns of a common table expression.
    ///
    /// - Returns: Whether they are too long to be copied, so that their table must be isolated.
    mutating func name(columns: [(name: String, sql: SQLFragment)]) -> Bool {
        let known = columns.map { length(of: $0.sql) }
        guard known.allSatisfy({ $0 <= Self.longestCopy }) else { return true }
        for (column, length) in zip(columns, known) { lengths[column.name] = length }
        return false
    }

    /// A table whose columns are computed once for each row and not copied to their uses: SQLite does not flatten
    /// subqueries with an offset.
    static func isolated(_ statement: SQLFragment) -> SQLFragment { statement + " LIMIT -1 OFFSET 0" }

    static var tooManyTables: QueryError {
        QueryError(.limitExceeded, "The query has more than \(mostTables) steps that each require a table.")
    }

    private static var tooLong: QueryError {
        QueryError(.limitExceeded, "The query needs a statement of more than \(longest) bytes.")
    }

    private static var tooMuch: QueryError {
        QueryError(
            .limitExceeded,
            "The query uses its intermediate results so often that its statement would expand to more than \(mostCopied) bytes."
        )
    }
}
