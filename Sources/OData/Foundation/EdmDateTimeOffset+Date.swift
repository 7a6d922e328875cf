import Foundation
import ODataModel

extension EdmDateTimeOffset {
    /// The present instant in UTC, to the microsecond: `inspection.finishedAt = .now`.
    public static var now: EdmDateTimeOffset { EdmDateTimeOffset(Date.now) }

    /// The instant in UTC, to the microsecond: `Date` itself has about a tenth of one. Instants before the year 1 and
    /// after the year 9999 become the first and the last of these.
    ///
    /// - Parameters:
    ///   - date: The instant; NaN becomes the start of 2001.
    ///   - fractionalDigits: Of the second, from 0 to 6; those of the `Precision` of the property, if it has less.
    public init(_ date: Date, fractionalDigits: Int = 6) {
        let first = -63_113_904_000.0
        let end = 252_423_993_600.0
        let time = date.timeIntervalSinceReferenceDate
        let bounded = time.isNaN ? 0 : min(max(time, first), end)
        let whole = bounded.rounded(.down)
        let unit = (0..<min(max(fractionalDigits, 0), 6)).reduce(Int64(1_000_000_000_000)) { unit, _ in unit / 10 }
        let units = Int64(((bounded - whole) * 1e12 / Double(unit)).rounded())
        let picoseconds = units * unit
        let carry = picoseconds / 1_000_000_000_000
        let seconds = Int64(whole) + Int64(Date.timeIntervalBetween1970AndReferenceDate) + carry
        let last: Int64 = 253_402_300_799
        self.init(
            secondsSinceEpoch: min(seconds, last),
            picosecond: seconds > last ? 1_000_000_000_000 - unit : picoseconds % 1_000_000_000_000)
    }
}

extension Date {
    /// The instant, to what a double has of it: about a tenth of a microsecond in our time. The offset is not kept.
    public init(_ value: EdmDateTimeOffset) {
        let seconds = value.secondsSinceEpoch - Int64(Date.timeIntervalBetween1970AndReferenceDate)
        self.init(timeIntervalSinceReferenceDate: Double(seconds) + Double(value.time.picosecond) / 1e12)
    }
}

extension EdmDate {
    /// The day that it is now: `order.dueDate = .today(in: .current)`.
    public static func today(in zone: TimeZone) -> EdmDate { EdmDate(Date.now, in: zone) }

    /// The day of the Gregorian calendar that it is at an instant in a time zone.
    public init(_ date: Date, in zone: TimeZone) {
        let instant = EdmDateTimeOffset(date)
        self =
            EdmDateTimeOffset(
                secondsSinceEpoch: instant.secondsSinceEpoch + Int64(zone.secondsFromGMT(for: date))
            ).date
    }
}

extension DateComponents {
    /// Year, month and day, without a calendar or time zone.
    public init(_ value: EdmDate) { self.init(year: value.year, month: value.month, day: value.day) }
}
