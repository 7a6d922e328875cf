extension SQLFragment {
    /// `?`
    package static func bound(_ binding: SQLBinding) -> SQLFragment { SQLFragment("?", [binding]) }

    package var isEmpty: Bool { text.isEmpty }

    /// `(…)`
    package var parenthesised: SQLFragment { "(" + self + ")" }

    /// `name(a, b)`
    package static func call(_ name: String, _ arguments: [SQLFragment]) -> SQLFragment {
        SQLFragment(name) + arguments.joined(", ").parenthesised
    }

    /// `(a AND b)`; `1` for none.
    package static func all(_ conditions: [SQLFragment]) -> SQLFragment {
        let present = conditions.filter { !$0.isEmpty }
        return present.isEmpty ? "1" : present.joined(" AND ")
    }
}

extension [SQLFragment] {
    /// The fragments with `separator` between them.
    package func joined(_ separator: String) -> SQLFragment {
        SQLFragment(map(\.text).joined(separator: separator), flatMap(\.bindings))
    }
}

extension RowSource {
    /// `expression` with the quoted alias in the place of `{row}`.
    package static func expand(_ expression: String, row alias: String) -> String {
        replace("{row}", in: expression, by: quoted(alias))
    }

    static func replace(_ mark: String, in text: String, by replacement: String) -> String {
        var result = ""
        var rest = text[...]
        while let position = rest.firstRange(of: mark) {
            result += rest[..<position.lowerBound] + replacement
            rest = rest[position.upperBound...]
        }
        return result + rest
    }

    /// `"t0"."rowid"`
    package func rowID(of alias: String) -> String? { rowID.map { "\(quoted(alias)).\(quoted($0))" } }

    /// The condition that shows only live rows; nil if all are.
    package func condition(for alias: String) -> SQLFragment? {
        condition.map { SQLFragment("(\(Self.expand($0, row: alias)))") }
    }
}
