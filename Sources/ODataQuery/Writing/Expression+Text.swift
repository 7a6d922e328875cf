import ODataModel

extension Expression {
    /// The expression as V4 text, not percent-encoded, with no more parentheses than needed.
    public var text: String {
        var writer = ExpressionWriter()
        return writer.text(self)
    }
}

/// Writes expressions. Parsing what it writes gives the same expression.
private struct ExpressionWriter {
    /// How strongly things bind: twice the precedence of operators, with `not` and `-` between `mul` and `has`.
    private static let unary = membership - 1
    private static let membership = 2 * BinaryOperator.has.precedence
    private static let primary = membership + 2
    /// The lambda variables around what is written.
    private var variables: [String] = []

    mutating func text(_ expression: Expression) -> String {
        switch expression {
        case .literal(let value, _): value.urlLiteral
        case .path(let path): text(path)
        case .not(let inner): "not " + operand(inner, Self.primary)
        case .negate(let inner): negated(inner)
        case .binary(let operation, let left, let right): text(operation, left, right)
        case .inList(let left, let items):
            operand(left, Self.membership) + " in (" + items.map { text($0) }.joined(separator: ",") + ")"
        case .call(let function, let arguments):
            function.rawValue + "(" + arguments.map { text($0) }.joined(separator: ",") + ")"
        case .lambda(let operation, let path, let variable, let predicate):
            lambda(operation, path, variable, predicate)
        case .count(let path, let filter, _):
            text(path) + "/$count" + (filter.map { "($filter=\(text($0)))" } ?? "")
        case .conditional(let branches):
            "case(" + branches.map { text($0.condition) + ":" + text($0.value) }.joined(separator: ",") + ")"
        case .cast(let inner, let type): "cast(" + (inner.map { text($0) + "," } ?? "") + "\(type))"
        case .isOf(let inner, let type): "isof(" + (inner.map { text($0) + "," } ?? "") + "\(type))"
        case .operation(let call, let subject): (subject.map { text($0) + "/" } ?? "") + call.text
        case .root(let path): "$root/" + path.url
        case .member(let inner, let steps): ([text(inner)] + steps.map(\.text)).joined(separator: "/")
        case .list(let items): "[" + items.map { text($0) }.joined(separator: ",") + "]"
        }
    }

    private mutating func text(_ operation: BinaryOperator, _ left: Expression, _ right: Expression) -> String {
        let level = 2 * operation.precedence
        var sides = (
            operand(left, level), operand(right, Self.isChain(right, operation) ? level : level + 1)
        )
        if operation.isArithmetic {
            sides.0 = exact(left, beside: right) ?? sides.0
            sides.1 = exact(right, beside: left) ?? sides.1
        }
        return "\(sides.0) \(operation.rawValue) \(sides.1)"
    }

    /// `a or (b or c)` is read as the same as `a or b or c`.
    private static func isChain(_ expression: Expression, _ operation: BinaryOperator) -> Bool {
        guard operation.isLogical, case .binary(operation, _, _) = expression else { return false }
        return true
    }

    /// A whole decimal beside an integer needs its point: `Quantity div 2.0`.
    private func exact(_ expression: Expression, beside other: Expression) -> String? {
        guard case .literal(.decimal(let value), _) = expression, value.exponent >= 0 else { return nil }
        guard other.isLiteral || other.type?.primitive?.integerRange != nil else { return nil }
        return value.description + ".0"
    }

    private mutating func negated(_ inner: Expression) -> String {
        if case .literal = inner { return "-(\(text(inner)))" }
        return "-" + operand(inner, Self.unary)
    }

    private mutating func operand(_ expression: Expression, _ level: Int) -> String {
        let text = text(expression)
        return Self.level(of: expression) < level ? "(\(text))" : text
    }

    private static func level(of expression: Expression) -> Int {
        switch expression {
        case .binary(let operation, _, _): 2 * operation.precedence
        case .inList: membership
        case .not, .negate: unary
        default: primary
        }
    }

    // MARK: Paths

    private mutating func lambda(
        _ operation: LambdaOperator, _ path: PropertyPath, _ variable: String, _ predicate: Expression?
    ) -> String {
        let start = text(path) + "/" + operation.rawValue
        guard let predicate else { return start + "()" }
        variables.append(variable)
        defer { variables.removeLast() }
        return start + "(\(variable):\(text(predicate)))"
    }

    private func text(_ path: PropertyPath) -> String {
        var names = path.steps.map(\.text)
        switch path.variable {
        case .lambda(let name): names.insert(name, at: 0)
        case .this: names.insert("$this", at: 0)
        case .it:
            let isHidden = names.first.map { variables.contains($0) } ?? true
            if isHidden { names.insert("$it", at: 0) }
        }
        return names.joined(separator: "/")
    }
}
