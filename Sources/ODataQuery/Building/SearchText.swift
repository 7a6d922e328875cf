/// Text of `$search` made of what a person typed.
///
/// [OData-URL, section 5.1.8.1: Search Expressions]
package enum SearchText {
    /// `"garden chair"`; nil where there is nothing to be found.
    ///
    /// A quotation mark, which no phrase can have, is a space.
    package static func phrase(_ typed: String) -> String? {
        let words = typed.split { $0.isWhitespace || $0 == "\"" }
        guard words.contains(where: hasLetters) else { return nil }
        return SearchExpression.phrase(words.joined(separator: " ")).text
    }

    /// `garden AND chair`, in quotes where a word has more than letters and digits, or is an operator; nil where there is
    /// nothing to be found.
    package static func words(_ typed: String) -> String? {
        let words = typed.split { $0.isWhitespace || $0 == "\"" }.filter(hasLetters).map(term)
        return words.isEmpty ? nil : SearchExpression.and(words).text
    }

    private static func term(_ word: Substring) -> SearchExpression {
        let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber } && !["AND", "OR", "NOT"].contains(word)
        return isPlain ? .word(String(word)) : .phrase(String(word))
    }

    private static func hasLetters(_ word: Substring) -> Bool { word.contains { $0.isLetter || $0.isNumber } }
}
