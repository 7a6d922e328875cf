import ODataModel

/// What is between operators.
///
/// [OData-ABNF, section 4: Expressions]
extension SyntaxParser {
    package mutating func operand() throws(QueryError) -> ExpressionSyntax {
        try tally()
        let start = offset
        if isNext("(") { return try parenExpr() }
        let stop = nameEnd(from: start)
        if let literal = try literalExpr(nameEnd: stop) { return literal }
        guard let byte = peek() else { throw unexpected("an expression") }
        switch byte {
        case UInt8(ascii: "-"): return try negateExpr()
        case UInt8(ascii: "$"): return try implicitVariableExpr()
        case UInt8(ascii: "@"): return try aliasExpr()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "{"): return try object()
        default: break
        }
        guard stop > start else { throw unexpected("an expression") }
        if stop - start == 3, isNot(start) {
            offset = stop
            if isSpaceNext || (isNext("(") && !isStrict) { return try notExpr(at: start) }
            offset = start
        }
        guard stop < end, source.text[stop] == UInt8(ascii: "(") else {
            offset = stop
            let name = NameSyntax(text: source.string(start..<stop), offset: start)
            return try path(.relative, from: [SegmentSyntax(name: name, kind: .name)], at: start)
        }
        if let call = try methodCallExpr(start..<stop) { return call }
        return try firstMemberExpr()
    }

    /// A literal; nil (and nothing taken) if there is something else.
    ///
    /// - Parameter nameEnd: where the name that is next ends, if it is known already.
    package mutating func literalExpr(nameEnd: Int? = nil) throws(QueryError) -> ExpressionSyntax? {
        let start = offset
        if let value = try literal(nameEnd: nameEnd) {
            return ExpressionSyntax(kind: .literal(value), offset: start, height: 1)
        }
        if let geo = try geoLiteral() { return ExpressionSyntax(kind: .geo(geo), offset: start, height: 1) }
        return nil
    }

    private func isNot(_ start: Int) -> Bool {
        source.text[start] | 0x20 == UInt8(ascii: "n") && source.text[start + 1] | 0x20 == UInt8(ascii: "o")
            && source.text[start + 2] | 0x20 == UInt8(ascii: "t")
    }

    /// `parenExpr`
    private mutating func parenExpr() throws(QueryError) -> ExpressionSyntax {
        try expect("(")
        skipSpace()
        let inner = try commonExpr()
        skipSpace()
        try expect(")", "an operator or ')'")
        return inner
    }

    /// `negateExpr`
    private mutating func negateExpr() throws(QueryError) -> ExpressionSyntax {
        let start = offset
        try expect("-")
        skipSpace()
        let inner = try commonExpr(BinaryOperator.has.precedence)
        return try node(.negate(inner), at: start, over: inner.height)
    }

    /// `notExpr`
    private mutating func notExpr(at start: Int) throws(QueryError) -> ExpressionSyntax {
        skipSpace()
        let inner = try commonExpr(BinaryOperator.has.precedence)
        return try node(.not(inner), at: start, over: inner.height)
    }
}
