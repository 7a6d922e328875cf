import ODataQuery

/// Keys and parameters.
///
/// [OData-ABNF, `keyPredicate`, `functionParameters`]
extension NameChecker {
    /// `simpleKey`, `compoundKey`
    func isKey(_ parentheses: ParenthesesSyntax) -> Bool {
        switch parentheses.content {
        case .empty: false
        case .single(let value): isKeyValue(value)
        case .named(let pairs):
            pairs.allSatisfy { pair in
                let name = pair.name.text
                return (names.allows(.primitiveKeyProperty, name) || names.allows(.keyPropertyAlias, name))
                    && isKeyValue(pair.value)
            }
        }
    }

    /// `keyPropertyValue` or `parameterAlias`
    func isKeyValue(_ value: ExpressionSyntax) -> Bool {
        if value.isParameterAlias { return true }
        guard case .literal(let literal) = value.kind else { return false }
        switch literal {
        case .null, .binary: return false
        default: return (try? check(value)) != nil
        }
    }

    /// `functionParameters`, `functionExprParameters`
    func areParameters(_ parentheses: ParenthesesSyntax, mayHaveExpressions: Bool) -> Bool {
        switch parentheses.content {
        case .empty: true
        case .single: false
        case .named(let arguments):
            arguments.allSatisfy { argument in
                guard names.allows(.parameterName, argument.name.text) else { return false }
                let isPlain = argument.value.isLiteral || argument.value.isParameterAlias
                return (mayHaveExpressions || isPlain) && (try? check(argument.value)) != nil
            }
        }
    }
}

extension ExpressionSyntax {
    /// `@p`
    var isParameterAlias: Bool {
        guard case .path(let path) = kind, case .alias = path.start else { return false }
        return path.segments.isEmpty
    }
}
