/// Which conventions the text of a query follows.
package struct QueryDialect {
    /// Whether only what the grammar has is let pass: white space where it names some, no bare `#`.
    package var isStrict = false
    /// Whether the text follows the conventions of V2: `datetime'2012-01-01T00:00:00'`, `substringof('a',Name)`, `+` for
    /// a space everywhere.
    package var isLegacy = false
    /// Whether the text is a link that this library wrote: V4, and the function `replace` of V2.
    var isLink = false

    package init(isStrict: Bool = false, isLegacy: Bool = false) {
        (self.isStrict, self.isLegacy) = (isStrict, isLegacy)
    }

    private init(isLink: Bool) { self.isLink = isLink }

    package static let lenient = QueryDialect()
    static let legacy = QueryDialect(isLegacy: true)
    static let link = QueryDialect(isLink: true)
}
