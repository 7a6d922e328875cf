import ODataModel

/// Options in OData's own words.
extension BuiltQuery {
    /// Adds options as they stand in a URL, raw or percent-encoded: `$filter=Price gt 20&$orderby=Name`. A filter is
    /// one more condition, an order comes after the one there is, the least `$top` counts, and what is expanded already
    /// gets the options that are given for it here.
    ///
    /// - Throws: What the parser does not take.
    package mutating func add(options text: String) throws(QueryError) {
        let text = text.hasPrefix("?") ? String(text.dropFirst()) : text
        let given = try QuerySource(query: text, limits: .default)
        let source = try given.reading { source throws(QueryError) in try Self.check(source) }.source
        for option in source.options where !option.name.isEmpty || option.value != nil {
            add(source.string(option.name), option.value.map(source.string) ?? "")
        }
    }

    /// What is not of the standard is refused with the nearest name when the store is asked.
    private static func check(_ source: QuerySource) throws(QueryError) {
        var read = OptionsSyntax()
        for option in source.options where systemOption(source.string(option.name)) != nil {
            try SyntaxParser.queryOption(option, of: source, limits: .default, into: &read)
        }
    }

    /// Adds options as they stand in the parentheses of `$expand`: `$filter=Quantity gt 5;$top=3`. Invalid text is
    /// reported by ``problem``.
    package mutating func add(nestedOptions text: String) {
        do throws(QueryError) {
            let source = try QuerySource(value: "R(\(text))", limits: .default).reading { source throws(QueryError) in
                var parser = SyntaxParser(source, limits: .default)
                _ = try parser.expandList()
                try parser.expectEnd("';' and another option")
            }.source
            guard let options = Self.nestedOptions(source.string(2..<(source.text.count - 1))) else {
                throw QueryError(.syntax, "The options end inside of a string.")
            }
            for (name, value) in options { add(name, value) }
        } catch {
            var error = error
            error.position = error.position.map { $0 - 2 }
            refusal = refusal ?? "\(text) is not a list of options of what is expanded: \(error)"
        }
    }

    /// The option of the standard with this name, in any case, and without `$` where it needs none.
    static func systemOption(_ name: String) -> SystemOption? {
        guard let option = SystemOption(name: name), name.hasPrefix("$") || !option.needsDollar else { return nil }
        return option
    }

    /// - Parameter value: As the parser has read it already.
    private mutating func add(_ name: String, _ value: String) {
        guard let option = Self.systemOption(name) else { return others.append((name, value)) }
        let word = value.filter { !$0.isWhitespace }.lowercased()
        switch option {
        case .filter: restrict(QueryCondition("\(value)", .or))
        case .compute: compute.append(value)
        case .orderby: orderBy.append("\(value)")
        case .select: select.append(value)
        case .expand: add(expand: value)
        case .search: find(value)
        case .apply: apply = apply.map { "\($0)/\(value)" } ?? value
        case .top where Int(word) != nil: limit(Int(word) ?? 0)
        case .skip where Int(word) != nil: skip = Int(word)
        case .count: wantsCount = word == "true"
        case .levels: levels = word
        default: others.append((option.name, value))
        }
    }

    /// Navigation properties become expansions, so that each is expanded once; `*`, `Items/$count` and the like stay as
    /// they are.
    private mutating func add(expand text: String) {
        for item in partsOutside(text, at: ",") ?? [text] {
            guard let (navigation, options) = Self.navigation(item) else {
                expandTexts.append(item)
                continue
            }
            expand([navigation]) { expanded in
                for (name, value) in options { expanded.add(name, value) }
            }
        }
    }

    /// `Items($filter=Quantity gt 5;$top=3)`
    private static func navigation(_ item: String) -> (name: String, options: [(String, String)])? {
        let item = trimmed(item)
        let name = String(item.prefix { $0 != "(" })
        guard !name.contains("$"), !name.contains("*") else { return nil }
        let rest = item.dropFirst(name.count)
        guard !rest.isEmpty else { return (trimmed(name), []) }
        guard rest.hasSuffix(")"), let options = nestedOptions(String(rest.dropFirst().dropLast())) else { return nil }
        return (trimmed(name), options)
    }

    /// `$filter=Quantity gt 5;$top=3`
    private static func nestedOptions(_ text: String) -> [(String, String)]? {
        guard let parts = partsOutside(text, at: ";") else { return nil }
        return parts.filter { !trimmed($0).isEmpty }.map { part in
            let name = part.prefix { $0 != "=" }
            return (trimmed(String(name)), String(part.dropFirst(name.count + 1)))
        }
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop { $0.isWhitespace }
        return String(start.prefix(start.count - start.reversed().prefix { $0.isWhitespace }.count))
    }
}

/// The parts of a text between separators that stand outside of strings and parentheses; nil where one of these does not
/// end.
private func partsOutside(_ text: String, at separator: Unicode.Scalar) -> [String]? {
    var parts: [String.UnicodeScalarView] = [.init()]
    var quote: Unicode.Scalar?
    var depth = 0
    for scalar in text.unicodeScalars {
        switch scalar {
        case "'", "\"": quote = quote == nil ? scalar : quote == scalar ? nil : quote
        case "(", "[", "{": depth += quote == nil ? 1 : 0
        case ")", "]", "}": depth -= quote == nil ? 1 : 0
        case separator where quote == nil && depth == 0:
            parts.append(.init())
            continue
        default: break
        }
        parts[parts.count - 1].append(scalar)
    }
    return quote == nil && depth == 0 ? parts.map { String($0) } : nil
}
