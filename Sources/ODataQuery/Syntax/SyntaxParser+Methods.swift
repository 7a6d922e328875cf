import ODataModel

/// Calls of canonical functions, and what looks like one.
///
/// [OData-ABNF, section 4: `methodCallExpr`, `castExpr`, `isofExpr`, `caseMethodCallExpr`]
extension SyntaxParser {
    /// What a name before a parenthesis stands for.
    private enum Method {
        /// A function with this many arguments.
        case function(ClosedRange<Int>)
        /// `replace` of V2, with three arguments.
        case replace
        /// `substringof` of V2.
        case substringOf
        case conditional, cast, isOf, isDefined

        func isPart(of dialect: QueryDialect) -> Bool {
            switch self {
            case .substringOf: dialect.isLegacy
            case .replace: dialect.isLegacy || dialect.isLink
            case .function, .conditional, .cast, .isOf, .isDefined: true
            }
        }
    }

    private static let methods: [String: Method] = {
        var methods: [String: Method] = [
            "substringof": .substringOf, "replace": .replace,
            "case": .conditional, "cast": .cast, "isof": .isOf, "isdefined": .isDefined,
        ]
        for function in CanonicalFunction.version4 {
            methods[function.rawValue.lowercased()] = .function(function.argumentCount)
        }
        return methods
    }()

    /// The call whose name is at `range`; nil if it is not a canonical function.
    package mutating func methodCallExpr(_ range: Range<Int>) throws(QueryError) -> ExpressionSyntax? {
        guard range.count <= 18 else { return nil }
        let name = NameSyntax(text: source.string(range), offset: range.lowerBound)
        let known = Self.methods[name.text] ?? Self.methods[name.text.lowercased()]
        guard let method = known, method.isPart(of: dialect) else { return nil }
        offset = range.upperBound
        try expect("(")
        skipSpace()
        switch method {
        case .substringOf: return try substringOf(name)
        case .replace: return try call(name, CanonicalFunction.replace.argumentCount)
        case .function(let count): return try call(name, count)
        case .conditional: return try caseMethodCallExpr(at: name.offset)
        case .cast, .isOf: return try typeExpr(name)
        case .isDefined: return try isdefinedExpr(at: name.offset)
        }
    }

    /// The arguments from after the parenthesis.
    private mutating func call(_ name: NameSyntax, _ count: ClosedRange<Int>) throws(QueryError) -> ExpressionSyntax {
        var arguments: [ExpressionSyntax] = []
        if count.upperBound == 0 {
            try expect(")", "')': \(name.text) has no arguments")
        } else {
            try commaList { parser throws(QueryError) in
                arguments.append(try parser.commonExpr())
                guard arguments.count <= count.upperBound else {
                    throw parser.argumentCount(name, count)
                }
            }
            guard arguments.count >= count.lowerBound else { throw argumentCount(name, count) }
        }
        return try node(.call(name, arguments), at: name.offset, over: arguments.map(\.height).max() ?? 0)
    }

    /// `substringof('a',Name)` is `contains(Name,'a')`.
    private mutating func substringOf(_ name: NameSyntax) throws(QueryError) -> ExpressionSyntax {
        var expression = try call(name, 2...2)
        if case .call(_, let arguments) = expression.kind {
            let contains = NameSyntax(text: CanonicalFunction.contains.rawValue, offset: name.offset)
            expression.kind = .call(contains, arguments.reversed())
        }
        return expression
    }

    private func argumentCount(_ name: NameSyntax, _ count: ClosedRange<Int>) -> QueryError {
        let wanted = count.count == 1 ? "\(count.lowerBound)" : "\(count.lowerBound) or \(count.upperBound)"
        return error(
            .typeMismatch, "The function \(name.text) has another number of arguments.", at: name.offset,
            expected: "\(wanted) argument\(wanted == "1" ? "" : "s")")
    }

    /// Items with commas between them and a parenthesis at the end.
    mutating func commaList(
        _ item: (inout SyntaxParser) throws(QueryError) -> Void
    ) throws(QueryError) {
        repeat {
            try tally()
            try item(&self)
        } while takeComma()
        skipSpace()
        try expect(")", "an operator, ',' or ')'")
    }

    /// `caseMethodCallExpr`, from after the parenthesis.
    private mutating func caseMethodCallExpr(at start: Int) throws(QueryError) -> ExpressionSyntax {
        var branches: [BranchSyntax] = []
        var height = 0
        try commaList { parser throws(QueryError) in
            let condition = try parser.commonExpr()
            parser.skipSpace()
            try parser.expect(":", "':' and the value")
            parser.skipSpace()
            let value = try parser.commonExpr()
            height = max(height, condition.height, value.height)
            branches.append(BranchSyntax(condition: condition, value: value))
        }
        return try node(.conditional(branches), at: start, over: height)
    }

    /// `castExpr`, `isofExpr`, from after the parenthesis.
    private mutating func typeExpr(_ name: NameSyntax) throws(QueryError) -> ExpressionSyntax {
        let start = offset
        var inner: ExpressionSyntax?
        if let type = typeName(), isEndOfType {
            offset += 1
            return try typeNode(name, nil, type)
        }
        offset = start
        inner = try commonExpr()
        skipSpace()
        try expect(",", "',' and a type")
        skipSpace()
        guard let type = typeName() else { throw unexpected("the name of a type") }
        skipSpace()
        try expect(")", "')'")
        return try typeNode(name, inner, type)
    }

    private var isEndOfType: Bool {
        mutating get {
            skipSpace()
            return isNext(")")
        }
    }

    private func typeNode(
        _ name: NameSyntax, _ inner: ExpressionSyntax?, _ type: TypeNameSyntax
    ) throws(QueryError) -> ExpressionSyntax {
        let isCast = name.text.lowercased() == "cast"
        return try node(isCast ? .cast(inner, type) : .isOf(inner, type), at: name.offset, over: inner?.height ?? 0)
    }

    /// `optionallyQualifiedTypeName`; nil if there is none.
    package mutating func typeName() -> TypeNameSyntax? {
        if !isStrict, isNext("'") { return quotedTypeName() }
        guard let outer = optionalName() else { return nil }
        guard outer.text == "Collection", consume("(") else { return TypeNameSyntax(name: outer, isCollection: false) }
        guard let inner = optionalName(), consume(")") else { return nil }
        return TypeNameSyntax(name: inner, isCollection: true)
    }

    /// `'Model.Manager'` of V2, which clients of V4 write too.
    private mutating func quotedTypeName() -> TypeNameSyntax? {
        let start = offset
        guard let text = try? quotedText() else { return nil }
        return TypeNameSyntax(name: NameSyntax(text: text, offset: start + 1), isCollection: false)
    }

    /// `isdefinedExpr`, from after the parenthesis.
    private mutating func isdefinedExpr(at start: Int) throws(QueryError) -> ExpressionSyntax {
        try enter()
        defer { leave() }
        let inner = try operand()
        guard case .path = inner.kind else {
            throw error(.syntax, "isdefined is for paths.", at: inner.offset, expected: "a path")
        }
        skipSpace()
        try expect(")", "')'")
        return try node(.isDefined(inner), at: start, over: inner.height)
    }
}

extension CanonicalFunction {
    /// How many arguments the function has.
    var argumentCount: ClosedRange<Int> {
        switch self {
        case .now, .maxdatetime, .mindatetime: 0...0
        case .concat, .contains, .endswith, .indexof, .startswith, .matchesPattern: 2...2
        case .hassubset, .hassubsequence, .geoDistance, .geoIntersects: 2...2
        case .substring: 2...3
        case .replace: 3...3
        case .length, .tolower, .toupper, .trim, .date, .time, .day, .month, .year, .hour, .minute, .second: 1...1
        case .fractionalseconds, .totaloffsetminutes, .totalseconds, .ceiling, .floor, .round, .geoLength: 1...1
        }
    }
}
