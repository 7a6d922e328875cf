/// An `Edm.DateTimeOffset`: an instant with the offset it was given in.
///
/// Values order by instant; two values of the same instant with different offsets are not equal as Swift values
/// but neither is less than the other.
/// [OData-ABNF, `dateTimeOffsetValue`]
public struct EdmDateTimeOffset: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The date at the offset.
    public let date: EdmDate
    /// The time at the offset.
    public let time: EdmTimeOfDay
    /// Minutes east of UTC.
    public let offsetMinutes: Int

    /// The instant at which clocks at the offset show `date` and `time`; UTC by default.
    public init(date: EdmDate, time: EdmTimeOfDay, offsetMinutes: Int = 0) {
        self.date = date
        self.time = time
        self.offsetMinutes = offsetMinutes
    }

    /// The UTC value `seconds` after 1970-01-01T00:00:00Z.
    public init(secondsSinceEpoch seconds: Int64, picosecond: Int64 = 0, offsetMinutes: Int = 0) {
        let (sum, overflow) = seconds.addingReportingOverflow(Int64(offsetMinutes) * 60)
        let local = overflow ? seconds : sum
        let days = Int(local / 86_400) - (local % 86_400 < 0 ? 1 : 0)
        let second = Int((local % 86_400 + 86_400) % 86_400)
        date = EdmDate(daysSinceEpoch: days)
        time =
            EdmTimeOfDay(hour: second / 3600, minute: second / 60 % 60, second: second % 60, picosecond: picosecond)
            ?? .midnight
        self.offsetMinutes = offsetMinutes
    }

    /// Reads `2024-01-02T03:04:05.678+01:00`, also with a space or lower-case `t` and `z`; nil for anything else.
    /// A leap second becomes the second before it, with its own fraction, as of ``EdmTimeOfDay``.
    public init?(_ text: some StringProtocol) {
        self.init(text, defaultOffset: nil)
    }

    /// Reads as ``init(_:)``; where the text has no offset, takes `defaultOffset` if there is one.
    public init?(_ text: some StringProtocol, defaultOffset: Int?) {
        var scanner = ByteScanner(text)
        guard let date = EdmDate(&scanner), scanner.consume("T") || scanner.consume("t") || scanner.consume(" "),
            let time = EdmTimeOfDay(&scanner)
        else { return nil }
        var offset = 0
        if scanner.isAtEnd {
            guard let defaultOffset else { return nil }
            offset = defaultOffset
        } else if !(scanner.consume("Z") || scanner.consume("z")) {
            let negative = scanner.consume("-")
            guard negative || scanner.consume("+"), let hours = scanner.takeField(2, in: 0...23), scanner.consume(":"),
                let minutes = scanner.takeField(2, in: 0...59)
            else { return nil }
            offset = (hours * 60 + minutes) * (negative ? -1 : 1)
        }
        guard scanner.isAtEnd else { return nil }
        self.init(date: date, time: time, offsetMinutes: offset)
    }

    /// Seconds after 1970-01-01T00:00:00Z, without the fraction.
    public var secondsSinceEpoch: Int64 {
        Int64(date.daysSinceEpoch) * 86_400 + Int64(time.secondOfDay) - Int64(offsetMinutes) * 60
    }

    /// The same instant at offset zero.
    public var utc: EdmDateTimeOffset {
        offsetMinutes == 0
            ? self : EdmDateTimeOffset(secondsSinceEpoch: secondsSinceEpoch, picosecond: time.picosecond)
    }

    public var description: String {
        guard offsetMinutes != 0 else { return "\(date)T\(time)Z" }
        let magnitude = offsetMinutes.magnitude
        let zone = "\(padded(magnitude / 60, to: 2)):\(padded(magnitude % 60, to: 2))"
        return "\(date)T\(time)\(offsetMinutes < 0 ? "-" : "+")\(zone)"
    }

    public static func < (left: EdmDateTimeOffset, right: EdmDateTimeOffset) -> Bool {
        (left.secondsSinceEpoch, left.time.picosecond) < (right.secondsSinceEpoch, right.time.picosecond)
    }
}

extension EdmTimeOfDay {
    /// 00:00:00
    public static let midnight = EdmTimeOfDay(validHour: 0)

    private init(validHour hour: Int) {
        self.hour = hour
        minute = 0
        second = 0
        picosecond = 0
    }
}
