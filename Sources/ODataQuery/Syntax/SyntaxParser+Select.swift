import ODataModel

/// `$select`
///
/// [OData-ABNF, `selectItem`]
extension SyntaxParser {
    package mutating func selectList() throws(QueryError) -> [SelectSyntax] {
        try enter()
        defer { leave() }
        var items: [SelectSyntax] = []
        repeat {
            try tally()
            items.append(try selectItem())
        } while takeLooseComma()
        return items
    }

    private mutating func selectItem() throws(QueryError) -> SelectSyntax {
        let start = offset
        if consume("*") { return SelectSyntax(kind: .all, offset: start) }
        var path = try namePath("a property or '*'")
        if dialect.isLegacy, isNext("/"), isNext("*", 1) {
            path.append(NameSyntax(text: "*", offset: offset + 1))
            offset += 2
        }
        if isNext("."), isNext("*", 1), path.count == 1, let name = path.first, !name.text.hasPrefix("@") {
            offset += 2
            return SelectSyntax(kind: .operations(name), offset: start)
        }
        guard isNext("(") else { return SelectSyntax(kind: .path(path), offset: start) }
        if areParameterNames {
            return SelectSyntax(kind: .path(path), offset: start, parameters: try parameterNames())
        }
        return SelectSyntax(kind: .path(path), offset: start, options: try selectOptions())
    }

    /// `Address/City`, `@Core.Messages`; stops before `/$` and `/*`.
    mutating func namePath(_ expected: String) throws(QueryError) -> [NameSyntax] {
        var names = [try pathName(expected)]
        while isNext("/"), !isNext("$", 1), !isNext("*", 1) {
            offset += 1
            try tally()
            names.append(try pathName("a property"))
        }
        guard names.count <= limits.depth else {
            throw error(.limitExceeded, "The path has more than \(limits.depth) steps.", at: offset)
        }
        return names
    }

    /// A name, or an annotation with its sign.
    private mutating func pathName(_ expected: String) throws(QueryError) -> NameSyntax {
        guard isNext("@") else { return try name(expected) }
        let start = offset
        return NameSyntax(text: "@" + (try annotationSign()).text, offset: start)
    }

    /// Whether the parentheses hold names and no options.
    private var areParameterNames: Bool {
        var ahead = self
        ahead.offset += 1
        ahead.skipSpace()
        let stop = ahead.identifierEnd(from: ahead.offset)
        guard stop > ahead.offset else { return false }
        ahead.offset = stop
        ahead.skipSpace()
        return ahead.isNext(",") || ahead.isNext(")")
    }

    /// `parameterNames`: `(count,kind)`
    private mutating func parameterNames() throws(QueryError) -> [NameSyntax] {
        try expect("(")
        skipLooseSpace()
        var names: [NameSyntax] = []
        repeat {
            try tally()
            names.append(try identifier("the name of a parameter"))
        } while takeLooseComma()
        skipLooseSpace()
        try expect(")", "',' or ')'")
        return names
    }

    /// `($filter=startswith($this,'a');$top=2)`
    private mutating func selectOptions() throws(QueryError) -> OptionsSyntax {
        let isStrict = isStrict
        return try nestedOptions { option in option.isAllowedInSelect && !(isStrict && option == .expand) }
    }

    /// Options in parentheses, with semicolons between them.
    mutating func nestedOptions(
        _ isAllowed: (SystemOption) -> Bool
    ) throws(QueryError) -> OptionsSyntax {
        var options = OptionsSyntax()
        try expect("(")
        try enter()
        defer { leave() }
        repeat {
            skipLooseSpace()
            try nestedOption(isAllowed, into: &options)
            skipLooseSpace()
        } while consume(";")
        try expect(")", "';' or ')'")
        return options
    }

    mutating func nestedOptions(_ form: ExpandItem.Form) throws(QueryError) -> OptionsSyntax {
        try nestedOptions { option in option.isAllowed(in: form) }
    }

    private mutating func nestedOption(
        _ isAllowed: (SystemOption) -> Bool, into options: inout OptionsSyntax
    ) throws(QueryError) {
        if isNext("@") {
            offset += 1
            let name = try argumentName()
            options.aliases.append(ArgumentSyntax(name: name, value: try parameterValue()))
            return
        }
        let name = try isNext("$") ? systemName() : name("a query option")
        let option = SystemOption(name: name.text)
        if let option, !isAllowed(option) {
            throw error(.syntax, "The option \(option.name) is not for this place.", at: name.offset)
        }
        try expect("=")
        try systemQueryOption(option, name, into: &options)
    }
}
