/// The dates of HTTP headers.
///
/// [RFC 9110, section 5.6.7]
extension EdmDateTimeOffset {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    package static let httpMonths = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`; nil for anything else. The day of the week may be another one.
    package init?(httpDate text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", parts[4].utf8.count == 8, let day = Int(parts[1]),
            let month = Self.httpMonths.firstIndex(of: String(parts[2])),
            let year = Int(parts[3]), (0...9999).contains(year),
            let date = EdmDate(year: year, month: month + 1, day: day),
            let time = EdmTimeOfDay(parts[4])
        else { return nil }
        self.init(date: date, time: time)
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`: without the fraction of the second.
    package var httpDate: String {
        let (date, time) = (utc.date, utc.time)
        let weekday = Self.weekdays[((date.daysSinceEpoch % 7) + 7) % 7]
        let day = "\(padded(date.day, to: 2)) \(Self.httpMonths[date.month - 1]) \(padded(date.year, to: 4))"
        return "\(weekday), \(day) \("\(time)".prefix(8)) GMT"
    }
}
