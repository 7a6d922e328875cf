import ODataModel

/// SQL for a function of the model, so that expressions can call it: `round({amount} * 1.19, 2)`.
package struct FunctionMapping: Sendable {
    /// An SQL expression, with the names of the parameters in braces; for bound functions the first one is what the
    /// function is bound to: of an entity its row id, or the first property of its key.
    package var expression: String
    /// The form of what it gives.
    package var codec: ColumnCodec

    package init(expression: String, codec: ColumnCodec) {
        self.expression = expression
        self.codec = codec
    }

    /// The expression with values in the place of the parameters; null for those that were not given.
    func fragment(with values: [String: SQLFragment]) -> SQLFragment {
        var result: SQLFragment = "("
        var rest = expression[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            result += SQLFragment(String(rest[..<start]))
            result += values[String(rest[rest.index(after: start)..<end])] ?? "NULL"
            rest = rest[rest.index(after: end)...]
        }
        return result + SQLFragment(String(rest)) + ")"
    }
}

/// SQL for a function of the model that is bound to an entity and asks about its row, not about its properties.
package struct RowFunction: Sendable {
    /// A condition in which `{row}` stands for the quoted alias.
    package var condition: String
    /// Whether the function is false where there is no entity; else it is null there.
    package var isFalseOfNothing: Bool

    package init(condition: String, isFalseOfNothing: Bool = false) {
        self.condition = condition
        self.isFalseOfNothing = isFalseOfNothing
    }

    /// The value for the row under `alias`.
    func term(_ alias: String, type: EdmTypeReference?) -> Term {
        let sql = SQLFragment(RowSource.expand(condition, row: alias)).parenthesised
        return Term(sql, .boolean, type: type)
    }
}
