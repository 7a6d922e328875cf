extension StringProtocol {
    /// How many columns of a terminal the text takes.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The text in at most as many columns, with an ellipsis where something was left out.
    func fitted(to limit: Int) -> String {
        guard columns > limit else { return String(self) }
        guard limit > 0 else { return "" }
        var (taken, text) = (1, "")
        for character in self {
            taken += character.columns
            guard taken <= limit else { break }
            text.append(character)
        }
        return text + "…"
    }

    /// The text with spaces behind it, up to as many columns.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - columns)) }

    /// The text in one line, with a space for each tab, line end and other control character: outside data must not
    /// steer the terminal.
    var singleLine: String { String(map { $0.isControl || $0.isNewline ? " " : $0 }) }

    /// What a service says, in one line of at most 300 columns: an error message has one line, and one with advice.
    var brief: String { singleLine.fitted(to: 300) }

    /// The text without control characters other than line ends and tabs.
    var withoutControls: String {
        String(map { $0.isControl && !$0.isNewline && $0 != "\t" ? " " : $0 })
    }
}

extension Character {
    fileprivate var isControl: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }

    /// Two for wide characters: those of East Asian scripts, and pictures. [Unicode Standard Annex 11]
    fileprivate var columns: Int {
        guard let scalar = unicodeScalars.first, scalar.value >= 0x300 else { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        let isPicture = scalar.properties.isEmojiPresentation || unicodeScalars.contains { $0.value == 0xFE0F }
        return isPicture || Self.wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]
}
