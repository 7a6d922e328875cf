import ODataModel

/// The date of a cookie, which is read more freely than those of other headers: `Wed, 21-Oct-37 07:28:00 GMT`.
///
/// [RFC 6265, section 5.1.1]
enum CookieDate {
    /// Seconds since 1970; nil if `text` is not valid.
    static func seconds(_ text: String) -> Int64? {
        var (day, month, year): (Int?, Int?, Int?)
        var time: EdmTimeOfDay?
        for token in text.split(whereSeparator: { " ,;-/".contains($0) }) {
            if time == nil, token.contains(":") {
                time = Self.time(token)
            } else if let number = Int(token) {
                if day == nil, token.count <= 2 { day = number } else if year == nil { year = number }
            } else if month == nil {
                month = Self.month(token)
            }
        }
        guard let day, let month, let time, let year = year.map(fullYear), (1601...9999).contains(year),
            let date = EdmDate(year: year, month: month, day: day)
        else { return nil }
        return EdmDateTimeOffset(date: date, time: time).secondsSinceEpoch
    }

    private static func time(_ text: Substring) -> EdmTimeOfDay? {
        let parts = text.split(separator: ":").compactMap { Int($0) }
        return parts.count == 3 ? EdmTimeOfDay(hour: parts[0], minute: parts[1], second: parts[2]) : nil
    }

    private static func month(_ text: Substring) -> Int? {
        let text = text.lowercased()
        return EdmDateTimeOffset.httpMonths.firstIndex { text.hasPrefix($0.lowercased()) }.map { $0 + 1 }
    }

    /// 37 is 2037, 94 is 1994.
    private static func fullYear(_ year: Int) -> Int {
        switch year {
        case 0...69: year + 2000
        case 70...99: year + 1900
        default: year
        }
    }
}
