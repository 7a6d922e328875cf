/// Records of comma-separated values.
///
/// [RFC 4180]
enum CSVText {
    /// `1,"Chai, green",,""` and a line end: nil is an empty field, empty text two quotation marks.
    static func record(_ fields: [String?]) -> String {
        // A line without anything would be no record to many readers.
        guard fields != [nil], fields != [""] else { return "\"\"\r\n" }
        return fields.map { $0.map(field) ?? "" }.joined(separator: ",") + "\r\n"
    }

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
