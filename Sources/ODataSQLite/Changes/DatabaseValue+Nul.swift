import GRDB

/// Text with U+0000 in it: GRDB binds a text up to the first of them only.
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
