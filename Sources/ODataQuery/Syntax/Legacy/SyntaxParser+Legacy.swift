import ODataModel

/// Literals of V2 and V3, as values of V4.
///
/// [MC-ODATA, section 2.2.2: Abstract Type System]
extension SyntaxParser {
    /// `datetime'2012-01-01T00:00:00'`, `time'PT13H20M'`, `guid'…'`, `X'1F'`: from the quote; nil if the name does not
    /// belong to V2.
    mutating func legacyLiteral(_ name: NameSyntax) throws(QueryError) -> EdmValue? {
        let start = offset
        switch name.text.lowercased() {
        case "datetime": return try dateTime(quotedText(), at: start)
        case "datetimeoffset": return try dateTimeOffset(quotedText(), at: start)
        case "time": return try time(quotedText(), at: start)
        case "guid":
            guard let value = EdmGuid(try quotedText()) else { throw invalid("a GUID", at: start) }
            return .guid(value)
        case "x", "binary":
            guard let bytes = EdmValue.bytes(hexadecimal: try quotedText()) else {
                throw invalid("pairs of hexadecimal digits", at: start)
            }
            return .binary(bytes)
        default: return nil
        }
    }

    /// Without an offset: it becomes that of the coordinated time.
    private func dateTime(_ text: String, at start: Int) throws(QueryError) -> EdmValue {
        let isDate = text.utf8.count == 10
        guard let value = EdmDateTimeOffset(text + (isDate ? "T00:00:00Z" : text.hasSuffix("Z") ? "" : "Z")) else {
            throw invalid("a date and time such as 2012-01-31T13:20:00", at: start)
        }
        return .dateTimeOffset(value)
    }

    /// A plus sign that was read as a space is put back.
    private func dateTimeOffset(_ text: String, at start: Int) throws(QueryError) -> EdmValue {
        let text = text.utf8.contains(0x20) ? text.split(separator: " ").joined(separator: "+") : text
        guard let value = EdmDateTimeOffset(text) else {
            throw invalid("a date and time such as 2012-01-31T13:20:00+02:00", at: start)
        }
        return .dateTimeOffset(value)
    }

    /// `PT13H20M` is a time of day, if it is one.
    private func time(_ text: String, at start: Int) throws(QueryError) -> EdmValue {
        guard let duration = EdmDuration(text) else {
            if let time = EdmTimeOfDay(text) { return .timeOfDay(time) }
            throw invalid("a time such as PT13H20M", at: start)
        }
        return EdmTimeOfDay(sinceMidnight: text).map { .timeOfDay($0) } ?? .duration(duration)
    }

    /// `12L`, `12.5M`, `1.5d`, `1.5f`: takes the letter after the number that started at `start`; nil without one.
    mutating func legacyNumber(from start: Int) throws(QueryError) -> EdmValue? {
        guard dialect.isLegacy, let letter = peek() else { return nil }
        if let next = peek(1), isIdentifierByte(next) || ODataQuery.isDigit(next) { return nil }
        let text = source.string(start..<offset)
        let value: EdmValue?
        switch letter | 0x20 {
        case UInt8(ascii: "l"): value = Int64(text).map { .integer($0) }
        case UInt8(ascii: "m"): value = EdmDecimal(text).map { .decimal($0) }
        case UInt8(ascii: "d"): value = Double(digits: text).map { .double($0) }
        case UInt8(ascii: "f"): value = Double(digits: text, of: .single).map { .double($0) }
        default: return nil
        }
        guard let value else { throw invalid("a number that fits its suffix", at: start) }
        offset += 1
        return value
    }
}

extension EdmTimeOfDay {
    /// The time of day that is as long after midnight as `duration` says: `PT13H20M59.5S`; nil if it is not one.
    fileprivate init?(sinceMidnight duration: String) {
        guard duration.hasPrefix("PT") else { return nil }
        var parts = ["H": "00", "M": "00", "S": "00"]
        var digits = ""
        for character in duration.dropFirst(2) {
            if character.isNumber || character == "." {
                digits.append(character)
            } else {
                guard parts[String(character)] == "00", !digits.isEmpty else { return nil }
                let whole = digits.prefix { $0 != "." }
                parts[String(character)] = String(repeating: "0", count: max(0, 2 - whole.count)) + digits
                digits = ""
            }
        }
        // A minute of seconds is none of a leap second.
        guard let hour = parts["H"], let minute = parts["M"], let second = parts["S"], !second.hasPrefix("60") else {
            return nil
        }
        self.init("\(hour):\(minute):\(second)")
    }
}
