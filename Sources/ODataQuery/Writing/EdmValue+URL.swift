import ODataModel

extension EdmValue {
    /// The V4 literal of this value, not percent-encoded: `'O''Neil'`, `2024-01-02`, `duration'PT1H'`.
    ///
    /// Complex values and collections are JSON.
    /// [OData-ABNF, `primitiveLiteral`]
    public var urlLiteral: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        case .double(let value): Self.literal(of: value)
        case .decimal(let value): value.description
        case .string(let value): quotedLiteral(value)
        case .binary(let bytes): "binary'\(Self.base64URL(bytes))'"
        case .guid(let value): value.description
        case .date(let value): value.description
        case .dateTimeOffset(let value): value.description
        case .timeOfDay(let value): value.description
        case .duration(let value): "duration'\(value)'"
        case .enumeration(let type, let text): "\(type)'\(text)'"
        case .geo: geoLiteral(nil)?.text ?? "null"
        case .complex, .collection: String(decoding: jsonText, as: UTF8.self)
        }
    }

    /// The literal where its type is known.
    func expressionLiteral(_ type: EdmTypeReference?) -> String {
        geoLiteral(type)?.text ?? urlLiteral
    }

    static func literal(of value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-INF" : "INF" }
        return "\(value)"
    }
}

/// `'O''Neil'`
func quotedLiteral(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "'")) else { return "'\(text)'" }
    var bytes = [UInt8(ascii: "'")]
    for byte in text.utf8 {
        bytes.append(byte)
        if byte == UInt8(ascii: "'") { bytes.append(byte) }
    }
    bytes.append(UInt8(ascii: "'"))
    return String(decoding: bytes, as: UTF8.self)
}

extension EntityKey {
    /// The key predicate, percent-encoded: `(1)`, `('a%27%27b')`, `(OrderID=1,ProductID=2)`
    public var urlText: String { written { percentEncoded($0) } }

    /// The key predicate, not percent-encoded.
    var text: String { written { $0 } }

    private func written(_ encoded: (String) -> String) -> String {
        guard components.count != 1 else { return "(" + Self.text(of: components[0].value, encoded) + ")" }
        let pairs = components.map { encoded($0.name) + "=" + Self.text(of: $0.value, encoded) }
        return "(" + pairs.joined(separator: ",") + ")"
    }

    /// The quotes around a literal stay as they are, quotes inside it are encoded.
    private static func text(of value: EdmValue, _ encoded: (String) -> String) -> String {
        let literal = value.urlLiteral
        guard literal.utf8.last == UInt8(ascii: "'"), let quote = literal.firstIndex(of: "'") else {
            return encoded(literal)
        }
        let content = literal[literal.index(after: quote)...].dropLast()
        return encoded(String(literal[..<quote])) + "'" + encoded(String(content)) + "'"
    }
}
