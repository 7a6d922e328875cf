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
            items.append(try orderbyItem())
        } while isInside ? takeComma() : takeLooseComma()
        return items
    }

    mutating func orderbyItem() throws(QueryError) -> OptionsSyntax.OrderItem {
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
            items.append(try computeItem())
        } while isInside ? takeComma() : takeLooseComma()
        return items
    }

    /// `computeItem`: `Price mul Quantity as Total`
    mutating func computeItem() throws(QueryError) -> ComputeSyntax {
        let expression = try commonExpr()
        guard let alias = try asAlias() else { throw unexpected("an operator, or 'as' and a name") }
        return ComputeSyntax(expression: expression, alias: alias)
    }

    /// `asAlias`: ` as Total`; nil if there is something else.
    mutating func asAlias() throws(QueryError) -> NameSyntax? {
        let start = offset
        guard skipSpace(), takeWord("as") else {
            offset = start
            return nil
        }
        try expectSpace("white space and a name")
        return try identifier("a name")
    }
}
