/// An `Edm.Date` of the proleptic Gregorian calendar, years 0 and below included.
///
/// [OData-ABNF, `dateValue`]
public struct EdmDate: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The year of the common era; 0 is the year before 1, and -1 the one before that.
    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 31, at most the last day of the month.
    public let day: Int

    /// Nil if there is no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), (1...Self.days(inMonth: month, of: year)).contains(day) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads `2024-02-29`; nil for anything else.
    public init?(_ text: some StringProtocol) {
        var scanner = ByteScanner(text)
        guard let date = EdmDate(&scanner), scanner.isAtEnd else { return nil }
        self = date
    }

    /// The same of bytes; the usual form without a copy of them.
    init?(utf8 bytes: ArraySlice<UInt8>) {
        let start = bytes.startIndex
        guard bytes.count == 10, bytes[start + 4] == UInt8(ascii: "-"), bytes[start + 7] == UInt8(ascii: "-") else {
            var scanner = ByteScanner(bytes)
            guard let date = EdmDate(&scanner), scanner.isAtEnd else { return nil }
            self = date
            return
        }
        func number(_ positions: Range<Int>) -> Int? {
            var number = 0
            for byte in bytes[start + positions.lowerBound..<start + positions.upperBound] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return number
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
        self.init(year: year, month: month, day: day)
    }

    init?(_ scanner: inout ByteScanner) {
        let negative = scanner.consume("-")
        let digits = scanner.takeDigits()
        // Years of more than four digits do not start with zero.
        guard (4...9).contains(digits.count), digits.count == 4 || digits[0] != 0, scanner.consume("-"),
            let month = scanner.takeField(2, in: 1...12),
            scanner.consume("-"), let day = scanner.takeField(2, in: 1...31)
        else { return nil }
        let year = digits.reduce(0) { $0 * 10 + Int($1) }
        self.init(year: negative ? -year : year, month: month, day: day)
    }

    /// The date `days` after 1970-01-01.
    public init(daysSinceEpoch days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days after 1970-01-01; negative before.
    public var daysSinceEpoch: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    public var description: String { "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))" }

    public static func < (left: EdmDate, right: EdmDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
