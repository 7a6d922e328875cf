import ODataModel

/// `$expand`
///
/// [OData-ABNF, `expandItem`, `expandPath`]
extension SyntaxParser {
    package mutating func expandList() throws(QueryError) -> [ExpandSyntax] {
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
        let start = offset
        if isNext("$") {
            guard systemName().text.lowercased() == "$value" else {
                offset = start
                throw unexpected("a navigation property, '*' or $value")
            }
            return ExpandSyntax(kind: .value, path: [], form: .entities, options: OptionsSyntax(), offset: start)
        }
        let path = isNext("*") ? [] : try namePath("a navigation property or '*'")
        if isNext("/"), isNext("*", 1) { offset += 1 }
        if isNext("*") { return try starItem(path, at: start) }
        let form = consume("/") ? try expandForm() : .entities
        let options = isNext("(") ? try nestedOptions(form) : OptionsSyntax()
        return ExpandSyntax(path: path, form: form, options: options, offset: start)
    }

    /// `*`, `*/$ref`, `*($levels=2)`, `Address/*`
    private mutating func starItem(_ path: [NameSyntax], at start: Int) throws(QueryError) -> ExpandSyntax {
        var item = ExpandSyntax(kind: .all, path: path, form: .entities, options: OptionsSyntax(), offset: start)
        try expect("*")
        if consume("/") {
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
