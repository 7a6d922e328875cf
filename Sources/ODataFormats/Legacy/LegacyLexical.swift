import ODataModel

/// Values as V2 and V3 spell them in text: in Atom, and in the strings of verbose JSON.
///
/// [OData V2 Overview, section 6; OData-JSON-Verbose-Format V3, section 7]
package enum LegacyLexical {
    /// Reads the value of a V4 type from the spelling of V2; nil if `text` is not such a value.
    ///
    /// ```
    /// 2012-05-29T09:13:28        Edm.DateTime, taken as UTC
    /// /Date(1338282808000+0060)/ Edm.DateTimeOffset in JSON, the offset in minutes
    /// PT13H20M                   Edm.Time
    /// ```
    static func value(_ text: String, _ primitive: EdmPrimitiveType) -> EdmValue? {
        if primitive == .string { return .string(text) }
        let text = trimmed(text)
        switch primitive {
        case .boolean: return boolean(text)
        case .dateTimeOffset, .date, .timeOfDay:
            return EdmTimeOfDay.isLeapSecond(in: text) ? nil : time(text, primitive)
        case .duration: return EdmDuration(text).map(EdmValue.duration)
        case .double, .single: return double(text, primitive).map(EdmValue.double)
        case .binary: return EdmValue.bytes(base64: text.filter { !$0.isWhitespace }).map(EdmValue.binary)
        case .untyped, .primitiveType: return .string(text)
        default:
            let digits = text.hasPrefix("+") ? String(text.dropFirst()) : text
            return EdmValue(lexical: digits, type: .primitive(primitive))
        }
    }

    /// `2012-05-29T09:13:28`, `2012-05-29`, `PT13H20M`
    private static func time(_ text: String, _ primitive: EdmPrimitiveType) -> EdmValue? {
        switch primitive {
        case .dateTimeOffset: dateTime(text).map(EdmValue.dateTimeOffset)
        case .date: (EdmDate(text) ?? dateTime(text)?.date).map(EdmValue.date)
        default: timeOfDay(text).map(EdmValue.timeOfDay)
        }
    }

    /// The same for what a service sends, where a leap second, and midnight at the end of a day, `PT24H00M00S` of SAP
    /// services, is the second before it, so that one such value does not end the whole read.
    static func received(_ text: String, _ primitive: EdmPrimitiveType) -> EdmValue? {
        if let value = value(text, primitive) { return value }
        if [.dateTimeOffset, .date, .timeOfDay].contains(primitive), let value = time(trimmed(text), primitive) {
            return value
        }
        guard primitive == .timeOfDay, EdmDuration(trimmed(text)) == EdmDuration(seconds: 86_400) else { return nil }
        return EdmTimeOfDay(hour: 23, minute: 59, second: 59).map(EdmValue.timeOfDay)
    }

    /// What helps against a value that could not be read: a sentence after a space, or nothing.
    static func advice(_ property: EdmProperty, refused text: String) -> String {
        guard property.type == .primitive(.timeOfDay), EdmDuration(trimmed(text)) != nil else { return "" }
        let value = text.prefix(40)
        return " “\(value)” is not within one day; a query whose $select leaves \(property.name) out can be read."
    }

    private static func trimmed(_ text: String) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard text.utf8.first.map(isSpace) == true || text.utf8.last.map(isSpace) == true else { return text }
        return String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    private static func boolean(_ text: String) -> EdmValue? {
        switch text.lowercased() {
        case "true", "1": .boolean(true)
        case "false", "0": .boolean(false)
        default: nil
        }
    }

    private static func double(_ text: String, _ type: EdmPrimitiveType) -> Double? {
        switch text {
        case "Infinity": .infinity
        case "-Infinity": -.infinity
        default: Double(lexical: text, of: type)
        }
    }

    /// `2012-05-29T09:13:28`, `…Z`, `…+02:00`, `2012-05-29`, `/Date(1338282808000)/`; without an offset it is UTC.
    package static func dateTime(_ text: String) -> EdmDateTimeOffset? {
        if text.hasPrefix("/Date(") { return ticks(text) }
        if let value = EdmDateTimeOffset(text, defaultOffset: 0) { return value }
        return EdmDate(text).map { EdmDateTimeOffset(date: $0, time: .midnight) }
    }

    /// `/Date(1338282808000)/`, `/Date(-5+0060)/`: milliseconds of the instant, and the offset in minutes.
    private static func ticks(_ text: String) -> EdmDateTimeOffset? {
        guard text.hasSuffix(")/") else { return nil }
        let content = text.dropFirst("/Date(".count).dropLast(2)
        let sign = content.dropFirst().lastIndex { $0 == "+" || $0 == "-" }
        guard let milliseconds = Int64(content[..<(sign ?? content.endIndex)]) else { return nil }
        var offset = 0
        if let sign {
            guard let minutes = Int(content[sign...]), abs(minutes) <= 14 * 60 else { return nil }
            offset = minutes
        }
        let days = milliseconds / 86_400_000
        guard abs(days) < 400_000_000 else { return nil }
        let fraction = (milliseconds % 1000 + 1000) % 1000
        return EdmDateTimeOffset(
            secondsSinceEpoch: (milliseconds - fraction) / 1000, picosecond: fraction * 1_000_000_000,
            offsetMinutes: offset)
    }

    /// `PT13H20M5.5S`, or `13:20:05.5`.
    private static func timeOfDay(_ text: String) -> EdmTimeOfDay? {
        if let time = EdmTimeOfDay(text) { return time }
        guard let duration = EdmDuration(text), (0..<86_400).contains(duration.seconds) else { return nil }
        let second = Int(duration.seconds)
        return EdmTimeOfDay(
            hour: second / 3600, minute: second / 60 % 60, second: second % 60, picosecond: duration.picoseconds)
    }
}
