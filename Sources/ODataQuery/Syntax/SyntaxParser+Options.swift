import ODataModel

/// Query options.
///
/// [OData-ABNF, section 2: Query Options]
extension SyntaxParser {
    /// The options of a URL, and the text as it was understood: form-encoded or not.
    package static func queryOptions(
        of source: QuerySource, limits: QueryLimits
    ) throws(QueryError) -> (result: OptionsSyntax, source: QuerySource) {
        try source.reading { source throws(QueryError) in try queryOptions(source, limits: limits) }
    }

    private static func queryOptions(_ source: QuerySource, limits: QueryLimits) throws(QueryError) -> OptionsSyntax {
        var options = OptionsSyntax()
        var count = 0
        options.given.reserveCapacity(source.options.count)
        for option in source.options {
            count += 1
            guard count <= limits.count else {
                throw source.error(
                    .limitExceeded, "The query has more than \(limits.count) options.", at: option.name.lowerBound)
            }
            try queryOption(option, of: source, limits: limits, into: &options)
        }
        if source.dialect.isLegacy { options.nestLegacyPaths() }
        return options
    }

    /// `queryOption`
    package static func queryOption(
        _ option: QuerySource.Option, of source: QuerySource, limits: QueryLimits, into options: inout OptionsSyntax
    ) throws(QueryError) {
        let name = NameSyntax(text: source.string(option.name), offset: option.name.lowerBound)
        if source.dialect.isLegacy, try legacyOption(name, option, of: source, into: &options) { return }
        switch name.text.utf8.first {
        case UInt8(ascii: "@"): try alias(option, of: source, limits: limits, into: &options)
        case UInt8(ascii: "$") where SystemOption(name: name.text) == .levels:
            throw source.error(.typeMismatch, "The query option $levels belongs inside $expand.", at: name.offset)
        case UInt8(ascii: "$"): break
        // `?=Price gt 20` would be ignored with its value; nothing between two `&` has none.
        case nil where source.dialect.isStrict || option.value != nil:
            throw source.error(
                .syntax, "There is no query option here.", at: name.offset, expected: "a query option")
        default:
            // V2 has no options without the dollar sign.
            guard !source.dialect.isLegacy, let known = SystemOption(name: name.text), isSystem(known, in: source)
            else {
                let text = option.value.map { source.string($0) }
                options.custom.append(CustomSyntax(name: name, value: option.value, text: text))
                return
            }
        }
        guard name.text.utf8.first != UInt8(ascii: "@") else { return }
        var parser = SyntaxParser(
            source, range: option.value ?? option.name.upperBound..<option.name.upperBound, limits: limits)
        guard option.value != nil else { throw parser.unexpected("'=' and a value") }
        try parser.systemQueryOption(SystemOption(name: name.text), name, into: &options)
        try parser.expectEnd("an operator, ',' or the end of \(name.text)")
    }

    /// `id` without a dollar sign is an option of the standard only where one is needed.
    private static func isSystem(_ option: SystemOption, in source: QuerySource) -> Bool {
        guard option.needsDollar else { return true }
        if option == .id, source.dialect.isStrict { return true }
        guard option == .id, let last = source.segments.last else { return false }
        return source.string(last) == "$ref" || source.segments.first.map { source.string($0) == "$entity" } ?? false
    }

    /// `aliasAndValue` of a URL: `@p=Price gt 5`
    private static func alias(
        _ option: QuerySource.Option, of source: QuerySource, limits: QueryLimits, into options: inout OptionsSyntax
    ) throws(QueryError) {
        var names = SyntaxParser(source, range: option.name, limits: limits)
        try names.expect("@")
        let name = try names.identifier("the name of a parameter")
        guard names.isAtEnd, let value = option.value else { throw names.unexpected("'='") }
        options.aliases.append(ArgumentSyntax(name: name, value: try parameterValue(value, of: source, limits: limits)))
    }

    /// The text at `range` as the value of a parameter: an expression or JSON.
    package static func parameterValue(
        _ range: Range<Int>, of source: QuerySource, limits: QueryLimits
    ) throws(QueryError) -> ExpressionSyntax {
        var parser = SyntaxParser(source, range: range, limits: limits)
        let value = try parser.parameterValue()
        try parser.expectEnd("an operator or the end of the value")
        return value
    }

    /// `systemQueryOption`, from after the equals sign.
    package mutating func systemQueryOption(
        _ option: SystemOption?, _ name: NameSyntax, into options: inout OptionsSyntax
    ) throws(QueryError) {
        try tally()
        guard let option else { throw unknownOption(name) }
        options.given.append(OptionsSyntax.Given(option: option, offset: name.offset))
        skipLooseSpace()
        if isNext(" ") || isNext("\t"), option != .search { throw unexpected("a value without white space before it") }
        switch option {
        case .filter: options.filter = try commonExpr()
        case .select: options.select = try selectList()
        case .expand: options.expand = try expandList()
        case .orderby: options.orderBy = try orderbyList()
        case .apply: options.apply = try applyExpr()
        case .compute: options.compute = try computeList()
        case .search: options.search = try search()
        default: try value(of: option, into: &options)
        }
    }

    /// Options whose value is a number or a word.
    private mutating func value(of option: SystemOption, into options: inout OptionsSyntax) throws(QueryError) {
        switch option {
        case .top: options.top = try nonNegativeInteger()
        case .skip: options.skip = try nonNegativeInteger()
        case .index: options.index = try integer()
        case .levels: options.levels = try levels()
        case .count: options.count = try booleanValue()
        case .skiptoken: options.skipToken = try takeRest("a token")
        case .deltatoken: options.deltaToken = try takeRest("a token")
        case .format: options.format = try takeRest("json, xml, atom or a media type")
        case .id: options.id = try takeRest("the id of an entity")
        default: options.schemaVersion = try schemaVersion()
        }
    }

    private func unknownOption(_ name: NameSyntax) -> QueryError {
        let known = SystemOption.allCases.map(\.name)
        let nearest = nearestName(to: name.text, in: known)
        return error(.unknownName, "There is no query option \(name.text).", at: name.offset, expected: nearest)
    }

    private mutating func takeRest(_ expected: String) throws(QueryError) -> String {
        guard !isAtEnd else { throw unexpected(expected) }
        defer { offset = end }
        return source.string(offset..<end)
    }

    package mutating func nonNegativeInteger() throws(QueryError) -> Int {
        let start = offset
        while isDigit() { offset += 1 }
        guard offset > start, let value = Int(source.string(start..<offset)) else {
            offset = start
            throw unexpected("a whole number from 0")
        }
        return value
    }

    private mutating func integer() throws(QueryError) -> Int {
        guard consume("-") else { return try nonNegativeInteger() }
        return -(try nonNegativeInteger())
    }

    /// `levels`
    private mutating func levels() throws(QueryError) -> ExpandItem.Levels {
        if takeWord("max", ignoresCase: true) { return .max }
        guard !isNext("0"), isDigit() else { throw unexpected("a whole number from 1, or max") }
        return .number(try nonNegativeInteger())
    }

    /// `schemaversion`
    private mutating func schemaVersion() throws(QueryError) -> String {
        let start = offset
        if !consume("*") {
            while let byte = peek(), isUnreserved(byte) { offset += 1 }
        }
        guard offset > start else { throw unexpected("a version or '*'") }
        return source.string(start..<offset)
    }

    private mutating func booleanValue() throws(QueryError) -> Bool {
        let start = offset
        offset = identifierEnd(from: start)
        switch source.string(start..<offset).lowercased() {
        case "true": return true
        case "false": return false
        default:
            offset = start
            throw unexpected("true or false")
        }
    }
}
