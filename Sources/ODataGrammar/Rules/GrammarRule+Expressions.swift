import ODataQuery

/// Rules of expressions.
///
/// [OData-ABNF, sections 4 and 5]
extension GrammarRule {
    static let expressionRules: [String: Form] = [anything, members, methods, operators, others].reduce(
        into: [:]
    ) {
        $0.merge($1) { first, _ in first }
    }

    private static let anything: [String: Form] = {
        let names = [
            "commonExpr", "boolCommonExpr", "lambdaPredicateExpr", "collectionExpr", "aggregatableExpr", "negateExpr",
            "notExpr", "parenExpr", "rootExpr", "castExpr", "isofExpr", "isdefinedExpr", "currCollectionExpr",
        ]
        return Dictionary(names.map { ($0, Form.encoded { .expression(try $0.commonExpr()) }) }) { first, _ in first }
    }()

    /// Paths, with what they may start with.
    private static let members: [String: Form] = [
        "firstMemberExpr": .encoded { .member(try $0.memberPath(), .member) },
        "memberExpr": .encoded { .member(try $0.memberPath(), .variable) },
        "directMemberExpr": .encoded { .member(try $0.memberPath(), .directMember) },
        "propertyPathExpr": .encoded { .member(try $0.memberPath(), .directMember) },
        "functionExpr": .encoded { .member(try $0.memberPath(), .directMember) },
        "boundFunctionExpr": .encoded { .member(try $0.memberPath(), .directMember) },
        "annotationExpr": .encoded { .member(try $0.memberPath(), .directMember) },
        "inscopeVariableExpr": .encoded { .member(try $0.memberPath(), .member) },
        "implicitVariableExpr": .encoded { .member(try $0.memberPath(), .member) },
        "lambdaVariableExpr": .encoded { .member(try $0.memberPath(), .member) },
        "parameterAlias": .encoded { .expression(try $0.parameterAlias()) },
        "anyExpr": .encoded { .segment(try $0.lambdaSegment("any")) },
        "allExpr": .encoded { .segment(try $0.lambdaSegment("all")) },
    ]

    private static let methods: [String: Form] = {
        var names = CanonicalFunction.version4.map { $0.rawValue + "MethodCallExpr" }
        names += [
            "methodCallExpr", "boolMethodCallExpr", "caseMethodCallExpr", "distanceMethodCallExpr",
            "geoLengthMethodCallExpr", "intersectsMethodCallExpr",
        ]
        return Dictionary(names.map { ($0, Form.encoded { .expression(try $0.methodCall()) }) }) { first, _ in first }
    }()

    /// `eqExpr` and its kin: an operator and all that follows it.
    private static let operators: [String: Form] = {
        let words = [
            "and", "or", "eq", "ne", "lt", "le", "gt", "ge", "has", "in", "add", "sub", "mul", "div", "divby", "mod",
        ]
        let rules = words.map { word in (word + "Expr", Form.operation { try $0.operation(word) }) }
        return Dictionary(rules) { first, _ in first }
    }()

    private static let others: [String: Form] = [
        "arrayOrObject": .encoded { .expression(try $0.isNext("[") ? $0.array() : $0.object()) },
        "array": .encoded { .expression(try $0.array()) },
        "object": .encoded { .expression(try $0.object()) },
        "member": .encoded { .text(try $0.member().name.text) },
        "charInJSON": .encoded { parser in
            let start = parser.offset
            try parser.charInJSON()
            return .text(parser.source.string(start..<parser.offset))
        },
        "stringInUrl": .encoded { .json(try $0.jsonString()) },
        "valueInUrl": .encoded { .json(try $0.parameterValue()) },
        "parameterValue": .encoded { .json(try $0.parameterValue()) },
        "listExpr": .encoded { parser in
            let start = parser.offset
            let items = try parser.listExpr()
            guard items.allSatisfy(\.isLiteral) else { throw parser.invalid("literals", at: start) }
            return .expression(ExpressionSyntax(kind: .array(items), offset: start, height: 1))
        },
        "annotationInQuery": .encoded { .name(try $0.annotationSign(), [], isQualified: false) },
        "annotationInFragment": .plain { .name(try $0.annotationSign(), [], isQualified: false) },
    ]
}

extension SyntaxParser {
    /// A path and nothing else.
    mutating func memberPath() throws(QueryError) -> PathSyntax {
        let expression: ExpressionSyntax =
            switch peek() {
            case UInt8(ascii: "$"): try implicitVariableExpr()
            case UInt8(ascii: "@"): try aliasExpr()
            default: try firstMemberExpr()
            }
        guard case .path(let path) = expression.kind else { throw invalid("a path", at: expression.offset) }
        return path
    }

    /// ` eq 5`, ` in (1,2)`
    fileprivate mutating func operation(_ word: String) throws(QueryError) -> GrammarNode {
        try expectSpace("white space and '\(word)'")
        guard takeText(word) else { throw unexpected("'\(word)'") }
        try expectSpace("white space after the operator")
        switch word {
        case "in" where isNext("("): return .operation(word, try listExpr(), isList: true)
        case "has":
            let literal = try literalExpression()
            switch literal.kind {
            case .literal(.enumeration), .literal(.string): return .operation(word, [literal], isList: false)
            default: throw invalid("a value of an enumeration", at: literal.offset)
            }
        default: return .operation(word, [try commonExpr()], isList: false)
        }
    }

    mutating func lambdaSegment(_ word: String) throws(QueryError) -> SegmentSyntax {
        let start = offset
        guard takeText(word), isNext("(") else {
            offset = start
            throw unexpected("\(word)(…)")
        }
        var height = 0
        return try lambdaExpr(NameSyntax(text: word, offset: start), &height)
    }

    mutating func methodCall() throws(QueryError) -> ExpressionSyntax {
        let stop = nameEnd(from: offset)
        guard stop < end, source.text[stop] == UInt8(ascii: "("), let call = try methodCallExpr(offset..<stop) else {
            throw unexpected("a canonical function")
        }
        return call
    }
}
