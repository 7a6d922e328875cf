import GRDBSQLite
import ODataModel
import ODataSQL

extension SQLiteFunctions {
    static let texts: [(String, CInt, Implementation)] = [
        ("odata_tolower", 1, { FunctionCall($0, $1, $2).mapped { $0.lowercased() } }),
        ("odata_toupper", 1, { FunctionCall($0, $1, $2).mapped { $0.uppercased() } }),
        ("odata_trim", 1, { FunctionCall($0, $1, $2).mapped { $0.trimmed } }),
        ("odata_substring", 2, { FunctionCall($0, $1, $2).substring() }),
        ("odata_substring", 3, { FunctionCall($0, $1, $2).substring() }),
        ("odata_matches", 2, { FunctionCall($0, $1, $2).matchesPattern() }),
        ("odata_guid", 1, { FunctionCall($0, $1, $2).canonicalGuid() }),
    ]
}

extension FunctionCall {
    fileprivate func mapped(_ change: (String) -> String) {
        give(text(0).map(change))
    }

    /// Characters from a position (from 0; negative ones count from the end), so many or all.
    fileprivate func substring() {
        guard let text = text(0), let start = integer(1), kind(2) != SQLITE_NULL || count == 2 else {
            return give(nil as String?)
        }
        let scalars = text.unicodeScalars
        let size = Int64(scalars.count)
        let from = start < 0 ? max(0, size + max(start, -size)) : min(start, size)
        let length = min(max(0, integer(2) ?? size), size - from)
        let part = scalars.dropFirst(Int(from)).prefix(Int(length))
        give(String(String.UnicodeScalarView(part)))
    }

    fileprivate func canonicalGuid() {
        if kind(0) == SQLITE_BLOB { return give(EdmGuid(bytes: bytes(0))?.description) }
        give(text(0).flatMap { EdmGuid($0)?.description })
    }

    /// The pattern is compiled once per statement.
    fileprivate func matchesPattern() {
        guard let text = text(0), let source = self.text(1) else { return give(nil as Int64?) }
        if let known = sqlite3_get_auxdata(context, 1) {
            return give(Int64(Unmanaged<Pattern>.fromOpaque(known).takeUnretainedValue().matches(text) ? 1 : 0))
        }
        guard let pattern = Pattern(source) else {
            return fail("matchesPattern: '\(source.prefix(100))' is not a regular expression that can be used.")
        }
        give(Int64(pattern.matches(text) ? 1 : 0))
        let kept = Unmanaged.passRetained(pattern).toOpaque()
        sqlite3_set_auxdata(context, 1, kept) { pattern in
            guard let pattern else { return }
            Unmanaged<Pattern>.fromOpaque(pattern).release()
        }
    }
}

/// A regular expression. A match anywhere in the text counts.
private final class Pattern {
    private let expression: Regex<AnyRegexOutput>

    init?(_ source: String) {
        guard let expression = try? Regex(source) else { return nil }
        self.expression = expression.matchingSemantics(.unicodeScalar)
    }

    func matches(_ text: String) -> Bool {
        (try? expression.firstMatch(in: text)) != nil
    }
}

extension String {
    /// Without whitespace at both ends, as Unicode has it.
    fileprivate var trimmed: String {
        let scalars = unicodeScalars
        let start = scalars.drop { $0.properties.isWhitespace }
        let end = start.lastIndex { !$0.properties.isWhitespace }
        return end.map { String(start[...$0]) } ?? ""
    }
}
