/// Which conventions the text of a query follows.
struct QueryDialect {
    /// Whether only what the grammar has is let pass: white space where it names some, no bare `#`.
    var isStrict = false
    /// Whether the text follows the conventions of V2: `datetime'2012-01-01T00:00:00'`, `substringof('a',Name)`, `+` for
    /// a space everywhere.
    var isV2 = false

    static let lenient = QueryDialect()
    static let v2 = QueryDialect(isV2: true)
}
