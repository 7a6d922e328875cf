/// Which conventions the text of a query follows.
struct QueryDialect {
    /// Whether only what the grammar has is let pass: white space where it names some, no bare `#`.
    var isStrict = false
    /// Whether the text follows the conventions of V2: `datetime'2012-01-01T00:00:00'`, `substringof('a',Name)`, `+` for
    /// a space everywhere.
    var isV2 = false
    /// Whether the text is a link that this library wrote: V4, and the function `replace` of V2.
    var isLink = false

    static let lenient = QueryDialect()
    static let v2 = QueryDialect(isV2: true)
    static let link = QueryDialect(isLink: true)
}
