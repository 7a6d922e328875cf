import ODataModel

/// `$search`
extension SyntaxWriter {
    func text(_ search: OptionsSyntax.Search) -> String {
        switch search {
        case .expression(let expression): text(expression, isInside: false)
        case .incomplete(let typed): text(.string(typed))
        }
    }

    private func text(_ search: SearchExpression, isInside: Bool) -> String {
        switch search {
        // Inside of parentheses a semicolon would end the option.
        case .word(let word) where word.utf8.contains(UInt8(ascii: ";")): "\"\(word)\""
        case .word(let word): isInside && ["AND", "OR", "NOT"].contains(word) ? "(\(word))" : word
        case .phrase(let phrase): "\"\(phrase)\""
        case .not(let inner): "NOT " + term(inner)
        case .and(let terms): terms.map { term($0) }.joined(separator: " AND ")
        case .or(let terms):
            terms.map { inner in
                if case .or = inner { return "(" + text(inner, isInside: true) + ")" }
                return text(inner, isInside: true)
            }.joined(separator: " OR ")
        }
    }

    private func term(_ search: SearchExpression) -> String {
        let text = text(search, isInside: true)
        switch search {
        case .and, .or: return "(\(text))"
        default: return text
        }
    }
}
