/// An `Edm.Duration`: a signed number of days, hours, minutes and seconds.
///
/// [OData-ABNF, `durationValue`]
public struct EdmDuration: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Whole seconds, rounded down.
    public let seconds: Int64
    /// Picoseconds in addition to ``seconds``: 0 ..< 10¹².
    public let picoseconds: Int64

    /// The sum of both: -1.5 seconds are -2 seconds and 5 · 10¹¹ picoseconds. `picoseconds` are not checked.
    public init(seconds: Int64, picoseconds: Int64 = 0) {
        self.seconds = seconds
        self.picoseconds = picoseconds
    }

    /// Reads `-P1DT2H3M4.5S`; nil for anything else.
    public init?(_ text: some StringProtocol) {
        var scanner = ByteScanner(text)
        let negative = scanner.takeSign()
        guard scanner.consume("P"), !scanner.isAtEnd else { return nil }
        var total: Int64 = 0
        var picoseconds: Int64 = 0
        var units: [(designator: Unicode.Scalar, seconds: Int64)] = [("D", 86_400)]
        var isTime = false
        repeat {
            if !isTime, scanner.consume("T") {
                isTime = true
                units = [("H", 3600), ("M", 60), ("S", 1)]
            }
            guard let number = scanner.takeInteger(maxDigits: 15) else { return nil }
            if scanner.consume(".") {
                guard let fraction = scanner.takePicoseconds() else { return nil }
                picoseconds = fraction
                units.removeAll { $0.designator != "S" }
            }
            guard let position = units.firstIndex(where: { scanner.consume($0.designator) }) else { return nil }
            let (product, tooLarge) = Int64(number).multipliedReportingOverflow(by: units[position].seconds)
            let (sum, overflow) = total.addingReportingOverflow(product)
            guard !tooLarge, !overflow else { return nil }
            total = sum
            units.removeFirst(position + 1)
        } while !scanner.isAtEnd
        self.init(magnitudeSeconds: total, picoseconds: picoseconds, isNegative: negative)
    }

    /// The duration of the given magnitude and sign.
    public init(magnitudeSeconds: Int64, picoseconds: Int64, isNegative: Bool) {
        guard isNegative else {
            self.init(seconds: magnitudeSeconds, picoseconds: picoseconds)
            return
        }
        self.init(
            seconds: -magnitudeSeconds - (picoseconds > 0 ? 1 : 0),
            picoseconds: picoseconds > 0 ? 1_000_000_000_000 - picoseconds : 0)
    }

    public var description: String {
        let negative = seconds < 0
        let borrowed = negative && picoseconds > 0
        let rest = borrowed ? 1_000_000_000_000 - picoseconds : picoseconds
        let magnitude = seconds.magnitude - (borrowed ? 1 : 0)
        let days = magnitude / 86_400
        let hours = magnitude / 3600 % 24
        let minutes = magnitude / 60 % 60
        let second = magnitude % 60
        var text = (negative ? "-P" : "P") + (days > 0 ? "\(days)D" : "")
        var time = (hours > 0 ? "\(hours)H" : "") + (minutes > 0 ? "\(minutes)M" : "")
        if second > 0 || rest > 0 { time += "\(second)\(fraction(picoseconds: rest))S" }
        if time.isEmpty && days == 0 { time = "0S" }
        if !time.isEmpty { text += "T" + time }
        return text
    }

    public static func < (left: EdmDuration, right: EdmDuration) -> Bool {
        (left.seconds, left.picoseconds) < (right.seconds, right.picoseconds)
    }
}
