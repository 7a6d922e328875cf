import GRDB
import ODataSQL

extension ColumnScan {
    /// The form of all instants of a column, detected from the stored values:
    /// `SELECT form(c), min(c), max(c) … GROUP BY 1`.
    func instantFit(_ column: ColumnDescription) throws -> ColumnFit {
        let name = quoted(column.name)
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT \(StoredForm.function)(\(name)), min(\(name)), max(\(name)) FROM \(quoted(table.name))
                WHERE \(name) IS NOT NULL GROUP BY 1
                """)
        let forms = rows.map { $0[0] as String }
        guard !forms.isEmpty else { return ColumnFit(.dateTimeOffset, .instant(.sqliteDefault)) }
        if forms == ["date"] { return ColumnFit(.dateTimeOffset, .instant(.dateText)) }
        if Set(forms).isSubset(of: ["integer", "real"]) {
            let bounds = rows.flatMap { [$0[1] as Double, $0[2] as Double] }
            return ColumnFit(.dateTimeOffset, .instant(Self.numericFormat(bounds)))
        }
        guard let format = Self.textFormat(forms) else { return .misfit(column, of: table.name) }
        return ColumnFit(.dateTimeOffset, .instant(format))
    }

    /// Julian day numbers of the years 0 to 9999 (whole numbers are stored as integers, since the columns are numeric;
    /// as seconds they would all be in early 1970); milliseconds are larger than seconds of the next 3000 years.
    private static func numericFormat(_ bounds: [Double]) -> InstantFormat {
        if bounds.allSatisfy({ (1_721_059...5_373_484.5).contains($0) }) { return .julianDay }
        return bounds.contains { abs($0) > 1e11 } ? .unixMilliseconds : .unixSeconds
    }

    /// `instant T3Z`: separator, digits of fraction, zone. If there are several forms, or dates among them, the longest
    /// fraction is written, with a `Z` only if all values have one.
    private static func textFormat(_ forms: [String]) -> InstantFormat? {
        var separators: Set<Character> = []
        var zones: Set<Bool> = []
        var digits = 0
        for form in forms where form != "date" {
            guard form.hasPrefix("instant "), let separator = form.dropFirst(8).first,
                let count = Int(form.dropFirst(9).prefix { $0.isNumber })
            else { return nil }
            separators.insert(separator)
            zones.insert(form.hasSuffix("Z"))
            digits = max(digits, count)
        }
        let separator = separators == ["T"] ? "T" : " "
        let zone = zones == [true]
        return forms.count == 1
            ? .text(separator: separator, fractionDigits: digits, zone: zone)
            : .mixedText(separator: separator, fractionDigits: digits, zone: zone)
    }
}

extension InstantFormat {
    /// The format of SQLite's `CURRENT_TIMESTAMP`: `2024-01-02 03:04:05`.
    static let sqliteDefault = InstantFormat.text(separator: " ", fractionDigits: 0, zone: false)
}
