import ODataModel

/// What follows a name in parentheses: keys and parameters.
///
/// [OData-ABNF, `keyPredicate`, `functionParameters`, `functionExprParameters`]
extension SyntaxParser {
    /// In expressions: parameters are any expressions.
    package mutating func parentheses(
        of name: NameSyntax, isFirst: Bool, _ height: inout Int
    ) throws(QueryError) -> ParenthesesSyntax {
        try enter()
        defer { leave() }
        let start = offset
        try expect("(")
        skipSpace()
        if consume(")") { return ParenthesesSyntax(content: .empty, offset: start) }
        if isNamed() { return ParenthesesSyntax(content: .named(try arguments(&height)), offset: start) }
        guard let value = try keyValue() else { throw unknownFunction(name, isFirst: isFirst) }
        skipSpace()
        guard consume(")") else {
            if isNext(","), isFirst { throw unknownFunction(name, isFirst: isFirst) }
            throw unexpected("')'")
        }
        return ParenthesesSyntax(content: .single(value), offset: start)
    }

    private func unknownFunction(_ name: NameSyntax, isFirst: Bool) -> QueryError {
        guard isFirst, !isAtEnd else { return unexpected("a key value, or names and values as in (A=1,B=2)") }
        let known = (dialect.isLegacy ? CanonicalFunction.allCases : CanonicalFunction.version4).map(\.rawValue)
        let nearest = nearestName(to: name.text, in: known)
        return error(
            .unknownName, "There is no function \(name.text).", at: name.offset,
            expected: nearest ?? "a function, or parameters by name")
    }

    /// Whether a name and an equals sign are next.
    func isNamed() -> Bool {
        var ahead = self
        let stop = identifierEnd(from: offset)
        guard stop > offset else { return false }
        ahead.offset = stop
        ahead.skipSpace()
        return ahead.isNext("=")
    }

    /// `keyPropertyValue` or `parameterAlias`; nil if there is something else.
    mutating func keyValue() throws(QueryError) -> ExpressionSyntax? {
        if isNext("@") { return try parameterAlias() }
        return try literalExpr()
    }

    /// `parameterAlias`: `@p`
    package mutating func parameterAlias() throws(QueryError) -> ExpressionSyntax {
        let start = offset
        try expect("@")
        let name = try identifier("the name of a parameter")
        let path = PathSyntax(start: .alias(name), segments: [], offset: start)
        return ExpressionSyntax(kind: .path(path), offset: start, height: 1)
    }

    /// `count=3,name=Name)`, from after the parenthesis: values are expressions.
    private mutating func arguments(_ height: inout Int) throws(QueryError) -> [ArgumentSyntax] {
        var arguments: [ArgumentSyntax] = []
        var deepest = height
        try commaList { parser throws(QueryError) in
            let name = try parser.argumentName()
            let value = try parser.parameterValue()
            deepest = max(deepest, value.height)
            arguments.append(ArgumentSyntax(name: name, value: value))
        }
        height = deepest
        return arguments
    }

    /// `parameterName EQ`
    package mutating func argumentName() throws(QueryError) -> NameSyntax {
        let name = try identifier("the name of a parameter")
        skipLooseSpace()
        try expect("=")
        skipLooseSpace()
        return name
    }

    /// `parameterValue`: an expression or JSON.
    package mutating func parameterValue() throws(QueryError) -> ExpressionSyntax {
        isNext("\"") ? try jsonString() : try commonExpr()
    }

    /// In resource paths: a key, or parameters that are literals, aliases or JSON.
    package mutating func pathParentheses() throws(QueryError) -> ParenthesesSyntax {
        let start = offset
        try expect("(")
        if isStrict, isSpaceBeforeKey { throw unexpected("a key value") }
        skipSpace()
        if consume(")") { return ParenthesesSyntax(content: .empty, offset: start) }
        guard isNamed() else {
            guard let value = try keyValue() else {
                throw unexpected("a key value, or names and values as in (A=1,B=2)")
            }
            skipLooseSpace()
            try expect(")", "')'")
            return ParenthesesSyntax(content: .single(value), offset: start)
        }
        var arguments: [ArgumentSyntax] = []
        try commaList { parser throws(QueryError) in
            let name = try parser.argumentName()
            arguments.append(ArgumentSyntax(name: name, value: try parser.pathArgument()))
        }
        return ParenthesesSyntax(content: .named(arguments), offset: start)
    }

    /// Parameters may have white space around them, keys may not.
    private var isSpaceBeforeKey: Bool {
        var ahead = self
        return ahead.skipSpace() && !ahead.isNamed() && !ahead.isNext(")")
    }

    package mutating func pathArgument() throws(QueryError) -> ExpressionSyntax {
        if isNext("[") || isNext("{") { return try commonExpr() }
        guard let value = try keyValue() else { throw unexpected("a literal or a parameter alias") }
        return value
    }
}
