/// An `Edm.TimeOfDay`.
///
/// [OData-ABNF, `timeOfDayValue`]
public struct EdmTimeOfDay: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// 0 to 23.
    public let hour: Int
    /// 0 to 59.
    public let minute: Int
    /// 0 to 59: there are no leap seconds.
    public let second: Int
    /// 0 ..< 10¹²
    public let picosecond: Int64

    /// Nil if a component is out of its range.
    public init?(hour: Int, minute: Int, second: Int = 0, picosecond: Int64 = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second),
            (0..<1_000_000_000_000).contains(picosecond)
        else { return nil }
        self.hour = hour
        self.minute = minute
        self.second = second
        self.picosecond = picosecond
    }

    /// Reads `07:59`, `07:59:59` or `07:59:59.999`; nil for anything else. A leap second becomes the second
    /// before it, with its own fraction: `23:59:60.5` becomes `23:59:59.5`.
    public init?(_ text: some StringProtocol) {
        var scanner = ByteScanner(text)
        guard let time = EdmTimeOfDay(&scanner), scanner.isAtEnd else { return nil }
        self = time
    }

    init?(_ scanner: inout ByteScanner) {
        guard let hour = scanner.takeField(2, in: 0...23), scanner.consume(":"),
            let minute = scanner.takeField(2, in: 0...59)
        else { return nil }
        var second = 0
        var picosecond: Int64 = 0
        if scanner.consume(":") {
            guard let seconds = scanner.takeField(2, in: 0...60) else { return nil }
            second = seconds
            if scanner.consume(".") {
                guard let fraction = scanner.takePicoseconds() else { return nil }
                picosecond = fraction
            }
            if second == 60 { second = 59 }
        }
        self.init(hour: hour, minute: minute, second: second, picosecond: picosecond)
    }

    /// Whether a time, or a date and time, is that of a leap second: `23:59:60`. The grammar of URLs has them, the values
    /// of properties have not. [OData-ABNF, `second`; OData-CSDLXML, section 3.3]
    package static func isLeapSecond(in text: String) -> Bool { text.contains(":60") }

    /// Seconds since midnight, without the fraction.
    public var secondOfDay: Int { hour * 3600 + minute * 60 + second }

    public var description: String {
        "\(padded(hour, to: 2)):\(padded(minute, to: 2)):\(padded(second, to: 2))\(fraction(picoseconds: picosecond))"
    }

    public static func < (left: EdmTimeOfDay, right: EdmTimeOfDay) -> Bool {
        (left.secondOfDay, left.picosecond) < (right.secondOfDay, right.picosecond)
    }
}
