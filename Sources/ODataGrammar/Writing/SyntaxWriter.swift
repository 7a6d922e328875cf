import ODataModel
import ODataQuery

/// Writes a syntax tree as canonical V4 text, not percent-encoded. Reading what it writes gives an equal tree.
struct SyntaxWriter {
    /// How strongly things bind: twice the precedence of operators, with `not` and `-` between `mul` and `has`.
    private static let membership = 2 * BinaryOperator.has.precedence
    private static let unary = membership - 1
    private static let primary = membership + 2

    // MARK: Expressions

    func text(_ expression: ExpressionSyntax) -> String {
        switch expression.kind {
        case .literal(let value): text(value)
        case .geo(let literal): literal.text
        case .path(let path): text(path)
        case .not(let inner): "not " + operand(inner, Self.unary)
        case .negate(let inner): inner.isLiteral ? "-(\(text(inner)))" : "-" + operand(inner, Self.unary)
        case .logical(let operation, let terms):
            terms.map { operand($0, 2 * operation.precedence + 1) }.joined(separator: " \(operation.rawValue) ")
        case .binary(let operation, let left, let right):
            operand(left, 2 * operation.precedence) + " \(operation.rawValue) "
                + operand(right, 2 * operation.precedence + 1)
        case .inList(let left, let items): operand(left, Self.membership) + " in (" + list(items) + ")"
        case .inCollection(let left, let right): operand(left, Self.membership) + " in " + collection(right)
        case .call(let name, let arguments): name.text + "(" + list(arguments) + ")"
        case .conditional(let branches):
            "case(" + branches.map { text($0.condition) + ":" + text($0.value) }.joined(separator: ",") + ")"
        case .cast(let inner, let type): "cast(" + (inner.map { text($0) + "," } ?? "") + text(type) + ")"
        case .isOf(let inner, let type): "isof(" + (inner.map { text($0) + "," } ?? "") + text(type) + ")"
        case .isDefined(let path): "isdefined(" + text(path) + ")"
        case .array(let items): "[" + items.map { json($0) }.joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { quotedJSON($0.name.text) + ":" + json($0.value) }.joined(separator: ",") + "}"
        }
    }

    private func list(_ items: [ExpressionSyntax]) -> String { items.map { text($0) }.joined(separator: ",") }

    private func operand(_ expression: ExpressionSyntax, _ level: Int) -> String {
        let text = text(expression)
        return Self.level(of: expression) < level ? "(\(text))" : text
    }

    /// The right side of `in`: a literal in parentheses would be a list.
    private func collection(_ expression: ExpressionSyntax) -> String {
        expression.isLiteral ? text(expression) : operand(expression, Self.primary)
    }

    private static func level(of expression: ExpressionSyntax) -> Int {
        switch expression.kind {
        case .binary(let operation, _, _), .logical(let operation, _): 2 * operation.precedence
        case .inList, .inCollection: membership
        case .not, .negate: unary
        default: primary
        }
    }

    // MARK: Literals

    func text(_ value: EdmValue) -> String {
        guard case .decimal(let number) = value, number.exponent >= 0 else { return value.urlLiteral }
        return number.description + ".0"
    }

    func text(_ type: TypeNameSyntax) -> String { type.isCollection ? "Collection(\(type.name.text))" : type.name.text }

    /// A value inside JSON, or of a parameter: strings in double quotes.
    func json(_ expression: ExpressionSyntax) -> String {
        guard case .literal(.string(let string)) = expression.kind else { return text(expression) }
        return quotedJSON(string)
    }

    func quotedJSON(_ string: String) -> String { "\"" + string.unicodeScalars.map(Self.escaped).joined() + "\"" }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case _ where scalar.value < 0x20: "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
        default: String(Character(scalar))
        }
    }
}
