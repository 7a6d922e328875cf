/// A value bound to a `?` of a statement.
package enum SQLBinding: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// A part of an SQL statement: literal SQL, identifiers, bound values and nested parts. Literals of a query are always
/// bound.
///
/// Parts are shared, not copied, when a fragment is composed of others. ``statement`` writes the whole text once and
/// quotes identifiers, so that every name is possible: `a"b`, `{row}`, `?`.
///
/// `"\(price) > \(bound: .integer(5)) AND \(identifier: name) IS NULL"`
package struct SQLFragment: Hashable, Sendable {
    enum Segment: Hashable, Sendable {
        /// Literal SQL.
        case text(String)
        /// `?`
        case binding(SQLBinding)
        /// `"Name"`
        case identifier(String)
        /// `"t0"."Name"`
        case column(alias: String, name: String)
        /// ` AS "t0"`
        case alias(String)
        /// The alias of the row that an expression of a mapping refers to.
        case row
        case fragment(SQLFragment)
        /// A fragment that refers to the row with an alias.
        case ofRow(SQLFragment, alias: String)
    }

    private(set) var segments: [Segment]
    /// The length of the text in bytes, without the quotes that names with quotes get in addition.
    private(set) var byteCount: Int
    /// The joins that its columns need and that no nested statement contains.
    private(set) var joins: [SQLJoin] = []

    private init(_ segment: Segment, byteCount: Int) {
        segments = [segment]
        self.byteCount = byteCount
    }

    private init(_ segment: Segment, named name: String) {
        self.init(segment, byteCount: name.utf8.count + 2)
    }

    /// Literal SQL.
    package init(raw text: String) {
        segments = text.isEmpty ? [] : [.text(text)]
        byteCount = text.utf8.count
    }

    /// `?`
    package static func bound(_ binding: SQLBinding) -> SQLFragment { SQLFragment(.binding(binding), byteCount: 1) }

    /// `"Name"`
    package static func identifier(_ name: String) -> SQLFragment { SQLFragment(.identifier(name), named: name) }

    /// `"t0"."Name"`
    package static func column(_ alias: String, _ name: String) -> SQLFragment {
        SQLFragment(.column(alias: alias, name: name), byteCount: alias.utf8.count + name.utf8.count + 5)
    }

    /// The alias of the row that an expression of a mapping refers to; ``of(row:)`` sets it.
    package static let row = SQLFragment(.row, byteCount: 4)

    /// ` AS "t0"`
    static func alias(_ name: String) -> SQLFragment {
        SQLFragment(.alias(name), byteCount: name.utf8.count + 6)
    }

    /// The fragment with ``row`` bound to `alias`.
    package func of(row alias: String) -> SQLFragment {
        var fragment = SQLFragment(.ofRow(self, alias: alias), byteCount: byteCount)
        fragment.joins = joins
        return fragment
    }

    /// The fragment, marked as needing a join.
    func requiring(_ join: SQLJoin?) -> SQLFragment {
        guard let join else { return self }
        var fragment = self
        fragment.joins.append(join)
        return fragment
    }

    /// The fragment as part of a statement that contains the joins `made`.
    func making(_ made: [SQLJoin]) -> SQLFragment {
        var fragment = self
        fragment.joins.removeAll(where: made.contains)
        return fragment
    }

    /// Appends `other` in constant time.
    package static func += (left: inout SQLFragment, right: SQLFragment) {
        for join in right.joins where !left.joins.contains(join) { left.joins.append(join) }
        left.byteCount += right.byteCount
        if right.segments.count <= 2 {
            left.segments += right.segments
        } else {
            left.segments.append(.fragment(right))
        }
    }

    /// `"t0"."Name"` of `"t0"."Name" COLLATE NOCASE`
    var withoutCollation: SQLFragment {
        guard case .text(let last) = segments.last, last.hasPrefix(" COLLATE ") else { return self }
        var fragment = self
        fragment.segments.removeLast()
        fragment.byteCount -= last.utf8.count
        return fragment
    }

    package static func + (left: consuming SQLFragment, right: SQLFragment) -> SQLFragment {
        left += right
        return left
    }
}

extension SQLFragment: ExpressibleByStringInterpolation {
    /// Accepts only literals of the source code and labelled values.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var fragment = SQLFragment(raw: "")

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { fragment += SQLFragment(raw: literal) }
        }

        package mutating func appendInterpolation(_ other: SQLFragment) { fragment += other }

        package mutating func appendInterpolation(_ number: some BinaryInteger) {
            fragment += SQLFragment(raw: String(number))
        }

        package mutating func appendInterpolation(raw text: String) { fragment += SQLFragment(raw: text) }

        package mutating func appendInterpolation(bound binding: SQLBinding) { fragment += .bound(binding) }

        package mutating func appendInterpolation(identifier name: String) { fragment += .identifier(name) }

        package mutating func appendInterpolation(literal text: String) { fragment += .literal(text) }
    }

    package init(stringLiteral value: String) { self.init(raw: value) }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.fragment }
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
