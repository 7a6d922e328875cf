/// A value bound to a `?` of a statement.
package enum SQLBinding: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// SQL text and what is bound to its placeholders, in order. Literals of a query never enter the text.
package struct SQLFragment: Hashable, Sendable, ExpressibleByStringInterpolation {
    package var text: String
    package var bindings: [SQLBinding]

    package init(_ text: String, _ bindings: [SQLBinding] = []) {
        self.text = text
        self.bindings = bindings
    }

    package init(stringLiteral value: String) {
        self.init(value)
    }

    package static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
        SQLFragment(left.text + right.text, left.bindings + right.bindings)
    }

    package static func += (left: inout SQLFragment, right: SQLFragment) {
        left = left + right
    }
}

/// `O'Neil` → `'O''Neil'`
package func quotedText(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
}

/// `Order Details` → `"Order Details"`. The one place that quotes identifiers.
package func quoted(_ identifier: String) -> String {
    guard identifier.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(identifier)\"" }
    return "\"\(identifier.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
}
