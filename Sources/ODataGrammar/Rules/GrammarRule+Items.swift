import ODataQuery

/// Rules of parts of query options, and of parts of paths.
extension GrammarRule {
    static let itemRules: [String: Form] = [optionItems, searches, aggregations, parentheses, contexts].reduce(into: [:]
    ) {
        $0.merge($1) { first, _ in first }
    }

    private static let optionItems: [String: Form] = {
        let select = Form.encoded { .select(try $0.only(try $0.selectList())) }
        let expand = Form.encoded { .expand(try $0.only(try $0.expandList())) }
        return [
            "selectItem": select, "selectProperty": select, "selectPath": select,
            "expandItem": expand, "expandPath": expand,
            "orderbyItem": .encoded { .orderBy([try $0.orderbyItem()]) },
            "computeItem": .encoded { .compute([try $0.computeItem()]) },
            "computeExpr": .encoded { .compute([try $0.computeItem(isInside: true)]) },
            "allOperationsInSchema": .encoded { parser in
                let items = try parser.only(try parser.selectList())
                guard case .operations = items.first?.kind else { throw parser.invalid("Namespace.*", at: 0) }
                return .select(items)
            },
            "parameterNames": .encoded { parser in
                var names: [NameSyntax] = []
                repeat {
                    try parser.tally()
                    names.append(try parser.identifier("the name of a parameter"))
                } while parser.takeLooseComma()
                return .names(names, .parameterName)
            },
        ]
    }()

    private static let searches: [String: Form] = {
        let search = Form.encoded { .search(.expression(try $0.searchExpr())) }
        let names = ["searchExpr", "searchWord", "searchPhrase", "searchParenExpr", "searchNegateExpr"]
        var rules = Dictionary(names.map { ($0, search) }) { first, _ in first }
        rules["searchOrExpr"] = .operation {
            .searchOperation("OR", try $0.searchOperation("OR", isOptional: false))
        }
        rules["searchAndExpr"] = .operation {
            .searchOperation("AND", try $0.searchOperation("AND", isOptional: true))
        }
        rules["searchExpr-incomplete"] = .encoded { .search(.incomplete(try $0.quotedText())) }
        return rules
    }()

    private static let aggregations: [String: Form] = {
        let sequences = ["applyExpr", "preservingTrafos", "hierarchyTrafos"]
        let single = [
            "applyTrafo", "preservingTrafo", "hierarchyTrafo", "aggregateTrafo", "ancestorsTrafo", "bottomcountTrafo",
            "bottompercentTrafo", "bottomsumTrafo", "computeTrafo", "concatTrafo", "customFunction", "descendantsTrafo",
            "filterTrafo", "groupbyTrafo", "identityTrafo", "joinTrafo", "nestTrafo", "orderbyTrafo", "outerjoinTrafo",
            "searchTrafo", "skipTrafo", "topTrafo", "topcountTrafo", "toppercentTrafo", "topsumTrafo", "traverseTrafo",
        ]
        var rules: [String: Form] = [:]
        for name in sequences { rules[name] = .encoded { .apply(try $0.applyExpr()) } }
        for name in single { rules[name] = .encoded { .apply(try $0.only(try $0.applyExpr())) } }
        rules["groupbyElement"] = .encoded { .grouping(try $0.groupbyElement()) }
        rules["rollupSpec"] = .encoded { parser in
            let item = try parser.groupbyElement()
            if case .path = item { throw parser.unexpected("rollup(…)") }
            return .grouping(item)
        }
        rules["aggregateExpr"] = .encoded { .aggregate([try $0.aggregateExpr(needsAlias: true)]) }
        rules["aggregateFunctionExpr"] = .encoded { .aggregate([try $0.aggregateExpr(needsAlias: false)]) }
        return rules
    }()

    private static let parentheses: [String: Form] = {
        let plain = Form.encoded { .parentheses(try $0.pathParentheses()) }
        let key = Form.encoded { .key(try $0.pathParentheses()) }
        let parameter = Form.encoded { .arguments([try $0.pathParameter()]) }
        return [
            "keyPredicate": key, "simpleKey": key, "compoundKey": key, "functionParameters": plain,
            "functionParameter": parameter,
            "functionExprParameter": .encoded { .arguments([try $0.parameter()]) },
            "functionExprParameters": .encoded { parser in
                var height = 0
                return .parentheses(
                    try parser.parentheses(of: NameSyntax(text: "", offset: 0), isFirst: false, &height))
            },
            "crossjoin": .resourcePath,
        ]
    }()

    private static let contexts: [String: Form] = [
        "context": .plain {
            try $0.expect("#")
            return .context(try $0.contextFragment())
        },
        "contextFragment": .plain { .contextFragment(try $0.contextFragment()) },
        "entitySet": .plain { parser in
            let context = try parser.contextFragment()
            guard context.isPath, let first = context.path.first, first.kind == .name, !first.name.isQualified else {
                throw parser.invalid("an entity set and a path", at: 0)
            }
            return .contextFragment(context)
        },
        "containmentNavigation": .plain { parser in
            let context = try parser.contextNavigation()
            guard context.isPath, context.path.first?.parentheses.isEmpty == false else {
                throw parser.invalid("a key and a path", at: 0)
            }
            return .contextFragment(context)
        },
        "navigation": .plain { parser in
            let context = try parser.contextNavigation()
            guard context.isPath, context.path.count > 1, context.path.allSatisfy(\.parentheses.isEmpty) else {
                throw parser.invalid("'/' and a navigation property", at: 0)
            }
            return .contextFragment(context)
        },
        "selectList": .plain { .contextSelect(try $0.contextSelectList()) },
        "selectListItem": .plain { .contextItem(try $0.contextSelectItem()) },
        "selectListProperty": .plain { parser in
            let item = try parser.contextSelectItem()
            guard !item.isWildcard else { throw parser.invalid("a property", at: 0) }
            return .contextItem(item)
        },
        "contextPropertyPath": .plain { parser in
            let item = try parser.contextSelectItem()
            guard !item.isWildcard, !item.isRecursive, item.select == nil else {
                throw parser.invalid("a property", at: 0)
            }
            return .contextItem(item)
        },
    ]
}

extension ContextSyntax {
    /// Whether it has nothing but segments.
    fileprivate var isPath: Bool { !isCollection && select == nil && suffix == nil }
}

extension ContextSelectSyntax {
    /// `*` or `Model.*`
    fileprivate var isWildcard: Bool { path.contains { $0.text.hasSuffix("*") } }
}

extension SyntaxParser {
    /// A list that has to have one item.
    func only<Item>(_ items: [Item]) throws(QueryError) -> [Item] {
        guard items.count == 1 else { throw unexpected("the end, after one item") }
        return items
    }

    mutating func pathParameter() throws(QueryError) -> ArgumentSyntax {
        let name = try argumentName()
        return ArgumentSyntax(name: name, value: try pathArgument())
    }

    mutating func parameter() throws(QueryError) -> ArgumentSyntax {
        let name = try argumentName()
        return ArgumentSyntax(name: name, value: try parameterValue())
    }
}
