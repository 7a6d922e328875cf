/// One term of the total order of rows.
package struct OrderTerm: Sendable, Hashable {
    /// With its collation.
    package var expression: SQLFragment
    package var isDescending: Bool
    package var isNullable: Bool

    /// `"t0"."Name" COLLATE BINARY DESC`. SQLite puts null first ascending and last descending, as the standard does.
    var sql: SQLFragment { isDescending ? expression + " DESC" : expression }
}

extension [OrderTerm] {
    /// The condition for rows after the row with the order values `values`.
    ///
    /// `("a", "b") > (?, ?)`, or `"a" >= ? AND ("a" > ? OR ("a" = ? AND "b" > ?))`
    package func after(_ values: [SQLBinding]) -> SQLFragment {
        let pairs = [(OrderTerm, SQLBinding)](zip(self, values))
        let isPlain = pairs.allSatisfy { !$0.0.isDescending && !$0.0.isNullable && $0.1 != .null }
        if isPlain, pairs.count > 1 {
            let left = map(\.expression).joined(", ").parenthesised
            return left + " > " + values.map(SQLFragment.bound).joined(", ").parenthesised
        }
        let range = pairs.count > 1 ? pairs.first.flatMap { Self.range($0.0, $0.1) } : nil
        let test = Self.after(pairs[...])
        return range.map { ($0 + " AND " + test).parenthesised } ?? test
    }

    /// A condition that holds for all rows from the value of the first term on, so that an index can start there.
    private static func range(_ term: OrderTerm, _ value: SQLBinding) -> SQLFragment? {
        guard value != .null, !term.isNullable || !term.isDescending else { return nil }
        return term.expression + (term.isDescending ? " <= " : " >= ") + .bound(value)
    }

    private static func after(_ pairs: ArraySlice<(OrderTerm, SQLBinding)>) -> SQLFragment {
        guard let (term, value) = pairs.first else { return "0" }
        let rest = pairs.dropFirst()
        let greater = beyond(term, value)
        guard !rest.isEmpty else { return greater }
        let same = term.expression + (value == .null ? " IS NULL" : " = " + .bound(value))
        return (greater + " OR " + (same + " AND " + after(rest)).parenthesised).parenthesised
    }

    /// The condition for rows whose value of `term` follows `value`.
    private static func beyond(_ term: OrderTerm, _ value: SQLBinding) -> SQLFragment {
        switch (value, term.isDescending) {
        case (.null, false): return term.expression + " IS NOT NULL"
        case (.null, true): return "0"
        case (_, false): return term.expression + " > " + .bound(value)
        case (_, true):
            let less = term.expression + " < " + .bound(value)
            return term.isNullable ? (less + " OR " + term.expression + " IS NULL").parenthesised : less
        }
    }
}
