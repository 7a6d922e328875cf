extension SQLFragment {
    /// `'O''Neil'`: a constant of the schema, not of a query.
    package static func literal(_ text: String) -> SQLFragment { SQLFragment(raw: quotedText(text)) }

    /// `"Products" AS "t0"`
    package static func table(_ name: String, as alias: String) -> SQLFragment { identifier(name).named(alias) }

    /// A column of the row that an expression of a mapping refers to.
    package static func row(_ column: String) -> SQLFragment { row + "." + identifier(column) }

    /// `… AS "Name"`
    package func named(_ name: String) -> SQLFragment { self + .alias(name) }

    package var isEmpty: Bool { segments.isEmpty }

    /// `(…)`
    package var parenthesised: SQLFragment { "(" + self + ")" }

    /// `name(a, b)`
    package static func call(_ name: String, _ arguments: [SQLFragment]) -> SQLFragment {
        SQLFragment(raw: name) + "(" + arguments.joined(", ") + ")"
    }

    /// `a AND b`; `1` for none.
    package static func all(_ conditions: [SQLFragment]) -> SQLFragment {
        let present = conditions.filter { !$0.isEmpty }
        return present.isEmpty ? "1" : present.joined(" AND ")
    }

    /// `EXISTS (SELECT 1 FROM … WHERE …)`
    static func exists(in tables: SQLFragment, where conditions: [SQLFragment]) -> SQLFragment {
        "EXISTS " + SelectStatement(tables: tables, where: conditions).sql.parenthesised
    }

    /// The column's name if this fragment is a column.
    var columnName: String? {
        guard case .column(_, let name) = segments.first, segments.count == 1 else { return nil }
        return name
    }
}

extension [SQLFragment] {
    /// The fragments with `separator` between them.
    package func joined(_ separator: String) -> SQLFragment {
        let separator = SQLFragment(raw: separator)
        var result = SQLFragment(raw: "")
        for (index, fragment) in enumerated() {
            if index > 0 { result += separator }
            result += fragment
        }
        return result
    }
}
