import ODataModel

extension SearchExpression {
    /// `bike AND ("mountain range" OR NOT road)`
    public var text: String { text(isInside: false) }

    private func text(isInside: Bool) -> String {
        switch self {
        // Inside of parentheses a semicolon would end the option.
        case .word(let word) where word.utf8.contains(UInt8(ascii: ";")): "\"\(word)\""
        case .word(let word): isInside && ["AND", "OR", "NOT"].contains(word) ? "(\(word))" : word
        case .phrase(let phrase): "\"\(phrase)\""
        case .not(let inner): "NOT " + inner.term
        case .and(let terms): terms.map(\.term).joined(separator: " AND ")
        case .or(let terms):
            terms.map { inner in
                if case .or = inner { return "(" + inner.text(isInside: true) + ")" }
                return inner.text(isInside: true)
            }.joined(separator: " OR ")
        }
    }

    private var term: String {
        let text = text(isInside: true)
        switch self {
        case .and, .or: return "(\(text))"
        default: return text
        }
    }
}
