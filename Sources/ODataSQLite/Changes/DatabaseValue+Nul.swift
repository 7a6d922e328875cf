import GRDB

/// Text with U+0000 in it: GRDB binds and reads a text up to the first of them only.
extension DatabaseValue {
    /// Whether this is text with U+0000 in it.
    package var hasNul: Bool {
        if case .string(let text) = storage { text.utf8.contains(0) } else { false }
    }

    /// The value; of text, what is between its U+0000.
    package var parts: [DatabaseValue] {
        guard hasNul, case .string(let text) = storage else { return [self] }
        return text.unicodeScalars.split(separator: "\0", omittingEmptySubsequences: false).map {
            String(String.UnicodeScalarView($0)).databaseValue
        }
    }

    /// What stands for the value in a statement to which its ``parts`` are bound: `?`, or `? || char(0) || ?`
    package var term: String { parts.map { _ in "?" }.joined(separator: " || char(0) || ") }
}

extension Statement {
    /// The values of the first row, text with U+0000 whole; nil without a row.
    package func wholeRow(_ arguments: StatementArguments) throws -> [DatabaseValue]? {
        let rows = try Row.fetchCursor(self, arguments: arguments)
        // The row is that of the cursor, which ends the statement when it goes.
        return try withExtendedLifetime(rows) { try rows.next()?.wholeValues() }
    }
}

extension Row {
    /// The values of the row that a cursor is on: a copy of it has its texts cut.
    package func wholeValues() throws -> [DatabaseValue] {
        try databaseValues.enumerated().map { index, value in
            guard case .string = value.storage else { return value }
            return try withUnsafeData(atIndex: index) { bytes in
                bytes.map { String(decoding: $0, as: UTF8.self).databaseValue } ?? value
            }
        }
    }
}
