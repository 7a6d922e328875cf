import ODataModel

extension RowParser {
    private func startsNumber(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte &- 0x30 < 10 }

    @inline(__always)
    mutating func integer(_ byte: UInt8, _ range: ClosedRange<Int64>) throws(JSONFault) -> RowSlot {
        guard startsNumber(byte) else { return try quotedInteger(byte, range) }
        let number = try cursor.number()
        guard number.isInteger, number.isExact else { return try unusualInteger(number, range) }
        let magnitude = Int64(truncatingIfNeeded: number.mantissa)
        let value = number.isNegative ? 0 &- magnitude : magnitude
        guard range.contains(value) else { throw JSONFault(reason: .range, offset: number.start) }
        return .integer(value)
    }

    /// `5.0`, `1e3`, or more than 18 digits.
    @inline(never)
    private func unusualInteger(
        _ number: ByteCursor.Number, _ range: ClosedRange<Int64>
    ) throws(JSONFault) -> RowSlot {
        let text = cursor.text(number.start..<number.end)
        guard let decimal = EdmDecimal(text), decimal.exponent >= 0 else {
            throw JSONFault(reason: .type, offset: number.start)
        }
        guard let value = decimal.integerValue, range.contains(value) else {
            throw JSONFault(reason: .range, offset: number.start)
        }
        return .integer(value)
    }

    /// `"9223372036854775807"`, as Int64 is written for IEEE754Compatible=true.
    @inline(never)
    private mutating func quotedInteger(_ byte: UInt8, _ range: ClosedRange<Int64>) throws(JSONFault) -> RowSlot {
        let offset = cursor.position
        guard byte == UInt8(ascii: "\""), range.upperBound == .max else {
            throw JSONFault(reason: .type, offset: offset)
        }
        cursor.position += 1
        let span = try cursor.string()
        let text = cursor.text(span.range)
        guard let value = Int64(text) else {
            throw JSONFault(reason: EdmDecimal(text) == nil ? .type : .range, offset: offset)
        }
        return .integer(value)
    }

    @inline(__always)
    mutating func double(_ byte: UInt8) throws(JSONFault) -> RowSlot {
        guard startsNumber(byte) else { return try quotedDouble(byte) }
        let number = try cursor.number()
        if let value = number.exactDouble { return .double(value) }
        guard let value = Double(cursor.text(number.start..<number.end)), value.isFinite else {
            throw JSONFault(reason: .range, offset: number.start)
        }
        return .double(value)
    }

    /// `"INF"`, `"-INF"`, `"NaN"`
    @inline(never)
    private mutating func quotedDouble(_ byte: UInt8) throws(JSONFault) -> RowSlot {
        let offset = cursor.position
        guard byte == UInt8(ascii: "\"") else { throw JSONFault(reason: .type, offset: offset) }
        cursor.position += 1
        let span = try cursor.string()
        guard let value = Double.special(try string(span)) else { throw JSONFault(reason: .type, offset: offset) }
        return .double(value)
    }

    /// The digits stay as they are, whatever their number; a power of ten is worked in.
    @inline(__always)
    mutating func decimal(_ byte: UInt8) throws(JSONFault) -> RowSlot {
        guard startsNumber(byte) else { return try quotedDecimal(byte) }
        let number = try cursor.number()
        if !number.hasExponent, number.end &- number.start <= EdmDecimal.maximumDigits {
            return slot(.text, number.start, number.end)
        }
        return try unusualDecimal(cursor.text(number.start..<number.end), offset: number.start)
    }

    @inline(never)
    private mutating func unusualDecimal(_ text: String, offset: Int) throws(JSONFault) -> RowSlot {
        guard let decimal = EdmDecimal(text) else { throw JSONFault(reason: .type, offset: offset) }
        let start = extra.count
        let text = decimal.description
        // Many zeros would make the block much larger than the payload.
        extra.append(contentsOf: (text.utf8.count > 64 ? decimal.shortDescription : text).utf8)
        return .span(.text, extraSpan(from: start))
    }

    /// `"12.50"`, as decimals are written for IEEE754Compatible=true.
    private mutating func quotedDecimal(_ byte: UInt8) throws(JSONFault) -> RowSlot {
        let offset = cursor.position
        guard byte == UInt8(ascii: "\"") else { throw JSONFault(reason: .type, offset: offset) }
        cursor.position += 1
        let span = try cursor.string()
        var inner = ByteCursor(cursor.bytes, at: span.start)
        // The closing quote ends the number, so this never runs past it.
        if span.end > span.start, startsNumber(cursor.bytes[span.start]), let number = try? inner.number(),
            number.end == span.end, !number.hasExponent, span.end - span.start <= EdmDecimal.maximumDigits
        {
            return slot(.text, span.start, span.end)
        }
        let text = try string(span)
        if let value = Double.special(text) { return .double(value) }
        return try unusualDecimal(text, offset: offset)
    }
}

extension Double {
    /// `INF`, `-INF`, `NaN`: doubles, and decimals of floating scale.
    fileprivate static func special(_ text: String) -> Double? {
        switch text {
        case "INF": .infinity
        case "-INF": -.infinity
        case "NaN": .nan
        default: nil
        }
    }
}

extension ByteCursor.Number {
    /// Powers of ten that a double holds exactly.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// The value where both operands and so the result are exact to the last bit: [Clinger 1990].
    @inline(__always)
    fileprivate var exactDouble: Double? {
        guard isExact, mantissa < 1 << 53, exponent >= -22, exponent <= 22 else { return nil }
        let power = Self.powers[Int(exponent.magnitude)]
        let magnitude = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
        return isNegative ? -magnitude : magnitude
    }
}
