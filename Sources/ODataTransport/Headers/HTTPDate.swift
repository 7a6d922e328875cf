/// An IMF-fixdate: `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// [RFC 9110, section 5.6.7]
package enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since 1970 in UTC; nil if `text` is no such date.
    package static func seconds(_ text: String) -> Int64? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int64(parts[1]), (1...31).contains(day),
            let month = months.firstIndex(of: String(parts[2])), let year = Int64(parts[3]),
            (1...9999).contains(year), let time = secondsOfDay(parts[4])
        else { return nil }
        return days(year: year, month: Int64(month) + 1, day: day) * 86400 + time
    }

    /// Seconds since 1970 of a cookie's date, which is read more freely: `Wed, 21-Oct-37 07:28:00 GMT`. Nil if `text` is
    /// none.
    ///
    /// [RFC 6265, section 5.1.1]
    static func cookieSeconds(_ text: String) -> Int64? {
        var (day, month, year, time): (Int64?, Int64?, Int64?, Int64?)
        for token in text.split(whereSeparator: { " ,;-/".contains($0) }) {
            if time == nil, token.contains(":") {
                time = secondsOfDay(token)
            } else if let number = Int64(token) {
                if day == nil, token.count <= 2 { day = number } else if year == nil { year = number }
            } else if let index = months.firstIndex(where: { token.lowercased().hasPrefix($0.lowercased()) }) {
                month = month ?? Int64(index) + 1
            }
        }
        guard let day, (1...31).contains(day), let month, let time, let year = year.map(fullYear),
            (1601...9999).contains(year)
        else { return nil }
        return days(year: year, month: month, day: day) * 86400 + time
    }

    /// 37 is 2037, 94 is 1994.
    private static func fullYear(_ year: Int64) -> Int64 {
        switch year {
        case 0...69: year + 2000
        case 70...99: year + 1900
        default: year
        }
    }

    /// The date of `seconds` since 1970.
    package static func text(_ seconds: Int64) -> String {
        let day = Int64((Double(seconds) / 86400).rounded(.down))
        let time = seconds - day * 86400
        let date = date(day: day)
        let week = days[Int(((day % 7) + 7) % 7)]
        let clock = [time / 3600, time / 60 % 60, time % 60].map(twoDigits).joined(separator: ":")
        return "\(week), \(twoDigits(date.day)) \(months[Int(date.month) - 1]) \(fourDigits(date.year)) \(clock) GMT"
    }

    private static func secondsOfDay(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":").map { Int64($0) }
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Days since 1970-01-01 of a Gregorian date; years begin in March, so that the leap day is the last.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }

    private static func date(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = max(0, day + 719_468)
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func fourDigits(_ number: Int64) -> String {
        String(repeating: "0", count: max(0, 4 - "\(number)".count)) + "\(number)"
    }
}
