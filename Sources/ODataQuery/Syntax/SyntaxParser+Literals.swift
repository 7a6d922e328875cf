import ODataModel

/// Primitive literals.
///
/// [OData-ABNF, section 7: Literal Data Values]
extension SyntaxParser {
    /// `primitiveLiteral`
    mutating func primitiveLiteral() throws(QueryError) -> LiteralSyntax {
        let start = offset
        guard let value = try literal() else { throw unexpected("a literal") }
        return LiteralSyntax(value: value, offset: start)
    }

    /// A literal, or nil (and nothing taken) if there is something else.
    mutating func literal() throws(QueryError) -> Value? {
        guard let byte = peek() else { return nil }
        if byte == UInt8(ascii: "'") { return .string(try quotedText()) }
        if let guid = guid() { return .guid(guid) }
        if ODataQuery.isDigit(byte) { return try numberOrDate() }
        if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") {
            return isDigit(1) || isInfinity(1) ? try numberOrDate() : nil
        }
        return isIdentifierByte(byte) ? try namedLiteral() : nil
    }

    /// `null`, `true`, `false`, `INF`, `NaN`, `duration'PT1H'`, `binary'AAE'`, `Model.Color'Red'`
    private mutating func namedLiteral() throws(QueryError) -> Value? {
        let start = offset
        let stop = nameEnd(from: start)
        guard stop < end else { return constant(start..<stop) }
        switch source.text[stop] {
        case UInt8(ascii: "'"): return try prefixedLiteral(name("a literal"))
        case UInt8(ascii: "/"), UInt8(ascii: "("): return nil
        default: return constant(start..<stop)
        }
    }

    private static let constants: [UInt64: Value] = [
        packed("null".utf8): .null, packed("true".utf8): .boolean(true), packed("false".utf8): .boolean(false),
        packed("INF".utf8): .double(.infinity), packed("NaN".utf8): .double(.nan),
    ]

    private mutating func constant(_ range: Range<Int>) -> Value? {
        guard range.count <= 5, let value = Self.constants[word(range)] else { return nil }
        offset = range.upperBound
        return value
    }

    private mutating func prefixedLiteral(_ name: NameSyntax) throws(QueryError) -> Value {
        let start = offset
        let text = try quotedText()
        switch name.text.lowercased() {
        case "duration":
            guard let value = EdmDuration(text) else { throw invalid("a duration such as duration'PT1H'", at: start) }
            return .duration(value)
        case "binary":
            guard let bytes = Value.bytes(base64: text) else { throw invalid("base64url text", at: start) }
            return .binary(bytes)
        case "geography", "geometry": throw notImplemented("The literal \(name.text)'…'", at: name.offset)
        default:
            guard name.isQualified else {
                throw error(.syntax, "There are no literals that start so.", at: name.offset, expected: "a literal")
            }
            return .enumeration(QualifiedName(name.text), text)
        }
    }

    /// `string`: `'O''Neil'`
    mutating func quotedText() throws(QueryError) -> String {
        let start = offset
        try expect("'", "a quoted string")
        var bytes: [UInt8] = []
        var pieceStart = offset
        while let byte = peek() {
            offset += 1
            guard byte == UInt8(ascii: "'") else { continue }
            if bytes.isEmpty, !isNext("'") { return source.string(pieceStart..<(offset - 1)) }
            bytes += source.text[pieceStart..<(offset - 1)]
            guard isNext("'") else { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
            offset += 1
            pieceStart = offset
        }
        throw error(
            .syntax, "The string that starts here does not end.", at: start,
            expected: "a closing quote (inside strings: '' for a quote, %26 for &, %2F for / in a key)")
    }

    /// `guidValue`
    private mutating func guid() -> EdmGuid? {
        guard offset + 36 <= end, isNext("-", 8), isNext("-", 13) else { return nil }
        if let next = peek(36), isIdentifierByte(next) || ODataQuery.isDigit(next) { return nil }
        guard let guid = EdmGuid(source.string(offset..<(offset + 36))) else { return nil }
        offset += 36
        return guid
    }

    private func isInfinity(_ distance: Int) -> Bool {
        isNext("I", distance) && isNext("N", distance + 1) && isNext("F", distance + 2)
            && !(peek(distance + 3).map { isIdentifierByte($0) || ODataQuery.isDigit($0) } ?? false)
    }

    // MARK: Numbers and dates

    private mutating func numberOrDate() throws(QueryError) -> Value {
        let start = offset
        let isSigned = !isDigit()
        if isSigned { offset += 1 }
        if isInfinity(0) {
            offset += 3
            return .double(source.text[start] == UInt8(ascii: "-") ? -.infinity : .infinity)
        }
        let digits = skipDigits()
        if digits >= 4, isNext("-"), isDigit(1), isDigit(2), isNext("-", 3) { return try date(from: start) }
        if digits == 2, !isSigned, isNext(":") { return try timeOfDay(from: start) }
        return try number(from: start)
    }

    /// `decimalValue` and the integer rules, from after the first digits.
    private mutating func number(from start: Int) throws(QueryError) -> Value {
        var isInteger = true
        if isNext("."), isDigit(1) {
            offset += 1
            skipDigits()
            isInteger = false
        }
        let mantissaEnd = offset
        if isNext("e") || isNext("E") {
            let sign = isNext("+", 1) || isNext("-", 1) ? 1 : 0
            if isDigit(1 + sign) {
                offset += 1 + sign
                skipDigits()
            }
        }
        if let byte = peek(), isIdentifierByte(byte) || byte == UInt8(ascii: ".") {
            throw unexpected("the end of the number")
        }
        let text = source.text[start..<offset]
        if isInteger, offset == mantissaEnd, let value = integer(text) { return .integer(value) }
        if abs(exponent(from: mantissaEnd)) <= 100, let value = EdmDecimal(utf8: text) { return .decimal(value) }
        guard let value = Double(source.string(start..<offset)), value.isFinite else {
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
    private mutating func date(from start: Int) throws(QueryError) -> Value {
        offset += 4
        skipDigits()
        guard isNext("T") || isNext("t"), isDigit(1) else {
            guard let value = EdmDate(source.string(start..<offset)) else { throw invalid("a date", at: start) }
            return .date(value)
        }
        offset += 1
        skipTime()
        if !take("Z"), !take("z") {
            guard isNext("+") || isNext("-"), isDigit(1) else { throw unexpected("Z or an offset such as +01:00") }
            offset += 1
            skipTime()
        }
        guard let value = EdmDateTimeOffset(source.string(start..<offset)) else {
            throw invalid("a date and time such as 2024-01-02T03:04:05Z", at: start)
        }
        return .dateTimeOffset(value)
    }

    /// `timeOfDayValue`, from after the hour.
    private mutating func timeOfDay(from start: Int) throws(QueryError) -> Value {
        skipTime()
        guard let value = EdmTimeOfDay(source.string(start..<offset)) else {
            throw invalid("a time such as 07:59:59", at: start)
        }
        return .timeOfDay(value)
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

    private func invalid(_ expected: String, at offset: Int) -> QueryError {
        error(.syntax, "The literal is not valid.", at: offset, expected: expected)
    }
}
