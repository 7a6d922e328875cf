import GRDBSQLite
import ODataModel
import ODataSQL

extension SQLiteFunctions {
    /// Instants are passed as ``ColumnCodec/instantText``; their parts are those at their own offset.
    static let times: [(String, CInt, Implementation)] = [
        ("odata_instant", 2, { SQLFunctionCall($0, $1, $2).storedInstant() }),
        ("odata_duration", 1, { SQLFunctionCall($0, $1, $2).seconds() }),
        ("odata_year", 1, { SQLFunctionCall($0, $1, $2).datePart(\.year) }),
        ("odata_month", 1, { SQLFunctionCall($0, $1, $2).datePart(\.month) }),
        ("odata_day", 1, { SQLFunctionCall($0, $1, $2).datePart(\.day) }),
        ("odata_hour", 1, { SQLFunctionCall($0, $1, $2).timePart(\.hour) }),
        ("odata_minute", 1, { SQLFunctionCall($0, $1, $2).timePart(\.minute) }),
        ("odata_second", 1, { SQLFunctionCall($0, $1, $2).timePart(\.second) }),
        ("odata_fractionalseconds", 1, { SQLFunctionCall($0, $1, $2).fractionalSeconds() }),
        ("odata_totaloffsetminutes", 1, { SQLFunctionCall($0, $1, $2).offset() }),
        ("odata_date", 1, { SQLFunctionCall($0, $1, $2).dateOnly() }),
        ("odata_time", 1, { SQLFunctionCall($0, $1, $2).timeOnly() }),
        ("odata_totalseconds", 1, { SQLFunctionCall($0, $1, $2).totalSeconds() }),
        ("odata_addtoinstant", 3, { SQLFunctionCall($0, $1, $2).addToInstant() }),
        ("odata_addtodate", 3, { SQLFunctionCall($0, $1, $2).addToDate() }),
        ("odata_between", 2, { SQLFunctionCall($0, $1, $2).between() }),
        ("odata_addduration", 3, { SQLFunctionCall($0, $1, $2).addDuration() }),
        ("odata_scaleduration", 2, { SQLFunctionCall($0, $1, $2).scaleDuration(DecimalArithmetic.multiply) }),
        ("odata_divideduration", 2, { SQLFunctionCall($0, $1, $2).divideDuration() }),
    ]
}

extension SQLFunctionCall {
    fileprivate func storedInstant() {
        let format: InstantFormat =
            switch text(1) {
            case "seconds": .unixSeconds
            case "milliseconds": .unixMilliseconds
            case "julian": .julianDay
            default: .dateText
            }
        setResult(TemporalText.instant(binding(0), format: format)?.storedText)
    }

    fileprivate func seconds() {
        guard let duration = duration(0) else { return setResult(nil as Int64?) }
        setResult(duration.totalSeconds)
    }

    /// The date of a date or an instant.
    private var date: EdmDate? { text(0).flatMap { EdmDate($0) ?? instant(0)?.date } }

    /// The time of a time of day or an instant.
    private var time: EdmTimeOfDay? { text(0).flatMap { EdmTimeOfDay($0) ?? instant(0)?.time } }

    fileprivate func datePart(_ part: KeyPath<EdmDate, Int>) {
        setResult(date.map { Int64($0[keyPath: part]) })
    }

    fileprivate func timePart(_ part: KeyPath<EdmTimeOfDay, Int>) {
        setResult(time.map { Int64($0[keyPath: part]) })
    }

    fileprivate func fractionalSeconds() {
        setResult(time.map { Self.decimal(seconds: 0, picoseconds: $0.picosecond) } ?? nil)
    }

    fileprivate func offset() { setResult(instant(0).map { Int64($0.offsetMinutes) }) }

    fileprivate func dateOnly() { setResult(date?.description) }

    fileprivate func timeOnly() { setResult(time?.description) }

    fileprivate func totalSeconds() { setResult(duration(0)?.totalSeconds) }

    private static func decimal(seconds: Int64, picoseconds: Int64) -> EdmDecimal? {
        let fraction = EdmDecimal(
            isNegative: false, digits: String(picoseconds).utf8.map { $0 - UInt8(ascii: "0") }, exponent: -12)
        return DecimalArithmetic.add(EdmDecimal(seconds), fraction)
    }

    // MARK: Arithmetic

    private static let picosecondsPerSecond: Int64 = 1_000_000_000_000

    /// The duration of argument 1 with the sign of argument 2, as seconds and the remaining picoseconds.
    private var signedDuration: (Int64, Int64)? {
        guard let duration = duration(1), duration.seconds.magnitude < 1 << 48 else { return nil }
        guard integer(2) == -1 else { return (duration.seconds, duration.picoseconds) }
        guard duration.picoseconds > 0 else { return (-duration.seconds, 0) }
        return (-duration.seconds - 1, Self.picosecondsPerSecond - duration.picoseconds)
    }

    fileprivate func addToInstant() {
        guard let instant = instant(0), let (seconds, picoseconds) = signedDuration else {
            return setResult(nil as String?)
        }
        let fraction = instant.time.picosecond + picoseconds
        let carry = fraction / Self.picosecondsPerSecond
        let result = EdmDateTimeOffset(
            secondsSinceEpoch: instant.secondsSinceEpoch + seconds + carry,
            picosecond: fraction % Self.picosecondsPerSecond, offsetMinutes: instant.offsetMinutes)
        setResult(result.storedText)
    }

    fileprivate func addToDate() {
        guard let date = date, let (seconds, _) = signedDuration else { return setResult(nil as String?) }
        let whole = Double(date.daysSinceEpoch) * 86_400 + Double(seconds)
        setResult(EdmDate(daysSinceEpoch: Int((whole / 86_400).rounded(.down))).description)
    }

    fileprivate func between() {
        guard let left = moment(0), let right = moment(1) else { return setResult(nil as String?) }
        let fraction = left.1 - right.1
        let borrow: Int64 = fraction < 0 ? 1 : 0
        let duration = EdmDuration(
            seconds: left.0 - right.0 - borrow, picoseconds: fraction + borrow * Self.picosecondsPerSecond)
        setResult(duration.description)
    }

    private func moment(_ index: Int) -> (Int64, Int64)? {
        instant(index).map { ($0.secondsSinceEpoch, $0.time.picosecond) }
    }

    fileprivate func addDuration() {
        guard let left = duration(0), let (seconds, picoseconds) = signedDuration,
            left.seconds.magnitude < 1 << 48
        else { return setResult(nil as String?) }
        let fraction = left.picoseconds + picoseconds
        let duration = EdmDuration(
            seconds: left.seconds + seconds + fraction / Self.picosecondsPerSecond,
            picoseconds: fraction % Self.picosecondsPerSecond)
        setResult(duration.description)
    }

    fileprivate func divideDuration() {
        guard duration(0) != nil, let divisor = decimal(1) else { return setResult(nil as String?) }
        guard divisor != .zero else { return fail("a division by zero.") }
        scaleDuration(DecimalArithmetic.divide)
    }

    /// Exact to the picosecond.
    fileprivate func scaleDuration(_ operation: (EdmDecimal, EdmDecimal) -> EdmDecimal?) {
        guard let duration = duration(0), let factor = decimal(1),
            let product = operation(duration.totalSeconds, factor),
            let seconds = DecimalArithmetic.rounded(product, .down), let whole = seconds.integerValue,
            let rest = DecimalArithmetic.subtract(product, seconds),
            let picoseconds = DecimalArithmetic.multiply(rest, EdmDecimal(Self.picosecondsPerSecond))
                .flatMap({ DecimalArithmetic.rounded($0, .toNearestOrAwayFromZero) })?.integerValue
        else { return setResult(nil as String?) }
        let carry = picoseconds / Self.picosecondsPerSecond
        setResult(
            EdmDuration(seconds: whole + carry, picoseconds: picoseconds % Self.picosecondsPerSecond).description)
    }
}
