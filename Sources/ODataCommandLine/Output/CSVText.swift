/// Records of comma-separated values.
///
/// [RFC 4180]
enum CSVText {
    /// `1,"Chai, green",,""` and a line end: nil is an empty field, empty text two quotation marks.
    ///
    /// - Parameter isSafe: Whether what a spreadsheet would take for a formula has a `'` before it: `'=1+1`.
    static func record(_ fields: [String?], isSafe: Bool = false) -> String {
        // A line without anything would be no record to many readers.
        guard fields != [nil], fields != [""] else { return "\"\"\r\n" }
        let texts = fields.map { text in text.map { field(isSafe && isFormula($0) ? "'" + $0 : $0) } ?? "" }
        return texts.joined(separator: ",") + "\r\n"
    }

    /// Whether a spreadsheet would calculate what the field says, instead of showing it. A number is not a formula.
    ///
    /// [OWASP, CSV Injection]
    private static func isFormula(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        return formulaStarts.contains(first) && !ValueForm.isNumber(text)
    }

    /// The last four are as wide as East Asian characters.
    private static let formulaStarts: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]

    /// Scalars count, not characters: a comma with a mark that combines with it is another character, but a comma to
    /// who reads.
    private static func field(_ text: String) -> String {
        guard !text.isEmpty else { return "\"\"" }
        guard text.unicodeScalars.contains(where: { $0 == "," || $0 == "\"" || $0 == "\r" || $0 == "\n" })
        else { return text }
        let parts = text.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
        return "\"" + parts.joined(separator: "\"\"") + "\""
    }
}
