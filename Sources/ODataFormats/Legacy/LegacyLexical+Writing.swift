import ODataModel

extension LegacyLexical {
    /// The text of a primitive value in Atom: `2012-05-29T09:13:28`, `PT13H20M`, `12.50`.
    ///
    /// - Parameter typeName: The V2 name of the type, such as `Edm.DateTime`.
    static func text(_ value: EdmValue, typeName: String) -> String {
        switch value {
        case .dateTimeOffset(let value):
            if typeName != "Edm.DateTime" { return value.description }
            return String(value.utc.description.dropLast())
        case .date(let value): return "\(value)T00:00:00"
        case .timeOfDay(let value): return duration(value).description
        case .binary(let bytes): return base64(bytes)
        default: return value.lexical
        }
    }

    /// A primitive value in verbose JSON. Numbers that a double may not hold are strings.
    ///
    /// - Parameter usesTicks: Whether dates are written `/Date(1338282808000)/`, as in V1 and V2; V3 has the text.
    static func appendJSON(_ value: EdmValue, typeName: String, usesTicks: Bool, to bytes: inout [UInt8]) {
        switch (value, typeName) {
        case (.null, _), (.boolean, _), (.complex, _), (.collection, _), (.geo, _): value.appendJSON(to: &bytes)
        case (.integer, "Edm.Int64"): JSONText.append(quoted: value.lexical, to: &bytes)
        case (.integer, _): value.appendJSON(to: &bytes)
        case (.dateTimeOffset(let date), _) where usesTicks:
            JSONText.append(quoted: ticks(date, withOffset: typeName != "Edm.DateTime"), to: &bytes)
        case (.date(let date), _) where usesTicks:
            let value = EdmDateTimeOffset(date: date, time: .midnight)
            JSONText.append(quoted: ticks(value, withOffset: false), to: &bytes)
        default: JSONText.append(quoted: text(value, typeName: typeName), to: &bytes)
        }
    }

    /// `/Date(1338282808000+0060)/`; what is finer than a millisecond is lost.
    private static func ticks(_ value: EdmDateTimeOffset, withOffset: Bool) -> String {
        let milliseconds = value.secondsSinceEpoch * 1000 + value.time.picosecond / 1_000_000_000
        guard withOffset else { return "/Date(\(milliseconds))/" }
        let sign = value.offsetMinutes < 0 ? "-" : "+"
        return "/Date(\(milliseconds)\(sign)\(padded(value.offsetMinutes.magnitude, to: 4)))/"
    }

    private static func duration(_ time: EdmTimeOfDay) -> EdmDuration {
        EdmDuration(seconds: Int64(time.secondOfDay), picoseconds: time.picosecond)
    }

    /// Plain base64 with padding.
    static func base64(_ bytes: [UInt8]) -> String {
        var text = EdmValue.base64URL(bytes)
        text = String(decoding: text.utf8.map { $0 == 0x2D ? 0x2B : $0 == 0x5F ? 0x2F : $0 }, as: UTF8.self)
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }
}
