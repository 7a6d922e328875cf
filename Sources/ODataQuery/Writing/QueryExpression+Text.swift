import ODataModel

extension QueryExpression {
    /// The expression as V4 text, not percent-encoded, with no more parentheses than needed.
    public var text: String { text(isNested: false) }

    /// - Parameter isNested: whether it is in options inside others, where `$it` is not its own instance.
    func text(isNested: Bool) -> String {
        var writer = ExpressionWriter(isNested: isNested)
        return writer.text(self)
    }
}

/// Writes expressions. Parsing what it writes gives the same expression.
struct ExpressionWriter {
    /// How strongly things bind: twice the precedence of operators, with `not` and `-` between `mul` and `has`.
    private static let unary = membership - 1
    private static let membership = 2 * BinaryOperator.has.precedence
    private static let primary = membership + 2
    /// The lambda variables around what is written.
    private var variables: [String] = []
    private var isNested: Bool

    init(isNested: Bool) {
        self.isNested = isNested
    }

    mutating func text(_ expression: QueryExpression) -> String {
        switch expression {
        case .literal(let value, let type): value.expressionLiteral(type)
        case .path(let path): text(path)
        case .not(let inner): "not " + operand(inner, Self.primary)
        case .negate(let inner): negated(inner)
        case .binary(let operation, let left, let right): text(operation, left, right)
        case .inList(let left, let items): operand(left, Self.membership) + " in " + list(items)
        case .call(let function, let arguments): function.rawValue + "(" + joined(arguments) + ")"
        case .lambda(let operation, let path, let variable, let predicate):
            lambda(operation, path, variable, predicate)
        case .count(let path, let filter, let search): count(path, filter, search)
        case .conditional(let branches):
            "case(" + branches.map { text($0.condition) + ":" + text($0.value) }.joined(separator: ",") + ")"
        case .cast(let inner, let type): "cast(" + (inner.map { text($0) + "," } ?? "") + "\(type))"
        case .isOf(let inner, let type): "isof(" + (inner.map { text($0) + "," } ?? "") + "\(type))"
        case .operation(let call, let subject): (subject.map { text($0) + "/" } ?? "") + text(call)
        case .root(let path): "$root/" + path.text
        case .member(let inner, let steps): member(inner, steps)
        case .list(let items): "[" + joined(items) + "]"
        case .object(let members, let type): object(members, type)
        case .isDefined(let path): "isdefined(" + text(path) + ")"
        case .aggregate(let path, let item): text(path) + "/aggregate(" + inner { $0.text(item) } + ")"
        case .hierarchy(let test): text(test)
        }
    }

    private mutating func object(_ members: [QueryExpression.ObjectMember], _ type: EdmTypeReference) -> String {
        let typed = type == .untyped ? [] : ["\"@type\":\"#\(type)\""]
        let parts = members.map { member in
            String(decoding: EdmValue.string(member.name).jsonText, as: UTF8.self) + ":" + text(member.value)
        }
        return "{" + (typed + parts).joined(separator: ",") + "}"
    }

    private mutating func joined(_ expressions: [QueryExpression]) -> String {
        expressions.map { text($0) }.joined(separator: ",")
    }

    /// `('a','b')`, or the one collection.
    private mutating func list(_ items: [QueryExpression]) -> String {
        if items.count == 1, let only = items.first, !only.isLiteral, only.type?.isCollection == true {
            return text(only)
        }
        return "(" + joined(items) + ")"
    }

    // MARK: Operators

    private mutating func text(_ operation: BinaryOperator, _ left: QueryExpression, _ right: QueryExpression) -> String
    {
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
    private static func isChain(_ expression: QueryExpression, _ operation: BinaryOperator) -> Bool {
        guard operation.isLogical, case .binary(operation, _, _) = expression else { return false }
        return true
    }

    /// A whole decimal beside an integer needs its point: `Quantity div 2.0`.
    private func exact(_ expression: QueryExpression, beside other: QueryExpression) -> String? {
        guard case .literal(.decimal(let value), _) = expression, value.exponent >= 0 else { return nil }
        guard other.isLiteral || other.type?.primitive?.integerRange != nil else { return nil }
        return value.description + ".0"
    }

    private mutating func negated(_ inner: QueryExpression) -> String {
        if case .literal = inner { return "-(\(text(inner)))" }
        return "-" + operand(inner, Self.unary)
    }

    private mutating func operand(_ expression: QueryExpression, _ level: Int) -> String {
        let text = text(expression)
        return Self.level(of: expression) < level ? "(\(text))" : text
    }

    private static func level(of expression: QueryExpression) -> Int {
        switch expression {
        case .binary(let operation, _, _): 2 * operation.precedence
        case .inList: membership
        case .not, .negate: unary
        default: primary
        }
    }
}

// MARK: Paths

extension ExpressionWriter {
    private mutating func lambda(
        _ operation: LambdaOperator, _ path: PropertyPath, _ variable: String, _ predicate: QueryExpression?
    ) -> String {
        let start = text(path) + "/" + operation.rawValue
        guard let predicate else { return start + "()" }
        variables.append(variable)
        defer { variables.removeLast() }
        return start + "(\(variable):\(text(predicate)))"
    }

    private mutating func count(
        _ path: PropertyPath, _ filter: QueryExpression?, _ search: SearchExpression?
    ) -> String {
        let options = [filter.map { "$filter=" + predicate($0) }, search.map { "$search=" + $0.text }].compactMap(
            \.self)
        return text(path) + "/$count" + (options.isEmpty ? "" : "(" + options.joined(separator: ";") + ")")
    }

    /// An expression about the members of a collection.
    private mutating func predicate(_ expression: QueryExpression) -> String { inner { $0.text(expression) } }

    /// What is written about the members of a collection.
    private mutating func inner(_ write: (inout ExpressionWriter) -> String) -> String {
        let outer = isNested
        isNested = true
        defer { isNested = outer }
        return write(&self)
    }

    mutating func text(_ path: PropertyPath) -> String {
        var names: [String] = []
        for step in path.steps { append(step, to: &names) }
        switch path.variable {
        case .lambda(let name): names.insert(name, at: 0)
        case .resource: names.insert("$it", at: 0)
        case .these: names.insert("$these", at: 0)
        case .rollupNode(let position): names.insert(RecursiveRollup.text(ofNode: position), at: 0)
        case .it:
            let isHidden = names.first.map { variables.contains($0) } ?? true
            if isHidden { names.insert(isNested ? "$this" : "$it", at: 0) }
        }
        return names.joined(separator: "/")
    }

    private mutating func member(_ inner: QueryExpression, _ steps: [PropertyPath.Step]) -> String {
        var names = [text(inner)]
        for step in steps { append(step, to: &names) }
        return names.joined(separator: "/")
    }

    private mutating func append(_ step: PropertyPath.Step, to names: inout [String]) {
        if case .key(let key) = step, let last = names.popLast() {
            names.append(last + key.text)
        } else {
            names.append(text(step))
        }
    }

    mutating func text(_ step: PropertyPath.Step) -> String {
        switch step {
        case .navigation(let navigation, _, _): navigation.name
        case .property(let property): property.name
        case .cast(let type): "\(type.name)"
        case .key(let key): key.text
        case .filter(let condition): "$filter(" + predicate(condition) + ")"
        case .annotation(let name): name
        }
    }

    /// `Model.Top(count=3)`
    mutating func text(_ call: OperationCall) -> String {
        let name = call.importName ?? "\(call.operation.name)"
        guard call.operation.kind == .function else { return name }
        return name + "(" + call.arguments.map { "\($0.name)=\(text($0.value))" }.joined(separator: ",") + ")"
    }
}

extension PropertyPath.Step {
    /// `Name`, `Model.Manager`
    var text: String {
        var writer = ExpressionWriter(isNested: true)
        return writer.text(self)
    }
}

extension PropertyPath {
    var text: String {
        var writer = ExpressionWriter(isNested: false)
        return writer.text(self)
    }
}

extension OperationCall {
    var text: String {
        var writer = ExpressionWriter(isNested: false)
        return writer.text(self)
    }
}
