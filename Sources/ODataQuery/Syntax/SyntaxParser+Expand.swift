import ODataModel

/// `$expand`
///
/// [OData-ABNF, `expandItem`, `expandPath`]
extension SyntaxParser {
    mutating func expandList() throws(QueryError) -> [ExpandSyntax] {
        try enter()
        defer { leave() }
        var items: [ExpandSyntax] = []
        repeat {
            try tally()
            items.append(try expandItem())
        } while takeLooseComma()
        return items
    }

    private mutating func expandItem() throws(QueryError) -> ExpandSyntax {
        var item = ExpandSyntax(path: [], form: .entities, options: OptionsSyntax(), offset: offset)
        if isNext("$") {
            guard systemName().text.lowercased() == "$value" else {
                offset = item.offset
                throw unexpected("a navigation property, '*' or $value")
            }
            item.kind = .value
            return item
        }
        if !isNext("*") { item.path = try namePath("a navigation property or '*'") }
        if isNext("/"), isNext("*", 1) { offset += 1 }
        if isNext("*") { return try starItem(item) }
        if take("/") { item.form = try expandForm() }
        if isNext("(") { item.options = try nestedOptions(item.form) }
        return item
    }

    /// `*`, `*/$ref`, `*($levels=2)`, `Address/*`
    private mutating func starItem(_ start: ExpandSyntax) throws(QueryError) -> ExpandSyntax {
        var item = start
        try expect("*")
        item.kind = .all
        if take("/") {
            let start = offset
            item.form = try expandForm()
            guard item.form == .references else {
                offset = start
                throw unexpected("$ref")
            }
        } else if isNext("(") {
            item.options = try nestedOptions { option in option == .levels }
        }
        return item
    }

    /// `$ref`, `$count`
    private mutating func expandForm() throws(QueryError) -> ExpandItem.Form {
        let start = offset
        switch systemName().text.lowercased() {
        case "$ref": return .references
        case "$count": return .count
        default:
            offset = start
            throw unexpected("$ref or $count")
        }
    }
}
