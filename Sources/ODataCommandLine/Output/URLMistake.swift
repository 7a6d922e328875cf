import OData

/// What is wrong in a URL that a person has typed, and what to do: one line where there is something to say, else two
/// that show the place.
///
///     Products(P-0001)
///              ^
struct URLMistake {
    let text: String
    let error: QueryError

    /// - Parameter store: Its folder.
    func advice(store: String) -> String? {
        switch error.code {
        case .unknownName where error.expected == nil:
            "odata store read \(store) '$metadata' shows all names; they are case-sensitive."
        case .syntax: hint ?? picture
        default: picture
        }
    }

    /// The likely intention behind this input.
    private var hint: String? {
        guard !["?=", "&=", "?&"].contains(where: text.contains) else {
            return "Put the URL in single quotes, so that the shell leaves $ and spaces alone."
        }
        guard let place else { return nil }
        let rest = text.unicodeScalars[place...]
        if let (sign, word) = Self.operators.first(where: { rest.starts(with: $0.0.unicodeScalars) }), isInOption {
            return "OData writes \(word) for \(sign), with a space on each side: Name \(word) 'a'"
        }
        if rest.first == "\"" { return "Text is written in single quotes: 'a'; a single quote in it is doubled." }
        return isInOption ? nil : keyHint(rest.first)
    }

    /// Of a key, between the parentheses of a path.
    private func keyHint(_ first: Unicode.Scalar?) -> String? {
        guard let place, let first, let open = text.unicodeScalars[..<place].lastIndex(of: "(") else { return nil }
        let set = text.unicodeScalars[..<open].split(separator: "/").last.map { String($0) } ?? ""
        if first == "," { return "A key of several properties names them: \(set)(First=1,Second=2)" }
        guard first.properties.isAlphabetic, text.unicodeScalars.index(after: open) == place else { return nil }
        return "A key that is text is written in single quotes: \(set)('…')"
    }

    private static let operators = [
        ("==", "eq"), ("=", "eq"), ("!=", "ne"), ("<>", "ne"), (">=", "ge"), ("<=", "le"), (">", "gt"), ("<", "lt"),
        ("||", "or"),
    ]

    private var place: String.UnicodeScalarView.Index? {
        error.position.flatMap { text.unicodeScalars.index(text.startIndex, offsetBy: $0, limitedBy: text.endIndex) }
    }

    /// Whether the place is behind the path.
    private var isInOption: Bool { place.map { text.unicodeScalars[..<$0].contains("?") } ?? false }

    /// The text with a mark below the place, and what is wrong there.
    ///
    ///       Products?$top=x
    ///                     ^
    ///       Position 14: found 'x', expected a number.
    var explanation: String {
        let parts = [error.found.map { "found \($0)" }, error.expected.map { "expected \($0)" }].compactMap { $0 }
        let reason = parts.isEmpty ? error.message : parts.joined(separator: ", ") + "."
        let lines = [picture ?? "  \(text.singleLine)", "  Position \(error.position ?? 0): \(reason.singleLine)"]
        return lines.joined(separator: "\n")
    }

    /// The text about the place, with a mark below it.
    private var picture: String? {
        guard let place else { return nil }
        let before = String(text.unicodeScalars[..<place]).singleLine
        let start = before.count > 50 ? "…" + before.suffix(50) : before
        let rest = String(text.unicodeScalars[place...]).singleLine.fitted(to: 24)
        return "  \(start)\(rest)\n  \(String(repeating: " ", count: start.columns))^"
    }
}
