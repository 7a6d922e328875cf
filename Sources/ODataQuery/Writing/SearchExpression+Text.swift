extension SearchExpression {
    /// `bike AND ("mountain range" OR NOT road)`
    public var text: String {
        switch self {
        case .word(let word): word
        case .phrase(let phrase): Self.quoted(phrase)
        case .not(let inner): "NOT " + inner.operand
        case .and(let parts): parts.map(\.operand).joined(separator: " AND ")
        case .or(let parts): parts.map { $0.isOr ? "(\($0.text))" : $0.text }.joined(separator: " OR ")
        }
    }

    private var isOr: Bool {
        if case .or = self { true } else { false }
    }

    private var operand: String {
        switch self {
        case .and, .or: "(\(text))"
        case .word, .phrase, .not: text
        }
    }

    private static func quoted(_ phrase: String) -> String {
        var text = "\""
        for scalar in phrase.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { text.unicodeScalars.append("\\") }
            text.unicodeScalars.append(scalar)
        }
        return text + "\""
    }
}
