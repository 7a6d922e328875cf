import ODataModel

/// The default value of a column, where it is a literal.
struct DefaultLiteral {
    /// The value for `DefaultValue` of the metadata.
    var lexical: String

    /// Nil if there is no default, or if it is not a literal of the property's type.
    init?(_ column: PublishedColumn) {
        guard let sql = column.description.defaultSQL, let literal = Self.literal(sql) else { return nil }
        switch column.type {
        case .boolean: lexical = literal == "0" ? "false" : literal == "1" ? "true" : literal.lowercased()
        case .dateTimeOffset:
            guard let instant = EdmDateTimeOffset(literal, defaultOffset: 0) else { return nil }
            lexical = instant.description
        default: lexical = literal
        }
        guard EdmValue(lexical: lexical, type: .primitive(column.type)) != nil else { return nil }
    }

    /// Whether the default is an expression: `CURRENT_TIMESTAMP`, `(random())`.
    static func isExpression(_ sql: String?) -> Bool {
        guard let sql else { return false }
        return literal(sql) == nil && unwrapped(sql).uppercased() != "NULL"
    }

    /// `'a''b'` → `a'b`, `(0)` → `0`, `"x"` → `x`
    private static func literal(_ sql: String) -> String? {
        let text = unwrapped(sql)
        for quote in ["'", "\""] where text.count >= 2 && text.hasPrefix(quote) && text.hasSuffix(quote) {
            let inner = text.dropFirst().dropLast()
            var parts: [Substring] = []
            var rest = inner
            while let position = rest.firstRange(of: quote + quote) {
                parts.append(rest[..<position.lowerBound])
                rest = rest[position.upperBound...]
            }
            parts.append(rest)
            guard parts.allSatisfy({ !$0.contains(quote) }) else { return nil }
            return parts.joined(separator: quote)
        }
        if ["TRUE", "FALSE"].contains(text.uppercased()) { return text.lowercased() }
        return EdmDecimal(text) == nil ? nil : text
    }

    private static func unwrapped(_ sql: String) -> String {
        var text = Substring(sql.withoutOuterSpace)
        while text.hasPrefix("("), text.hasSuffix(")") {
            text = Substring(String(text.dropFirst().dropLast()).withoutOuterSpace)
        }
        return String(text)
    }
}

extension String {
    /// Without white space at both ends.
    var withoutOuterSpace: String {
        let start = drop { $0.isWhitespace }
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }
}
