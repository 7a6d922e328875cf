import ODataQuery

/// Rules of what follows in a path, of calls and of keys.
///
/// [OData-ABNF, sections 1 and 4]
extension GrammarRule {
    /// Whether segments, the nameless one before them left out, are what a rule asks for.
    typealias Fits = @Sendable (ArraySlice<SegmentSyntax>) -> Bool

    static let pathRules: [String: Form] = [resourceRests, memberRests, calls, keys].reduce(into: [:]) {
        $0.merge($1) { first, _ in first }
    }

    /// What follows in a resource path, and what the path has led to before.
    private static let resourceRests: [String: Form] = [
        "collectionNavigation": rest(.collection), "collectionNavPath": rest(.collectionCast),
        "singleNavigation": rest(.single), "singleNavPath": rest(.singleCast), "collectionPath": rest(.primitiveCol),
        "primitivePath": rest(.primitive), "complexColPath": rest(.complexCol), "complexPath": rest(.complex),
        "complexNavPath": rest(.complexCast), "boundOperation": rest(.each) { $0.first?.kind == .name },
        "propertyPath": .propertyPath,
        "keyPathSegments": rest(.keySegments) { segments in
            segments.allSatisfy { ($0.kind == .text || $0.kind == .name) && $0.parentheses.isEmpty }
        },
        "filterInPath": rest(.collection) { isFilter($0) },
        "count": only(.collection) { $0 == .count(nil) }, "each": only(.collection) { $0 == .each },
        "ref": only(.collection) { $0 == .ref }, "value": only(.single) { $0 == .value },
        "querySegment": only(.collection) { $0 == .query }, "ordinalIndex": only(.primitiveCol) { $0 == .text },
    ]

    private static func rest(_ state: PathState, _ fits: @escaping Fits = { _ in true }) -> Form {
        .pathRest(state, fits)
    }

    /// One segment.
    private static func only(
        _ state: PathState, _ fits: @escaping @Sendable (SegmentSyntax.Kind) -> Bool
    ) -> Form {
        .pathRest(state) { $0.count == 1 && $0.allSatisfy { fits($0.kind) } }
    }

    private static func isFilter(_ segments: ArraySlice<SegmentSyntax>) -> Bool {
        guard segments.count == 1, case .filter = segments.first?.kind else { return false }
        return true
    }

    /// What follows in a path of an expression.
    private static let memberRests: [String: Form] = [
        "collectionNavigationExpr": member(.collection), "collectionNavNoCastExpr": member(.collectionCast),
        "singleNavigationExpr": member(.single), "collectionPathExpr": member(.primitiveCol),
        "complexColPathExpr": member(.complexCol), "complexPathExpr": member(.complex),
        "primitivePathExpr": member(.primitive), "filterExpr": member(.collection) { isFilter($0) },
    ]

    private static func member(_ state: PathState, _ fits: @escaping Fits = { _ in true }) -> Form {
        .encoded { parser in
            let start = parser.offset
            let rest = try parser.memberRest()
            guard fits(rest.segments.dropFirst()) else { throw parser.invalid("another segment", at: start) }
            return .memberRest(rest, state)
        }
    }

    private static let calls: [String: Form] = {
        var rules: [String: Form] = [
            "actionImportCall": .encoded { .name(try $0.identifier("a name"), [.actionImport], isQualified: false) },
            "boundActionCall": .encoded { .name(try $0.name("a name"), [.action], isQualified: false) },
        ]
        let results = PathState.Result.allCases
        for kind in results.map(\.functionImport) {
            rules[kind.rawValue + "Call"] = .encoded { .call(try $0.call(try $0.identifier("a function")), kind) }
        }
        for kind in results.map(\.function) {
            let name = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
            rules["bound\(name)Call"] = .encoded { .call(try $0.call(try $0.name("a function")), kind) }
        }
        rules["functionImportCallNoParens"] = .encoded {
            .name(try $0.identifier("a function"), results.map(\.functionImport), isQualified: false)
        }
        rules["boundFunctionCallNoParens"] = .encoded {
            .name(try $0.name("a function"), results.map(\.function), isQualified: false)
        }
        return rules
    }()

    private static let keys: [String: Form] = [
        "keyValuePair": .encoded { .keyPair(try $0.pathParameter()) },
        "contextKeyPredicate": .plain { .key(try $0.pathParentheses()) },
        "contextKeyValuePair": .plain { .keyPair(try $0.pathParameter()) },
        "contextKeyValue": .plain { .expression(try $0.literalExpression()) },
    ]
}

extension SyntaxParser {
    /// The parameters of a function in a resource path.
    fileprivate mutating func call(_ name: NameSyntax) throws(QueryError) -> SegmentSyntax {
        let parentheses = try pathParentheses()
        if case .single(let value) = parentheses.content { throw invalid("a name and a value", at: value.offset) }
        return SegmentSyntax(name: name, kind: .name, parentheses: [parentheses])
    }

    /// What follows a path of an expression: `/Name`, `(1)/Name`. It is behind a segment without a name.
    fileprivate mutating func memberRest() throws(QueryError) -> PathSyntax {
        let start = offset
        var height = 0
        var first = SegmentSyntax(name: NameSyntax(text: "", offset: start), kind: .name)
        if isNext("(") {
            first.parentheses = [try parentheses(of: first.name, isFirst: false, &height)]
        } else if !isNext("/") {
            throw unexpected("'/' and a segment")
        }
        let expression = try path(.relative, from: [first], at: start, height: height)
        guard case .path(let rest) = expression.kind else { throw invalid("a path", at: start) }
        return rest
    }
}
