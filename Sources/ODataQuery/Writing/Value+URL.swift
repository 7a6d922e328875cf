import ODataModel

extension Value {
    /// The V4 literal of this value, not percent-encoded: `'O''Neil'`, `2024-01-02`, `duration'PT1H'`.
    ///
    /// Complex values are JSON, collections lists: `('a','b')`.
    /// [OData-ABNF, `primitiveLiteral`]
    public var urlLiteral: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        case .double(let value): Self.literal(of: value)
        case .decimal(let value): value.description
        case .string(let value): Self.quotedLiteral(value)
        case .binary(let bytes): "binary'\(Self.base64URL(bytes))'"
        case .guid(let value): value.description
        case .date(let value): value.description
        case .dateTimeOffset(let value): value.description
        case .timeOfDay(let value): value.description
        case .duration(let value): "duration'\(value)'"
        case .enumeration(let type, let text): "\(type)'\(text)'"
        case .geo(let text): text
        case .complex: String(decoding: jsonText, as: UTF8.self)
        case .collection(let values): "(" + values.map(\.urlLiteral).joined(separator: ",") + ")"
        }
    }

    private static func literal(of value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-INF" : "INF" }
        return "\(value)"
    }

    private static func quotedLiteral(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "'")) else { return "'\(text)'" }
        var bytes = [UInt8(ascii: "'")]
        for byte in text.utf8 {
            bytes.append(byte)
            if byte == UInt8(ascii: "'") { bytes.append(byte) }
        }
        bytes.append(UInt8(ascii: "'"))
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension EntityKey {
    /// The key predicate, percent-encoded: `(1)`, `('a%27%27b')`, `(OrderID=1,ProductID=2)`
    public var urlText: String {
        guard components.count != 1 else { return "(" + Self.text(of: components[0].value) + ")" }
        let pairs = components.map { percentEncoded($0.name) + "=" + Self.text(of: $0.value) }
        return "(" + pairs.joined(separator: ",") + ")"
    }

    /// The quotes around a literal stay as they are, quotes inside it are encoded.
    private static func text(of value: Value) -> String {
        let literal = value.urlLiteral
        guard literal.utf8.last == UInt8(ascii: "'"), let quote = literal.firstIndex(of: "'") else {
            return percentEncoded(literal)
        }
        let content = literal[literal.index(after: quote)...].dropLast()
        return percentEncoded(String(literal[..<quote])) + "'" + percentEncoded(String(content)) + "'"
    }
}
