extension StringProtocol {
    /// How many columns of a terminal the text takes.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The text in at most as many columns, with an ellipsis where something was left out.
    func fitted(to limit: Int) -> String {
        guard columns > limit else { return String(self) }
        return limit > 0 ? prefix(within: limit - 1) + "…" : ""
    }

    /// The text in at most as many columns, with an ellipsis in its middle where something was left out.
    func fittedAtEnds(to limit: Int) -> String {
        guard columns > limit, limit > 2 else { return fitted(to: limit) }
        let tail = String(String(reversed()).prefix(within: (limit - 1) / 2).reversed())
        return prefix(within: limit - 1 - tail.columns) + "…" + tail
    }

    /// As many of the first characters as have room in as many columns.
    private func prefix(within limit: Int) -> String {
        var (taken, text) = (0, "")
        for character in self {
            taken += character.columns
            guard taken <= limit else { break }
            text.append(character)
        }
        return text
    }

    /// The text in lines of at most as many columns, broken at spaces where there are any.
    func wrapped(to limit: Int) -> [String] {
        var lines = [""]
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            let line = lines[lines.count - 1]
            if line.columns + 1 + word.columns <= limit, !line.isEmpty {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                let pieces = word.pieces(of: limit)
                lines = (line.isEmpty ? lines.dropLast() : lines) + pieces
            }
        }
        return lines
    }

    /// Without regard to spaces. A character that has no room in any line is an ellipsis.
    private func pieces(of limit: Int) -> [String] {
        var pieces = [""]
        for character in self {
            let text = character.columns > limit ? "…" : String(character)
            let last = pieces[pieces.count - 1]
            if last.columns + text.columns <= limit {
                pieces[pieces.count - 1] = last + text
            } else {
                pieces.append(text)
            }
        }
        return pieces
    }

    /// The text with spaces behind it, up to as many columns.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - columns)) }

    /// The text without the spaces at its end.
    var withoutTrailingSpaces: String {
        var end = endIndex
        while end > startIndex, self[index(before: end)] == " " { end = index(before: end) }
        return String(self[..<end])
    }

    /// The text in one line, with a space for each tab, line end and character that could steer a terminal: outside data
    /// must not.
    var singleLine: String { spaced { $0.steersTerminals || $0.endsLine } }

    /// What a service says, in one line of at most 300 columns: an error message has one line, and one with advice.
    var brief: String { singleLine.fitted(to: 300) }

    /// The text without characters that could steer a terminal; line ends and tabs stay.
    var withoutControls: String { spaced { $0.steersTerminals && $0 != "\n" && $0 != "\t" } }

    /// Replaces each control scalar by a space; a carriage return and line feed are one line feed. Scalars, since a
    /// character may be a control and what combines with it.
    private func spaced(_ goes: (Unicode.Scalar) -> Bool) -> String {
        var (text, last) = (String.UnicodeScalarView(), Unicode.Scalar(0))
        for scalar in unicodeScalars {
            if scalar == "\n", last == "\r" { text.removeLast() }
            text.append(goes(scalar) ? " " : scalar)
            last = scalar
        }
        return String(text)
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character (C0, DEL, C1), or turns the direction of the text around it.
    /// [Unicode Standard Annex 9, sections 2.1 to 2.5]
    fileprivate var steersTerminals: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    fileprivate var endsLine: Bool {
        properties.generalCategory == .lineSeparator || properties.generalCategory == .paragraphSeparator
    }

    /// None for what combines with the one before it, two for East Asian scripts. [Unicode Standard Annex 11]
    fileprivate var columns: Int {
        guard value >= 0x300 else { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return Self.joining.contains(value) ? 0 : Self.wide.contains { $0.contains(value) } ? 2 : 1
        }
    }

    /// Vowels and last consonants of Hangul, which stand in the columns of the first consonant.
    private static let joining: ClosedRange<UInt32> = 0x1160...0x11FF
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFD,
    ]
}

extension Character {
    /// Those of its scalars, since terminals count so; two for pictures.
    fileprivate var columns: Int {
        let isPicture = unicodeScalars.first?.properties.isEmojiPresentation ?? false
        guard !isPicture, !unicodeScalars.contains("\u{FE0F}") else { return 2 }
        return unicodeScalars.reduce(0) { $0 + $1.columns }
    }
}
