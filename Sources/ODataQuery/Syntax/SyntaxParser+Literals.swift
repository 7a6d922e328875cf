import ODataModel

/// Primitive literals.
///
/// [OData-ABNF, section 7: Literal Data Values]
extension SyntaxParser {
    /// A literal, or nil (and nothing taken) if there is something else.
    package mutating func literal(nameEnd: Int? = nil) throws(QueryError) -> EdmValue? {
        guard let byte = peek() else { return nil }
        if byte == UInt8(ascii: "'") { return .string(try quotedText()) }
        if let guid = guid() { return .guid(guid) }
        if ODataQuery.isDigit(byte) { return try numberOrDate() }
        if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") {
            // The grammar has `%2B` for the sign.
            if isStrict, source.isPlusSign(at: offset) { return nil }
            return isDigit(1) || isInfinity(1) ? try numberOrDate() : nil
        }
        return isIdentifierByte(byte) ? try namedLiteral(offset..<(nameEnd ?? self.nameEnd(from: offset))) : nil
    }

    /// `null`, `true`, `false`, `INF`, `NaN`, `duration'PT1H'`, `binary'AAE'`, `Model.Color'Red'`
    private mutating func namedLiteral(_ name: Range<Int>) throws(QueryError) -> EdmValue? {
        guard name.upperBound < end else { return constant(name) }
        switch source.text[name.upperBound] {
        case UInt8(ascii: "'"):
            if isGeoPrefix(name) { return nil }
            return try prefixedLiteral(self.name("a literal"))
        case UInt8(ascii: "/"), UInt8(ascii: "("): return nil
        default: return constant(name)
        }
    }

    private static let constants: [(word: UInt64, value: EdmValue)] = [
        (packed("true".utf8), .boolean(true)), (packed("false".utf8), .boolean(false)), (packed("null".utf8), .null),
        (packed("INF".utf8), .double(.infinity)), (packed("NaN".utf8), .double(.nan)),
    ]

    private mutating func constant(_ range: Range<Int>) -> EdmValue? {
        guard (3...5).contains(range.count) else { return nil }
        let word = word(range)
        guard let value = Self.constants.first(where: { $0.word == word })?.value ?? boolean(range) else { return nil }
        offset = range.upperBound
        return value
    }

    /// `TRUE`, `False`: only these are read in any case.
    private func boolean(_ range: Range<Int>) -> EdmValue? {
        guard range.count >= 4 else { return nil }
        let lower = source.text[range].reduce(0) { $0 << 8 | UInt64($1 | 0x20) }
        return lower == packed("true".utf8) ? .boolean(true) : lower == packed("false".utf8) ? .boolean(false) : nil
    }

    private func isGeoPrefix(_ range: Range<Int>) -> Bool {
        guard range.count == 8 || range.count == 9, source.text[range.lowerBound] | 0x20 == UInt8(ascii: "g") else {
            return false
        }
        let name = source.string(range).lowercased()
        return name == "geography" || name == "geometry"
    }

    private mutating func prefixedLiteral(_ name: NameSyntax) throws(QueryError) -> EdmValue {
        if dialect.isLegacy, let value = try legacyLiteral(name) { return value }
        let start = offset
        let text = try quotedText()
        switch name.text.lowercased() {
        case "duration":
            guard let value = EdmDuration(text) else { throw invalid("a duration such as duration'PT1H'", at: start) }
            return .duration(value)
        case "binary":
            guard let bytes = EdmValue.bytes(base64: text), !isStrict || isBinary((start + 1)..<(offset - 1)) else {
                throw invalid("base64url text", at: start)
            }
            return .binary(bytes)
        default:
            guard name.isQualified else {
                throw error(.syntax, "There are no literals that start so.", at: name.offset, expected: "a literal")
            }
            return .enumeration(EdmQualifiedName(name.text), text)
        }
    }

    /// `binaryValue` alone: of base64 only letters for URLs, no bits over, and no sign `=` too many.
    private func isBinary(_ range: Range<Int>) -> Bool {
        var parser = SyntaxParser(source, range: range, limits: limits)
        do { try parser.binaryText() } catch { return false }
        return parser.isAtEnd
    }

    /// `binaryValue`
    package mutating func binaryText() throws(QueryError) {
        let start = offset
        while let byte = peek(),
            isLetter(byte) || ODataQuery.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        {
            offset += 1
        }
        let rest = (offset - start) % 4
        let last = offset > start ? source.text[offset - 1] : 0
        let lasts = rest == 2 ? "AQgw" : "AEIMQUYcgkosw048"
        guard rest == 0 || (rest > 1 && lasts.utf8.contains(last)) else {
            throw unexpected("another digit of base64url")
        }
        if rest == 3 { _ = consume("=") }
        if rest == 2, isNext("="), isNext("=", 1) { offset += 2 }
    }

    /// `string`: `'O''Neil'`
    package mutating func quotedText() throws(QueryError) -> String {
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

    func isInfinity(_ distance: Int) -> Bool {
        isNext("I", distance) && isNext("N", distance + 1) && isNext("F", distance + 2)
            && !(peek(distance + 3).map { isIdentifierByte($0) || ODataQuery.isDigit($0) } ?? false)
    }

    package func invalid(_ expected: String, at offset: Int) -> QueryError {
        error(.syntax, "The literal is not valid.", at: offset, expected: expected)
    }
}
