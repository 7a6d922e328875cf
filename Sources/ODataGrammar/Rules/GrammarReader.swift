import ODataModel
import ODataQuery

/// Reads text as a rule of the grammar, and returns its parts: to explain a URL, and to measure the parser.
package struct GrammarReader: Sendable {
    /// What was read.
    package struct Reading: Sendable {
        /// The text as it would be written, percent-encoded where the rule is of a URL.
        package var canonical: String
        /// The syntax tree as JSON.
        package var tree: String
    }

    private let rule: GrammarRule
    private let names: NameConstraints?
    private let model: EdmModel?
    private let dialect: QueryDialect
    private let limits: QueryLimits

    /// Nil if the grammar has no such rule.
    ///
    /// - Parameter isStrict: whether white space around values and a bare `#` are refused, as the grammar has it.
    package init?(
        rule: String = "odataRelativeUri", names: NameConstraints? = nil, model: EdmModel? = nil,
        isStrict: Bool = false,
        isLegacy: Bool = false, limits: QueryLimits = .default
    ) {
        guard let rule = GrammarRule.named(rule) else { return nil }
        self.rule = rule
        self.names = names
        self.model = model
        self.limits = limits
        dialect = QueryDialect(isStrict: isStrict, isLegacy: isLegacy)
    }

    package func read(_ text: String) throws(QueryError) -> Reading {
        let node = try node(text)
        var canonical = canonical(node)
        if let model { canonical = try bound(node, canonical, model) }
        return Reading(canonical: canonical, tree: SyntaxDescription(node).json)
    }

    /// The text of the URL as the model understands it.
    private func bound(_ node: GrammarNode, _ text: String, _ model: EdmModel) throws(QueryError) -> String {
        guard case .url(var url) = node else { return text }
        let root = url.serviceRoot ?? ""
        url.serviceRoot = nil
        let relative = SyntaxWriter().url(url)
        guard case .query(let query) = try QueryParser(model: model, limits: limits).resource(relative) else {
            return text
        }
        return root + query.url
    }

    func canonical(_ node: GrammarNode) -> String {
        node.canonical(isEncoded: rule.isEncoded)
    }

    // MARK: Rules

    func node(_ text: String) throws(QueryError) -> GrammarNode {
        switch rule.form {
        case .absoluteURL: return try absoluteURL(text)
        case .relativeURL where !dialect.isStrict && Self.isAbsolute(text): return try absoluteURL(text)
        case .relativeURL: return try relativeURL(QuerySource(url: text, limits: limits, dialect: dialect))
        case .resourcePath:
            let source = try QuerySource(url: text, limits: limits, dialect: dialect)
            return try checked(.path(try path(source)), source)
        case .propertyPath:
            let source = try QuerySource(url: text, limits: limits, dialect: dialect)
            return try checked(.propertyPath(try path(source)), source)
        case .pathRest(let state, let fits): return try pathRest(text, after: state, fits)
        case .options(let form): return try options(text, form)
        case .encoded(let read):
            return try whole(try QuerySource(value: text, limits: limits, dialect: dialect), read)
        case .operation(let read):
            let source = try QuerySource(value: text, limits: limits, dialect: dialect)
            return try whole(source, mayStartWithSpace: true, read)
        case .plain(let read):
            return try whole(try QuerySource(text: text, limits: limits, dialect: dialect), read)
        }
    }

    private static func isAbsolute(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start == "https://"
    }

    private func path(_ source: QuerySource) throws(QueryError) -> [SegmentSyntax] {
        if let option = source.options.first {
            throw source.error(.syntax, "A path has no query options.", at: option.name.lowerBound - 1)
        }
        return try SyntaxParser.resourcePath(source, limits: limits)
    }

    /// Reads the text behind a name that it does not have, and takes the name away again.
    private func pathRest(
        _ text: String, after state: PathState, _ fits: GrammarRule.Fits
    ) throws(QueryError) -> GrammarNode {
        let name = "_"
        do throws(QueryError) {
            let source = try QuerySource(url: name + text, limits: limits, dialect: dialect)
            var segments = try path(source)
            guard let first = segments.first, first.name.text == name,
                segments.count > 1 || !first.parentheses.isEmpty
            else { throw source.error(.syntax, "Nothing follows here.", at: 1, expected: "'/' or '('") }
            guard fits(segments.dropFirst()) else {
                throw source.error(.syntax, "This is another segment.", at: 1)
            }
            segments[0].name.text = ""
            return try checked(.pathRest(segments, state), source)
        } catch {
            var error = error
            error.position = error.position.map { max($0 - name.count, 0) }
            throw error
        }
    }

    /// Where segments have to fit each other they are checked without lists of names too.
    private func checked(_ node: GrammarNode, _ source: QuerySource) throws(QueryError) -> GrammarNode {
        let names = names ?? (node.isRest ? NameConstraints([:]) : nil)
        if let names { try node.check(NameChecker(names: names, source: source)) }
        return node
    }

    private func whole(
        _ source: QuerySource, mayStartWithSpace: Bool = false, _ read: GrammarRule.Read
    ) throws(QueryError) -> GrammarNode {
        try source.reading { source throws(QueryError) in
            try wholeAsItStands(source, mayStartWithSpace: mayStartWithSpace, read)
        }.result
    }

    private func wholeAsItStands(
        _ source: QuerySource, mayStartWithSpace: Bool, _ read: GrammarRule.Read
    ) throws(QueryError) -> GrammarNode {
        var parser = SyntaxParser(source, limits: limits)
        if dialect.isStrict, !mayStartWithSpace, parser.isNext(" ") {
            throw parser.unexpected("a value without white space before it")
        }
        let node: GrammarNode
        do {
            node = try read(&parser)
        } catch {
            throw error as? QueryError ?? parser.unexpected("something else")
        }
        guard parser.isAtEnd else { throw parser.unexpected("the end") }
        return try checked(node, source)
    }

    /// The grammar lets options be given twice, the standard does not.
    private func relativeURL(_ source: QuerySource) throws(QueryError) -> GrammarNode {
        let url = try SyntaxParser.relativeURL(source, limits: limits)
        if !dialect.isStrict { try url.options.checkAllOnce(in: source) }
        return try checked(.url(url), source)
    }

    /// Where the service root ends is what leaves a path that can be read.
    private func absoluteURL(_ text: String) throws(QueryError) -> GrammarNode {
        let root = try ServiceRootSyntax(of: text)
        var furthest: QueryError?
        for start in names == nil && model == nil ? root.likelyFirst : root.starts {
            do throws(QueryError) {
                let source = try QuerySource(url: text, from: start, limits: limits, dialect: dialect)
                guard case .url(var url) = try relativeURL(source) else { continue }
                url.serviceRoot = String(decoding: source.raw[..<start], as: UTF8.self)
                if let model { _ = try bound(.url(url), "", model) }
                return .url(url)
            } catch {
                if (error.position ?? 0) > (furthest?.position ?? -1) { furthest = error }
            }
        }
        throw furthest ?? QueryError(.syntax, "This is not a URL.", position: 0)
    }

    // MARK: Options

    private func options(_ text: String, _ form: GrammarRule.OptionForm) throws(QueryError) -> GrammarNode {
        let source = try QuerySource(query: text, limits: limits, dialect: dialect)
        return try source.reading { source throws(QueryError) in try options(source, form) }.result
    }

    private func options(_ source: QuerySource, _ form: GrammarRule.OptionForm) throws(QueryError) -> GrammarNode {
        var options = OptionsSyntax()
        for (index, option) in source.options.enumerated() {
            guard index == 0 || !form.isSingle else {
                throw source.error(.syntax, "There is more than one option.", at: option.name.lowerBound - 1)
            }
            try self.option(option, form, source, into: &options)
        }
        if dialect.isLegacy { options.nestLegacyPaths() }
        guard !source.options.isEmpty else { throw source.error(.syntax, "There is no option.", at: 0) }
        return try checked(.options(options), source)
    }

    private func option(
        _ option: QuerySource.Option, _ form: GrammarRule.OptionForm, _ source: QuerySource,
        into options: inout OptionsSyntax
    ) throws(QueryError) {
        let name = NameSyntax(text: source.string(option.name), offset: option.name.lowerBound)
        if let system = SystemOption(name: name.text), form.system.contains(system), let value = option.value {
            var parser = SyntaxParser(source, range: value, limits: limits)
            try parser.systemQueryOption(system, name, into: &options)
            return try parser.expectEnd("the end of \(name.text)")
        }
        let isAlias = name.text.hasPrefix("@")
        guard isAlias ? form.allowsAlias : form.allowsCustom && !name.text.hasPrefix("$") else {
            let expected = form.system.map(\.name).joined(separator: ", ")
            throw source.error(.syntax, "The query option cannot stand here.", at: name.offset, expected: expected)
        }
        try SyntaxParser.queryOption(option, of: source, limits: limits, into: &options)
    }
}

extension GrammarRule {
    /// Whether the rule is of a part of a URL.
    var isEncoded: Bool {
        if case .plain = form { false } else { true }
    }
}
