import GRDBSQLite
import ODataModel

extension SQLiteFunctions {
    static let patterns: [(String, CInt, Implementation)] = [
        ("odata_matches", 2, { SQLFunctionCall($0, $1, $2).matchesPattern() }),
        ("odata_matches", 3, { SQLFunctionCall($0, $1, $2).matchesPattern() }),
    ]
}

extension SQLFunctionCall {
    /// A text, a pattern, and flags. A constant pattern is compiled once per statement.
    fileprivate func matchesPattern() {
        guard let text = text(0), let source = self.text(1), count == 2 || kind(2) != SQLITE_NULL else {
            return setResult(nil as Int64?)
        }
        if let known = sqlite3_get_auxdata(context, 1) {
            return setResult(Unmanaged<CompiledPattern>.fromOpaque(known).takeUnretainedValue(), on: text)
        }
        do {
            let pattern = CompiledPattern(try Pattern(source, flags: self.text(2) ?? ""))
            setResult(pattern, on: text)
            sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(pattern).toOpaque()) { pattern in
                guard let pattern else { return }
                Unmanaged<CompiledPattern>.fromOpaque(pattern).release()
            }
        } catch {
            fail("matchesPattern: '\(source.prefix(100))': \(error.message).", isUnsupported: error.isUnsupported)
        }
    }

    private func setResult(_ compiled: CompiledPattern, on text: String) {
        guard let isMatch = compiled.pattern.matches(text) else {
            return fail("matchesPattern: the pattern takes too long on a text of \(text.utf8.count) bytes.")
        }
        setResult(condition: isMatch)
    }
}

/// Keeps a pattern for SQLite.
private final class CompiledPattern {
    let pattern: Pattern

    init(_ pattern: Pattern) {
        self.pattern = pattern
    }
}
