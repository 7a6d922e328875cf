import ODataModel

/// `$orderby` and `$compute`.
///
/// [OData-ABNF, `orderbyItem`, `computeItem`]
extension SyntaxParser {
    /// - Parameter isInside: inside a transformation, where white space may stand around commas.
    mutating func orderbyList(isInside: Bool = false) throws(QueryError) -> [OptionsSyntax.OrderItem] {
        var items: [OptionsSyntax.OrderItem] = []
        repeat {
            try tally()
            if !isInside { try expectNoSpace() }
            items.append(try orderbyItem())
        } while isInside ? takeComma() : takeLooseComma()
        return items
    }

    package mutating func orderbyItem() throws(QueryError) -> OptionsSyntax.OrderItem {
        let expression = try commonExpr()
        return OptionsSyntax.OrderItem(expression: expression, isDescending: try direction())
    }

    /// `asc`, `desc`, or nothing
    private mutating func direction() throws(QueryError) -> Bool {
        let saved = offset
        guard skipSpace() else { return false }
        let start = offset
        offset = identifierEnd(from: start)
        switch source.string(start..<offset).lowercased() {
        case "asc": return false
        case "desc": return true
        default:
            if offset > start {
                offset = start
                throw unexpected("asc, desc, an operator, ',' or the end")
            }
            offset = saved
            return false
        }
    }

    mutating func computeList(isInside: Bool = false) throws(QueryError) -> [ComputeSyntax] {
        var items: [ComputeSyntax] = []
        repeat {
            try tally()
            if !isInside { try expectNoSpace() }
            items.append(try computeItem(isInside: isInside))
        } while isInside ? takeComma() : takeLooseComma()
        return items
    }

    /// An item of a list without white space around the commas.
    private func expectNoSpace() throws(QueryError) {
        if isStrict, isSpaceNext { throw unexpected("an expression without white space before it") }
    }

    /// `computeItem`, `computeExpr`: `Price mul Quantity as Total`
    package mutating func computeItem(isInside: Bool = false) throws(QueryError) -> ComputeSyntax {
        let expression = try commonExpr()
        guard let alias = try asAlias(ignoresCase: !isInside) else {
            throw unexpected("an operator, or 'as' and a name")
        }
        return ComputeSyntax(expression: expression, alias: alias)
    }

    /// `asAlias`: ` as Total`; nil if there is something else.
    ///
    /// - Parameter ignoresCase: in `$compute`; the grammar of `$apply` has small letters.
    mutating func asAlias(ignoresCase: Bool = false) throws(QueryError) -> NameSyntax? {
        let start = offset
        guard skipSpace(), takeWord("as", ignoresCase: ignoresCase) else {
            offset = start
            return nil
        }
        try expectSpace("white space and a name")
        return try identifier("a name")
    }
}
