import Foundation

/// The words of a text, as the full-text index splits them: runs of letters and digits without case and diacritics.
struct SearchWords {
    private(set) var words: [String] = []

    init(_ text: String) {
        var word = ""
        for scalar in text.unicodeScalars {
            if scalar.isWordPart { word.unicodeScalars.append(scalar) } else { finish(&word) }
        }
        finish(&word)
    }

    private mutating func finish(_ word: inout String) {
        if !word.isEmpty { words.append(Self.folded(word)) }
        word = ""
    }

    private static func folded(_ word: String) -> String {
        let lower = word.lowercased()
        guard !lower.utf8.allSatisfy({ $0 < 0x80 }) else { return lower }
        return String(String.UnicodeScalarView(lower.unicodeScalars.flatMap { Self.base($0) }))
    }

    /// A scalar without its marks: its canonical decomposition without marks.
    private static func base(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        guard scalar.value >= 0x80 else { return [scalar] }
        if scalar.isMark { return [] }
        let decomposed = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
        return decomposed.filter { !$0.isMark }
    }

    /// Whether the words of a query follow each other here; the last word may be a prefix unless the query is a phrase.
    func contains(_ query: SearchWords, isPhrase: Bool) -> Bool {
        let wanted = query.words
        guard let last = wanted.last, wanted.count <= words.count else { return false }
        return (0...(words.count - wanted.count)).contains { start in
            let end = start + wanted.count - 1
            guard words[start..<end].elementsEqual(wanted.dropLast()) else { return false }
            return isPhrase ? words[end] == last : words[end].hasPrefix(last)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    fileprivate var isWordPart: Bool {
        guard value >= 0x80 else { return (48...57).contains(value) || (65...90).contains(value & 0xDF) }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse, .nonspacingMark, .spacingMark, .enclosingMark:
            return true
        default: return false
        }
    }
}
