import ODataModel

/// Literals that start with a digit or a sign: numbers, dates and times.
///
/// [OData-ABNF, section 7: Literal Data Values]
extension SyntaxParser {
    mutating func numberOrDate() throws(QueryError) -> EdmValue {
        let start = offset
        let isSigned = !isDigit()
        if isSigned { offset += 1 }
        if isInfinity(0) {
            offset += 3
            return .double(source.text[start] == UInt8(ascii: "-") ? -.infinity : .infinity)
        }
        let digits = skipDigits()
        if digits >= 4, isNext("-"), isDigit(1), isDigit(2), isNext("-", 3) { return try date(from: start) }
        if digits == 2, !isSigned, isNext(":"), isDigit(1), isDigit(2) { return try timeOfDay(from: start) }
        return try number(from: start)
    }

    /// `decimalValue` and the integer rules, from after the first digits.
    private mutating func number(from start: Int) throws(QueryError) -> EdmValue {
        var isInteger = true
        if isNext("."), isDigit(1) {
            offset += 1
            skipDigits()
            isInteger = false
        }
        let mantissaEnd = offset
        if isNext("e") || isNext("E") {
            let sign = isSignNext(1) ? 1 : 0
            if isDigit(1 + sign) {
                offset += 1 + sign
                skipDigits()
            }
        }
        if let value = try legacyNumber(from: start) { return value }
        if let byte = peek(), isIdentifierByte(byte) || byte == UInt8(ascii: ".") {
            throw unexpected("the end of the number")
        }
        let text = source.number(start..<offset)
        if isInteger, offset == mantissaEnd, let value = integer(text) { return .integer(value) }
        if abs(exponent(from: mantissaEnd)) <= 100, let value = EdmDecimal(utf8: text) { return .decimal(value) }
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
            throw invalid("a number in the range of Edm.Double", at: start)
        }
        return .double(value)
    }

    /// Nil if the number does not fit.
    private func integer(_ text: ArraySlice<UInt8>) -> Int64? {
        guard text.count <= 18 else { return Int64(String(decoding: text, as: UTF8.self)) }
        var value: Int64 = 0
        for byte in text where ODataQuery.isDigit(byte) { value = value * 10 + Int64(byte - UInt8(ascii: "0")) }
        return text.first == UInt8(ascii: "-") ? -value : value
    }

    /// The exponent at `start`; zero if there is none. Only its magnitude up to some hundreds matters.
    private func exponent(from start: Int) -> Int {
        guard start < offset else { return 0 }
        let digits = source.text[(start + 1)..<offset].filter { ODataQuery.isDigit($0) }
        return digits.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), 100_000) }
    }

    /// `dateValue` and `dateTimeOffsetValue`, from after the year.
    private mutating func date(from start: Int) throws(QueryError) -> EdmValue {
        offset += 4
        skipDigits()
        guard isNext("T") || isNext("t"), isDigit(1) else {
            guard let value = EdmDate(source.string(start..<offset)) else { throw invalid("a date", at: start) }
            return .date(value)
        }
        offset += 1
        skipTime()
        if !consume("Z"), !consume("z") {
            guard isSignNext(), isDigit(1) else { throw unexpected("Z or an offset such as +01:00") }
            offset += 1
            skipTime()
        }
        let text = String(decoding: source.number(start..<offset), as: UTF8.self)
        guard let value = EdmDateTimeOffset(text) else {
            throw invalid("a date and time such as 2024-01-02T03:04:05Z", at: start)
        }
        return .dateTimeOffset(value)
    }

    /// `timeOfDayValue`, from after the hour.
    private mutating func timeOfDay(from start: Int) throws(QueryError) -> EdmValue {
        skipTime()
        guard let value = EdmTimeOfDay(source.string(start..<offset)) else {
            throw invalid("a time such as 07:59:59", at: start)
        }
        return .timeOfDay(value)
    }

    /// Whether a sign is next where nothing else can stand.
    private func isSignNext(_ distance: Int = 0) -> Bool {
        isNext("+", distance) || isNext("-", distance) || source.formBlanks.contains(offset + distance)
    }

    @discardableResult
    private mutating func skipDigits() -> Int {
        let start = offset
        while isDigit() { offset += 1 }
        return offset - start
    }

    private mutating func skipTime() {
        while isDigit() || isNext(":") || (isNext(".") && isDigit(1)) { offset += 1 }
    }
}
