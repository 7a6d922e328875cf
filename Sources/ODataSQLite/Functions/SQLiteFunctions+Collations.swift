import GRDB
import GRDBSQLite
import ODataModel
import ODataSQL

extension SQLiteFunctions {
    static func addCollations(to db: Database) throws {
        try register("ODATA_DECIMAL", to: db) { _, leftCount, left, rightCount, right in
            DecimalText.compare(
                UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
                UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
        }
        try register("ODATA_INSTANT", to: db) { _, leftCount, left, rightCount, right in
            InstantText.compare(
                UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
                UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
        }
        try register("ODATA_DATE", to: db) { _, leftCount, left, rightCount, right in
            DateText.compare(
                UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
                UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
        }
        try register("ODATA_TIME", to: db) { _, leftCount, left, rightCount, right in
            TimeText.compare(
                UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
                UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
        }
    }

    private typealias Comparison =
        @convention(c) (
            UnsafeMutableRawPointer?, CInt, UnsafeRawPointer?, CInt, UnsafeRawPointer?
        ) -> CInt

    private static func register(_ name: String, to db: Database, _ comparison: Comparison) throws {
        let code = sqlite3_create_collation_v2(db.sqliteConnection, name, SQLITE_UTF8, nil, comparison, nil)
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: "cannot add \(name)")
        }
    }
}

/// -1, 0 or 1 by `memcmp`, then by the length.
private func compareBytes(_ left: Slice<UnsafeRawBufferPointer>, _ right: Slice<UnsafeRawBufferPointer>) -> CInt {
    for (first, second) in zip(left, right) where first != second { return first < second ? -1 : 1 }
    return left.count == right.count ? 0 : left.count < right.count ? -1 : 1
}

/// Decimals as text, compared as numbers. `-INF` is first, `INF` and text that is not a decimal after all that are.
enum DecimalText {
    /// Sign, digits before the point without leading zeros, digits after it without trailing ones.
    private struct Parts {
        var isNegative = false
        var whole: Slice<UnsafeRawBufferPointer>
        var fraction: Slice<UnsafeRawBufferPointer>

        /// Nil for anything but `-12.5`.
        init?(_ text: UnsafeRawBufferPointer) {
            var rest = text[...]
            if rest.first == UInt8(ascii: "-") {
                isNegative = true
                rest = rest.dropFirst()
            }
            let digits = rest.prefix { $0.isDigit }
            whole = digits.drop { $0 == UInt8(ascii: "0") }
            rest = rest.dropFirst(digits.count)
            fraction = rest.dropFirst()
            let hasFraction = rest.first == UInt8(ascii: ".") && fraction.allSatisfy(\.isDigit)
            guard !digits.isEmpty || !fraction.isEmpty, rest.isEmpty || hasFraction else { return nil }
            while fraction.last == UInt8(ascii: "0") { fraction = fraction.dropLast() }
            if whole.isEmpty, fraction.isEmpty { isNegative = false }
        }
    }

    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> CInt {
        guard let first = Parts(left), let second = Parts(right) else { return general(left, right) }
        if first.isNegative != second.isNegative { return first.isNegative ? -1 : 1 }
        let order = magnitude(first, second)
        return first.isNegative ? -order : order
    }

    private static func magnitude(_ left: Parts, _ right: Parts) -> CInt {
        guard left.whole.count == right.whole.count else { return left.whole.count < right.whole.count ? -1 : 1 }
        let order = compareBytes(left.whole, right.whole)
        return order != 0 ? order : compareBytes(left.fraction, right.fraction)
    }

    private static func general(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> CInt {
        let lowest = [left, right].map { $0.elementsEqual("-INF".utf8) }
        if lowest[0] || lowest[1] { return lowest[0] && lowest[1] ? 0 : lowest[0] ? -1 : 1 }
        return switch (EdmDecimal(utf8: Array(left)[...]), EdmDecimal(utf8: Array(right)[...])) {
        case (let first?, let second?): first < second ? -1 : second < first ? 1 : 0
        case (nil, nil): compareBytes(left[...], right[...])
        case (nil, _): 1
        case (_, nil): -1
        }
    }
}

/// Instants as `2024-01-02T03:04:05.6 +02:00`, compared up to the space.
enum InstantText {
    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> CInt {
        let first = instant(left)
        let second = instant(right)
        guard first.hasPlainYear, second.hasPlainYear else { return general(left, right) }
        return compareBytes(first, second)
    }

    private static func instant(_ text: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        text.prefix { $0 != UInt8(ascii: " ") }
    }

    /// Years before 0 and after 9999. Text that is not an instant is ordered last.
    private static func general(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> CInt {
        let first = EdmDateTimeOffset(storedText: String(decoding: left, as: UTF8.self))
        let second = EdmDateTimeOffset(storedText: String(decoding: right, as: UTF8.self))
        switch (first, second) {
        case (let first?, let second?): return first < second ? -1 : second < first ? 1 : 0
        case (nil, nil): return compareBytes(left[...], right[...])
        case (nil, _): return 1
        case (_, nil): return -1
        }
    }
}

/// Dates of any year. Text that is not a date is ordered last.
enum DateText {
    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> CInt {
        switch (EdmDate(String(decoding: left, as: UTF8.self)), EdmDate(String(decoding: right, as: UTF8.self))) {
        case (let first?, let second?): first < second ? -1 : second < first ? 1 : 0
        case (nil, nil): compareBytes(left[...], right[...])
        case (nil, _): 1
        case (_, nil): -1
        }
    }
}

/// Times of day as `13:45`, `13:45:30` or `13:45:30.250`: seconds and zeros at the end may be left out.
enum TimeText {
    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> CInt {
        compareBytes(significant(left), significant(right))
    }

    /// The text without the part that is zero: `13:45:00.000` and `13:45` are both `13:45`.
    private static func significant(_ text: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        var rest = text[...]
        if rest.contains(UInt8(ascii: ".")) {
            while rest.last == UInt8(ascii: "0") { rest = rest.dropLast() }
            if rest.last == UInt8(ascii: ".") { rest = rest.dropLast() }
        }
        return rest.count == 8 && rest.suffix(3).elementsEqual(":00".utf8) ? rest.dropLast(3) : rest
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate var hasPlainYear: Bool {
        count > 4 && self[startIndex].isDigit && self[startIndex + 4] == UInt8(ascii: "-")
    }
}
