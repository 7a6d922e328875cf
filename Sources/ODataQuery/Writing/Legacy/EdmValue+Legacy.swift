import ODataModel

extension EdmValue {
    /// The V2 literal, not percent-encoded: `datetime'2024-01-02T00:00:00'`, `12.5M`, `7L`.
    ///
    /// - Parameter original: the type in the V2 metadata, where V4 has another: `Edm.DateTime`.
    /// [OData V2, Overview, section 6: Primitive Data Types]
    func legacyLiteral(_ type: EdmTypeReference?, original: String?) -> String {
        switch self {
        case .integer(let number): type == .int64 ? "\(number)L" : "\(number)"
        case .decimal(let number): type == .double || type == .primitive(.single) ? number.description : "\(number)M"
        case .double(let number):
            Self.literal(of: number) + (number.isFinite ? (type == .primitive(.single) ? "f" : "d") : "")
        case .guid(let guid): "guid'\(guid)'"
        case .binary(let bytes): "X'" + bytes.map { Self.hexadecimal($0) }.joined() + "'"
        case .date(let date): "datetime'\(date)T00:00:00'"
        case .dateTimeOffset(let instant): Self.legacy(instant, isDateTime: original == "Edm.DateTime")
        case .timeOfDay(let time): "time'\(Self.duration(time))'"
        case .duration(let duration): quotedLiteral(duration.description)
        case .enumeration(_, let text): quotedLiteral(text)
        default: urlLiteral
        }
    }

    private static func legacy(_ instant: EdmDateTimeOffset, isDateTime: Bool) -> String {
        guard isDateTime else { return "datetimeoffset'\(instant)'" }
        let utc = EdmDateTimeOffset(
            secondsSinceEpoch: instant.secondsSinceEpoch, picosecond: instant.time.picosecond)
        return "datetime'\(utc.description.dropLast(utc.description.hasSuffix("Z") ? 1 : 0))'"
    }

    /// `07:59:59.5` → `PT7H59M59.5S`
    private static func duration(_ time: EdmTimeOfDay) -> String {
        // The seconds as the time's own text has them: `59.5`
        "PT\(time.hour)H\(time.minute)M" + String(time.description.drop { $0 != ":" }.dropFirst(4)) + "S"
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.utf8.count == 1 ? "0" + digits : digits
    }
}

extension EntityKey {
    /// `(1)`, `(OrderID=1,ProductID=2L)`, percent-encoded but for the quotes.
    func legacyText(of type: EdmStructuredType?) -> String {
        func text(_ component: EdmComplexValue.Member) -> String {
            let name = component.name.isEmpty ? type?.key.first ?? "" : component.name
            let property = type?.property(named: name)
            let literal = component.value.legacyLiteral(property?.type, original: property?.legacyType)
            return percentEncoded(literal, allowing: Set("'".utf8))
        }
        guard components.count != 1 else { return "(" + text(components[0]) + ")" }
        return "(" + components.map { percentEncoded($0.name) + "=" + text($0) }.joined(separator: ",") + ")"
    }
}
