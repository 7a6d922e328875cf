import ODataModel
import ODataSQL

/// Stored dates, times, instants and durations in the lexical form of the V4 JSON format.
enum TemporalText {
    /// Nil if `codec` cannot read the stored value.
    static func lexical(_ stored: SQLBinding, codec: ColumnCodec) -> String? {
        switch (codec, stored) {
        case (.date, .text(let text)): date(text)
        case (.timeOfDay, .text(let text)): EdmTimeOfDay(text)?.description
        case (.durationText, .text(let text)): EdmDuration(text)?.description
        case (.instantText, .text(let text)):
            (EdmDateTimeOffset(storedText: text) ?? instant(text))?.description
        case (.instant(let format), _): instant(stored, format: format)?.description
        default: nil
        }
    }

    /// An instant as a file stores it. Text may have any of the usual forms, regardless of the format.
    static func instant(_ stored: SQLBinding, format: InstantFormat) -> EdmDateTimeOffset? {
        switch (format, stored) {
        case (.text, .text(let text)), (.dateText, .text(let text)), (.mixedText, .text(let text)): instant(text)
        case (.unixSeconds, .integer(let seconds)): epoch(seconds: seconds)
        case (.unixSeconds, .real(let seconds)): epoch(seconds: seconds)
        case (.unixMilliseconds, .integer(let value)):
            epoch(
                seconds: value.floored(by: 1000), picosecond: (value - value.floored(by: 1000) * 1000) * 1_000_000_000)
        case (.unixMilliseconds, .real(let value)): epoch(seconds: value / 1000)
        case (.julianDay, .real(let day)): julian(day)
        case (.julianDay, .integer(let day)): julian(Double(day))
        default: nil
        }
    }

    static func instant(_ text: String) -> EdmDateTimeOffset? {
        if let instant = EdmDateTimeOffset(text, defaultOffset: 0) { return instant }
        return EdmDate(text).map { EdmDateTimeOffset(date: $0, time: .midnight) }
    }

    private static func date(_ text: String) -> String? {
        (EdmDate(text) ?? instant(text)?.date)?.description
    }

    /// Nil outside the years -9999 to 9999.
    private static func epoch(seconds: Int64, picosecond: Int64 = 0) -> EdmDateTimeOffset? {
        guard (-377_000_000_000...253_402_300_799).contains(seconds) else { return nil }
        return EdmDateTimeOffset(secondsSinceEpoch: seconds, picosecond: picosecond)
    }

    /// Rounded to microseconds, the precision of a double for current instants.
    private static func epoch(seconds: Double) -> EdmDateTimeOffset? {
        guard seconds.magnitude < 400_000_000_000 else { return nil }
        let microseconds = Int64((seconds * 1_000_000).rounded())
        let whole = microseconds.floored(by: 1_000_000)
        return epoch(seconds: whole, picosecond: (microseconds - whole * 1_000_000) * 1_000_000)
    }

    /// Rounded to milliseconds, the precision of a Julian day number.
    private static func julian(_ day: Double) -> EdmDateTimeOffset? {
        let seconds = (day - InstantFormat.julianDayOfEpoch) * 86_400
        return epoch(seconds: (seconds * 1000).rounded() / 1000)
    }
}

extension Int64 {
    /// The quotient, rounded down.
    fileprivate func floored(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
