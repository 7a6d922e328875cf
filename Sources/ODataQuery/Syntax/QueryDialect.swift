/// Which conventions the text of a query follows.
package struct QueryDialect {
    /// Whether only what the grammar has is let pass: white space where it names some, no bare `#`.
    package var isStrict = false
    /// Whether the text follows the conventions of V2: `datetime'2012-01-01T00:00:00'`, `substringof('a',Name)`, `+` for
    /// a space everywhere.
    package var isV2 = false
    /// Whether the text is a link that this library wrote: V4, and the function `replace` of V2.
    var isLink = false

    package init(isStrict: Bool = false, isV2: Bool = false) { (self.isStrict, self.isV2) = (isStrict, isV2) }

    private init(isLink: Bool) { self.isLink = isLink }

    package static let lenient = QueryDialect()
    static let v2 = QueryDialect(isV2: true)
    static let link = QueryDialect(isLink: true)
}
