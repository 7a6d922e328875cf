import ODataModel

/// `$select` and `$expand`.
///
/// [OData-URL, sections 5.1.3 and 5.1.4]
extension SyntaxParser {
    // MARK: $select

    mutating func selectList() throws(QueryError) -> [OptionsSyntax.SelectItem] {
        var items: [OptionsSyntax.SelectItem] = []
        skipSpace()
        repeat {
            try tally()
            items.append(try selectItem())
        } while takeComma()
        return items
    }

    private mutating func selectItem() throws(QueryError) -> OptionsSyntax.SelectItem {
        if take("*") { return .init(path: []) }
        guard !isNext("@") else { throw notImplemented("An annotation in $select", at: offset) }
        let path = try namePath("a property or '*'")
        if isNext("("), let name = path.last {
            throw notImplemented("Options or parameters inside $select (\(name.text))", at: offset)
        }
        if isNext("."), isNext("*", 1), let name = path.last {
            throw notImplemented("Selecting operations (\(name.text).*)", at: name.offset)
        }
        return .init(path: path)
    }

    /// `Address/City`; stops before `/$`.
    private mutating func namePath(_ expected: String) throws(QueryError) -> [NameSyntax] {
        var names = [try name(expected)]
        while isNext("/"), !isNext("$", 1) {
            offset += 1
            try tally()
            names.append(try name("a property"))
        }
        guard names.count <= limits.depth else {
            throw error(.limitExceeded, "The path has more than \(limits.depth) steps.", at: offset)
        }
        return names
    }

    // MARK: $expand

    mutating func expandList() throws(QueryError) -> [OptionsSyntax.ExpandItem] {
        try enter()
        defer { leave() }
        var items: [OptionsSyntax.ExpandItem] = []
        skipSpace()
        repeat {
            try tally()
            items.append(try expandItem())
        } while takeComma()
        return items
    }

    private mutating func expandItem() throws(QueryError) -> OptionsSyntax.ExpandItem {
        guard !isNext("*") else { throw notImplemented("$expand=*", at: offset) }
        guard !isNext("@") else { throw notImplemented("An annotation in $expand", at: offset) }
        guard !isNext("$") else { throw notImplemented("\(systemName().text) in $expand", at: offset) }
        var item = OptionsSyntax.ExpandItem(
            path: try namePath("a navigation property"), form: .entities, options: OptionsSyntax())
        if take("/") {
            let suffix = systemName()
            switch suffix.text.lowercased() {
            case "$ref": item.form = .references
            case "$count": item.form = .count
            default: throw notImplemented("\(suffix.text) in $expand", at: suffix.offset)
            }
        }
        if take("(") { try expandOptions(into: &item.options) }
        return item
    }

    /// `($filter=Price gt 5;$select=Name)`, from after the parenthesis.
    private mutating func expandOptions(into options: inout OptionsSyntax) throws(QueryError) {
        repeat {
            skipSpace()
            guard !isNext("@") else { throw notImplemented("A parameter alias in $expand", at: offset) }
            let name = try isNext("$") ? systemName() : name("a query option")
            skipSpace()
            try expect("=")
            try systemQueryOption(SystemOption(name: name.text), name, into: &options, isNested: true)
            skipSpace()
        } while take(";")
        try expect(")", "';' or ')'")
    }
}
