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
        (ShownText.function, 1, { FunctionCall($0, $1, $2).shownText() }),
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
        if let length = integer(2), length < 0 { return fail("the length of a substring is negative.") }
        let scalars = text.unicodeScalars
        let size = Int64(scalars.count)
        let from = start < 0 ? max(0, size + max(start, -size)) : min(start, size)
        let length = min(integer(2) ?? size, size - from)
        let part = scalars.dropFirst(Int(from)).prefix(Int(length))
        give(String(String.UnicodeScalarView(part)))
    }

    fileprivate func shownText() { give(ShownText.text(of: binding(0))) }

    fileprivate func canonicalGuid() {
        if kind(0) == SQLITE_BLOB { return give(EdmGuid(bytes: bytes(0))?.description) }
        give(text(0).flatMap { EdmGuid($0)?.description })
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
