import ODataModel

/// Query options.
///
/// [OData-ABNF, section 3: Query Options]
extension SyntaxParser {
    /// The system query options of a URL; custom query options are passed over.
    static func queryOptions(_ source: QuerySource, limits: QueryLimits) throws(QueryError) -> OptionsSyntax {
        var options = OptionsSyntax()
        for option in source.options {
            let name = source.string(option.name)
            let known = SystemOption(name: name)
            guard name.utf8.first == UInt8(ascii: "$") || known?.needsDollar == false else { continue }
            var parser = SyntaxParser(source, range: option.value, limits: limits)
            try parser.systemQueryOption(
                known, NameSyntax(text: name, offset: option.name.lowerBound), into: &options)
            try parser.expectEnd("an operator, ',' or the end of \(name)")
        }
        return options
    }

    /// `systemQueryOption`, from after the equals sign.
    mutating func systemQueryOption(
        _ option: SystemOption?, _ name: NameSyntax, into options: inout OptionsSyntax, isNested: Bool = false
    ) throws(QueryError) {
        try tally()
        guard let option else { throw unknownOption(name) }
        guard !options.given.contains(where: { $0.option == option }) else {
            throw error(.syntax, "The option \(option.name) is given twice.", at: name.offset)
        }
        options.given.append((option, name.offset))
        if isNested, [.skiptoken, .deltatoken, .format, .id].contains(option) {
            throw error(.syntax, "The option \(option.name) is not for $expand.", at: name.offset)
        }
        switch option {
        case .filter: options.filter = try commonExpr()
        case .select: options.select = try selectList()
        case .expand: options.expand = try expandList()
        case .orderby: options.orderBy = try orderbyList()
        case .top: options.top = try nonNegativeInteger()
        case .skip: options.skip = try nonNegativeInteger()
        case .count: options.count = try booleanValue()
        case .skiptoken: options.skipToken = takeRest()
        case .deltatoken: options.deltaToken = takeRest()
        case .format: options.format = takeRest()
        case .id: options.id = takeRest()
        case .apply, .compute, .index, .levels, .schemaversion, .search:
            throw notImplemented("The query option \(option.name)", at: name.offset)
        }
    }

    private func unknownOption(_ name: NameSyntax) -> QueryError {
        let known = SystemOption.allCases.map(\.name)
        let nearest = nearestName(to: name.text, in: known).map { "; did you mean \($0)?" } ?? ""
        return error(.notImplemented, "The query option \(name.text) is not supported\(nearest)", at: name.offset)
    }

    private mutating func takeRest() -> String {
        defer { offset = end }
        return source.string(offset..<end)
    }

    private mutating func nonNegativeInteger() throws(QueryError) -> Int {
        skipSpace()
        let start = offset
        while isDigit() { offset += 1 }
        guard offset > start, let value = Int(source.string(start..<offset)) else {
            offset = start
            throw unexpected("a whole number from 0")
        }
        return value
    }

    private mutating func booleanValue() throws(QueryError) -> Bool {
        skipSpace()
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

    // MARK: $orderby

    private mutating func orderbyList() throws(QueryError) -> [OptionsSyntax.OrderItem] {
        var items: [OptionsSyntax.OrderItem] = []
        repeat {
            let expression = try commonExpr()
            items.append(.init(expression: expression, isDescending: try direction()))
        } while takeComma()
        return items
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
}
