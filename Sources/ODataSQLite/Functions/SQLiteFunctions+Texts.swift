import GRDBSQLite
import ODataModel
import ODataSQL

extension SQLiteFunctions {
    static let texts: [(String, CInt, Implementation)] = [
        ("odata_tolower", 1, { SQLFunctionCall($0, $1, $2).mapped { $0.inLowerCase } }),
        ("odata_toupper", 1, { SQLFunctionCall($0, $1, $2).mapped { $0.uppercased() } }),
        ("odata_trim", 1, { SQLFunctionCall($0, $1, $2).mapped { $0.trimmed } }),
        ("odata_length", 1, { SQLFunctionCall($0, $1, $2).length() }),
        ("odata_substring", 2, { SQLFunctionCall($0, $1, $2).substring() }),
        ("odata_substring", 3, { SQLFunctionCall($0, $1, $2).substring() }),
        (ShownText.function, 1, { SQLFunctionCall($0, $1, $2).shownText() }),
        ("odata_bounded", 1, { SQLFunctionCall($0, $1, $2).bounded() }),
        ("odata_bounded", 2, { SQLFunctionCall($0, $1, $2).bounded() }),
        ("odata_guid", 1, { SQLFunctionCall($0, $1, $2).canonicalGuid() }),
    ]
}

extension SQLFunctionCall {
    fileprivate func mapped(_ change: (String) -> String) {
        setResult(text(0).map(change))
    }

    /// The number of characters, also those after U+0000, where SQLite's own function stops.
    fileprivate func length() {
        guard kind(0) != SQLITE_NULL else { return setResult(nil as Int64?) }
        let isText = kind(0) != SQLITE_BLOB
        setResult(bytes(0).reduce(into: Int64(0)) { $0 += isText && $1 & 0xC0 == 0x80 ? 0 : 1 })
    }

    /// Characters from a position (from 0; negative ones count from the end), so many or all.
    fileprivate func substring() {
        guard let text = text(0), let start = integer(1), kind(2) != SQLITE_NULL || count == 2 else {
            return setResult(nil as String?)
        }
        if let length = integer(2), length < 0 { return fail("the length of a substring is negative.") }
        let scalars = text.unicodeScalars
        let size = Int64(scalars.count)
        let from = start < 0 ? max(0, size + max(start, -size)) : min(start, size)
        let length = min(integer(2) ?? size, size - from)
        let part = scalars.dropFirst(Int(from)).prefix(Int(length))
        setResult(String(String.UnicodeScalarView(part)))
    }

    fileprivate func shownText() { setResult(ShownText.text(of: binding(0))) }

    /// The maximum number of bytes of a computed text: repeated concatenation could otherwise exhaust the memory.
    private static let longestText: Int64 = 1 << 20

    /// A computed text, unless it is too long: the second argument is its maximum length.
    fileprivate func bounded() {
        let longest = integer(1) ?? Self.longestText
        guard let argument = values?[0], sqlite3_value_bytes(argument) > longest else {
            return sqlite3_result_value(context, values?[0])
        }
        fail("a computed value has more than \(longest) bytes.")
    }

    fileprivate func canonicalGuid() {
        if kind(0) == SQLITE_BLOB { return setResult(EdmGuid(bytes: bytes(0))?.description) }
        setResult(text(0).flatMap { EdmGuid($0)?.description })
    }
}

extension String {
    /// In lower case by the rules of Unicode: a sigma at the end of a word has its own form.
    ///
    /// [OData-URL, section 5.1.1.7.2; Unicode, section 3.13: Final_Sigma]
    var inLowerCase: String {
        guard unicodeScalars.contains(Self.sigma) else { return lowercased() }
        let scalars = Array(unicodeScalars)
        var result = ""
        for (index, scalar) in scalars.enumerated() {
            let isFinal =
                scalar == Self.sigma && Self.comesToCased(scalars[..<index].reversed())
                && !Self.comesToCased(scalars[(index + 1)...])
            result += isFinal ? "ς" : scalar.properties.lowercaseMapping
        }
        return result
    }

    private static let sigma: Unicode.Scalar = "Σ"

    /// Whether the first scalar that counts for the case has one.
    private static func comesToCased(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        scalars.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
    }

    /// Without whitespace at both ends, as Unicode has it.
    fileprivate var trimmed: String {
        let scalars = unicodeScalars
        let start = scalars.drop { $0.properties.isWhitespace }
        let end = start.lastIndex { !$0.properties.isWhitespace }
        return end.map { String(start[...$0]) } ?? ""
    }
}
