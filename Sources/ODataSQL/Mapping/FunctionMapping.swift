import ODataModel

/// The SQL of a function of the model, so that expressions can call it: `round({amount} * 1.19, 2)`.
package struct FunctionMapping: Sendable {
    /// An SQL expression with the parameter names in braces. The first parameter of a bound function is the binding
    /// parameter: for an entity its row id, or the first property of its key.
    package var expression: String
    /// The codec of the result.
    package var codec: ColumnCodec

    package init(expression: String, codec: ColumnCodec) {
        self.expression = expression
        self.codec = codec
    }

    /// The expression with values in place of the parameters; null for omitted parameters.
    func fragment(with values: [String: SQLFragment]) -> SQLFragment {
        var result: SQLFragment = "("
        var rest = expression[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            result += SQLFragment(raw: String(rest[..<start]))
            result += values[String(rest[rest.index(after: start)..<end])] ?? "NULL"
            rest = rest[rest.index(after: end)...]
        }
        return result + SQLFragment(raw: String(rest)) + ")"
    }
}

/// The SQL of a function that is bound to an entity and reads its row, not its properties.
package struct RowFunction: Sendable {
    /// A condition about ``SQLFragment/row``.
    package var condition: SQLFragment
    /// Whether the result is false, and not null, if there is no entity.
    package var isFalseOfNothing: Bool

    package init(condition: SQLFragment, isFalseOfNothing: Bool = false) {
        self.condition = condition
        self.isFalseOfNothing = isFalseOfNothing
    }

    /// The value for the row of `scope`.
    func term(_ scope: TableScope, type: EdmTypeReference?) -> Term {
        Term(scope.value(condition).parenthesised, .boolean, type: type)
    }
}
