import ODataModel

/// Expressions.
///
/// [OData-ABNF, section 4: Expressions; OData-URL, section 5.1.1.16: Operator Precedence]
extension SyntaxParser {
    /// A whole expression: nothing may follow.
    mutating func wholeExpression() throws(QueryError) -> ExpressionSyntax {
        let expression = try commonExpr()
        try expectEnd("an operator or the end")
        return expression
    }

    /// `commonExpr` and `boolCommonExpr`, with operators that bind at least as strongly as `minimum`.
    mutating func commonExpr(_ minimum: Int = 1) throws(QueryError) -> ExpressionSyntax {
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
        var terms = [first]
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

    /// `inExpr`
    private mutating func inExpr(_ left: ExpressionSyntax, at start: Int) throws(QueryError) -> ExpressionSyntax {
        skipSpace()
        guard isNext("(") else { throw notImplemented("The operator in with anything but a list", at: offset) }
        let items = try listExpr()
        return try node(.inList(left, items), at: start, over: max(left.height, items.map(\.height).max() ?? 0))
    }

    /// `listExpr`: `(1,2)`
    private mutating func listExpr() throws(QueryError) -> [ExpressionSyntax] {
        try expect("(")
        skipSpace()
        var items: [ExpressionSyntax] = []
        repeat {
            try tally()
            items.append(try commonExpr())
        } while takeComma()
        skipSpace()
        try expect(")", "',' or ')'")
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

    private static let infixes: [UInt64: Infix] = {
        let operators: [BinaryOperator] = [.or, .and, .eq, .ne, .lt, .le, .gt, .ge, .has, .add, .sub, .mul, .div]
        let named = (operators + [.divby, .mod]).map { ($0.rawValue, Infix.binary($0)) } + [("in", .isIn)]
        return Dictionary(named.map { (packed($0.0.utf8) | 0x2020_2020_2020_2020, $0.1) }) { first, _ in first }
    }()

    /// Takes the operator that comes next, if it binds at least as strongly as `minimum`.
    private mutating func infixOperator(_ minimum: Int) throws(QueryError) -> (Infix, offset: Int)? {
        let saved = offset
        guard skipSpace() || source.text[offset - 1] == UInt8(ascii: ")") else { return nil }
        let start = offset
        let stop = identifierEnd(from: start)
        guard let infix = Self.infixes[word(start..<stop) | 0x2020_2020_2020_2020], infix.precedence >= minimum else {
            offset = saved
            return nil
        }
        offset = stop
        guard skipSpace() || isNext("(") else { throw unexpected("white space after the operator") }
        return (infix, start)
    }

    private mutating func takeOperator(_ wanted: BinaryOperator) throws(QueryError) -> Bool {
        let saved = offset
        if let (infix, _) = try infixOperator(wanted.precedence), case .binary(wanted) = infix { return true }
        offset = saved
        return false
    }

    // MARK: Operands

    private mutating func operand() throws(QueryError) -> ExpressionSyntax {
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

    /// `implicitVariableExpr`: `$it/Name`
    private mutating func implicitVariableExpr() throws(QueryError) -> ExpressionSyntax {
        let name = systemName()
        guard name.text == "$it" else { throw notImplemented(name.text, at: name.offset) }
        return try memberExpr(name)
    }

    /// `memberExpr`, `firstMemberExpr`: a path with what may end it.
    private mutating func memberExpr(_ first: NameSyntax) throws(QueryError) -> ExpressionSyntax {
        var member = MemberSyntax(names: [first])
        var height = 1
        while member.suffix == nil, take("/") {
            try tally()
            guard !isNext("$") else {
                member.suffix = try countSuffix()
                continue
            }
            guard !isNext("@") else { throw notImplemented("An annotation in a path", at: offset) }
            let name = try name("a property")
            if isNext("(") {
                let lambda = try lambdaExpr(name)
                member.suffix = lambda.suffix
                height += lambda.height
            } else {
                member.names.append(name)
            }
        }
        guard member.names.count <= limits.depth else {
            throw error(.limitExceeded, "The path has more than \(limits.depth) steps.", at: first.offset)
        }
        return try node(.member(member), at: first.offset, over: height - 1)
    }

    /// `/$count`
    private mutating func countSuffix() throws(QueryError) -> MemberSyntax.Suffix {
        let name = systemName()
        guard name.text.lowercased() == "$count" else {
            throw notImplemented("The path segment \(name.text)", at: name.offset)
        }
        guard !isNext("(") else { throw notImplemented("The segment $count with options", at: name.offset) }
        return .count
    }

    /// `anyExpr`, `allExpr`: `any(i:i/Quantity gt 5)`
    private mutating func lambdaExpr(
        _ name: NameSyntax
    ) throws(QueryError) -> (suffix: MemberSyntax.Suffix, height: Int) {
        guard let operation = LambdaOperator(rawValue: name.text.lowercased()) else {
            throw notImplemented("The function or key \(name.text)(…) in a path", at: name.offset)
        }
        try expect("(")
        skipSpace()
        if operation == .any, take(")") { return (.lambda(.any, variable: nil, predicate: nil), 1) }
        let variable = try self.name("a variable, as in \(name.text)(x:x/Name eq 'a')")
        skipSpace()
        try expect(":")
        let predicate = try commonExpr()
        skipSpace()
        try expect(")", "an operator or ')'")
        return (.lambda(operation, variable: variable, predicate: predicate), predicate.height + 1)
    }

    private func node(
        _ kind: ExpressionSyntax.Kind, at start: Int, over height: Int
    ) throws(QueryError) -> ExpressionSyntax {
        guard height < limits.depth else {
            throw error(.limitExceeded, "The expression is more than \(limits.depth) levels deep.", at: start)
        }
        return ExpressionSyntax(kind: kind, offset: start, height: height + 1)
    }
}
