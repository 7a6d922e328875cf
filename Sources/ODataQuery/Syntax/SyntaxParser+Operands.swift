import ODataModel

/// What stands between operators.
///
/// [OData-ABNF, section 4: Expressions]
extension SyntaxParser {
    mutating func operand() throws(QueryError) -> ExpressionSyntax {
        try tally()
        let start = offset
        if isNext("(") { return try parenExpr() }
        if let value = try literal() { return ExpressionSyntax(kind: .literal(value), offset: start, height: 1) }
        guard let byte = peek() else { throw unexpected("an expression") }
        switch byte {
        case UInt8(ascii: "-"): return try negateExpr()
        case UInt8(ascii: "$"): return try implicitVariableExpr()
        case UInt8(ascii: "@"): throw notImplemented("A parameter alias (\(source.found(at: start + 1)))", at: start)
        case UInt8(ascii: "["), UInt8(ascii: "{"): throw notImplemented("JSON in an expression", at: start)
        default: break
        }
        let name = try name("an expression")
        if isNext("(") { return try isNot(name) ? notExpr(name) : methodCallExpr(name) }
        return try isNot(name) && isSpaceNext ? notExpr(name) : memberExpr(name)
    }

    private var isSpaceNext: Bool { isNext(" ") || isNext("+") || isNext("\t") }

    private func isNot(_ name: NameSyntax) -> Bool { name.text.utf8.count == 3 && name.text.lowercased() == "not" }

    /// `parenExpr`
    private mutating func parenExpr() throws(QueryError) -> ExpressionSyntax {
        try expect("(")
        let inner = try commonExpr()
        skipSpace()
        try expect(")", "an operator or ')'")
        return inner
    }

    /// `negateExpr`
    private mutating func negateExpr() throws(QueryError) -> ExpressionSyntax {
        let start = offset
        try expect("-")
        let inner = try commonExpr(BinaryOperator.has.precedence)
        return try node(.negate(inner), at: start, over: inner.height)
    }

    /// `notExpr`
    private mutating func notExpr(_ name: NameSyntax) throws(QueryError) -> ExpressionSyntax {
        let inner = try commonExpr(BinaryOperator.has.precedence)
        return try node(.not(inner), at: name.offset, over: inner.height)
    }

    /// `methodCallExpr`: `contains(Name,'a')`
    private mutating func methodCallExpr(_ name: NameSyntax) throws(QueryError) -> ExpressionSyntax {
        guard !name.isQualified else { throw notImplemented("The function \(name.text)", at: name.offset) }
        try expect("(")
        skipSpace()
        var arguments: [ExpressionSyntax] = []
        if !take(")") {
            offset = name.offset + name.text.utf8.count
            arguments = try listExpr()
        }
        return try node(.call(name, arguments), at: name.offset, over: arguments.map(\.height).max() ?? 0)
    }
}
