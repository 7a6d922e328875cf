import ODataModel

/// Expressions.
///
/// [OData-ABNF, section 4: Expressions; OData-URL, section 5.1.1.17: Operator Precedence]
extension SyntaxParser {
    /// A whole expression: nothing may follow.
    mutating func wholeExpression() throws(QueryError) -> ExpressionSyntax {
        let expression = try commonExpr()
        try expectEnd("an operator or the end")
        return expression
    }

    /// `commonExpr` and `boolCommonExpr`, with operators that bind at least as strongly as `minimum`.
    package mutating func commonExpr(_ minimum: Int = 1) throws(QueryError) -> ExpressionSyntax {
        try enter()
        defer { leave() }
        skipSpace()
        var left = try operand()
        while let (infix, start) = try infixOperator(minimum) {
            switch infix {
            case .isIn: left = try inExpr(left, at: start)
            case .binary(let operation) where operation.isLogical:
                left = try logicalExpr(operation, first: left, at: start)
            case .binary(let operation):
                let right = try commonExpr(operation.precedence + 1)
                left = try node(.binary(operation, left, right), at: start, over: max(left.height, right.height))
            }
        }
        return left
    }

    /// `andExpr`, `orExpr`: the whole chain of one operator.
    private mutating func logicalExpr(
        _ operation: BinaryOperator, first: ExpressionSyntax, at start: Int
    ) throws(QueryError) -> ExpressionSyntax {
        var terms: [ExpressionSyntax] = []
        terms.reserveCapacity(LogicalChain.longest)
        terms.append(first)
        var height = first.height
        repeat {
            try tally()
            let term = try commonExpr(operation.precedence + 1)
            height = max(height, term.height)
            terms.append(term)
        } while try takeOperator(operation)
        let levels = terms.count <= LogicalChain.longest ? terms.count : Int.bitWidth - terms.count.leadingZeroBitCount
        return try node(.logical(operation, terms), at: start, over: height + levels)
    }

    /// `inExpr`: a list of literals, or one expression.
    private mutating func inExpr(_ left: ExpressionSyntax, at start: Int) throws(QueryError) -> ExpressionSyntax {
        skipSpace()
        guard isNext("(") else {
            let right = try commonExpr(BinaryOperator.has.precedence + 1)
            return try node(.inCollection(left, right), at: start, over: max(left.height, right.height))
        }
        let items = try listExpr()
        if let item = items.first, items.count == 1, !item.isLiteral {
            return try node(.inCollection(left, item), at: start, over: max(left.height, item.height))
        }
        return try node(.inList(left, items), at: start, over: left.height)
    }

    /// `listExpr`: `(1,2)`; or one expression in parentheses.
    package mutating func listExpr() throws(QueryError) -> [ExpressionSyntax] {
        try expect("(")
        skipSpace()
        var items: [ExpressionSyntax] = []
        guard !consume(")") else { return items }
        try commaList { parser throws(QueryError) in
            let item = try parser.commonExpr()
            if let first = items.first, !(first.isLiteral && item.isLiteral) {
                let other = first.isLiteral ? item : first
                throw parser.error(
                    .syntax, "A list in parentheses holds literals only.", at: other.offset,
                    expected: "a literal; expressions stand in a list such as [Name,Title]")
            }
            items.append(item)
        }
        return items
    }

    // MARK: Operators

    private enum Infix {
        case binary(BinaryOperator)
        case isIn

        var precedence: Int {
            switch self {
            case .binary(let operation): operation.precedence
            case .isIn: BinaryOperator.has.precedence
            }
        }
    }

    /// The letters of each operator as a number; so few are found sooner one by one than by a hash.
    private static let infixes: [(word: UInt64, infix: Infix)] = {
        let operators: [BinaryOperator] = [
            .eq, .and, .or, .gt, .ge, .lt, .le, .ne, .has, .add, .sub, .mul, .div, .divby, .mod,
        ]
        let named = operators.map { ($0.rawValue, Infix.binary($0)) } + [("in", .isIn)]
        return named.map { (packed($0.0.utf8) | 0x2020_2020_2020_2020, $0.1) }
    }()

    private static func infix(_ word: UInt64) -> Infix? { infixes.first { $0.word == word }?.infix }

    /// Takes the next operator, if it binds at least as strongly as `minimum`.
    private mutating func infixOperator(_ minimum: Int) throws(QueryError) -> (Infix, offset: Int)? {
        let saved = offset
        guard skipSpace() || (!isStrict && offset > 0 && source.text[offset - 1] == UInt8(ascii: ")")) else {
            return nil
        }
        let start = offset
        let stop = identifierEnd(from: start)
        guard let infix = Self.infix(word(start..<stop) | 0x2020_2020_2020_2020), infix.precedence >= minimum else {
            offset = saved
            return nil
        }
        offset = stop
        guard skipSpace() || (!isStrict && isNext("(")) else { throw unexpected("white space after the operator") }
        return (infix, start)
    }

    private mutating func takeOperator(_ wanted: BinaryOperator) throws(QueryError) -> Bool {
        let saved = offset
        if let (infix, _) = try infixOperator(wanted.precedence), case .binary(wanted) = infix { return true }
        offset = saved
        return false
    }

    // MARK: Nodes

    package func node(
        _ kind: consuming ExpressionSyntax.Kind, at start: Int, over height: Int
    ) throws(QueryError) -> ExpressionSyntax {
        guard height < limits.depth else {
            throw error(.limitExceeded, "The expression is more than \(limits.depth) levels deep.", at: start)
        }
        return ExpressionSyntax(kind: kind, offset: start, height: height + 1)
    }
}

extension ExpressionSyntax {
    package var isLiteral: Bool {
        switch kind {
        case .literal, .geo: true
        default: false
        }
    }
}
