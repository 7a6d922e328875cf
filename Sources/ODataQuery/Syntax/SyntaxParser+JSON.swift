import ODataModel

/// Arrays and objects with expressions as values.
///
/// [OData-ABNF, section 5: JSON format for queries]
extension SyntaxParser {
    /// `array`: `[1,Price,"a"]`
    mutating func array() throws(QueryError) -> ExpressionSyntax {
        let start = offset
        try expect("[")
        skipSpace()
        var items: [ExpressionSyntax] = []
        var height = 0
        if !take("]") {
            repeat {
                try tally()
                let item = try parameterValue()
                height = max(height, item.height)
                items.append(item)
            } while takeComma()
            skipSpace()
            try expect("]", "an operator, ',' or ']'")
        }
        return try node(.array(items), at: start, over: height)
    }

    /// `object`: `{"Name":"Ada","Age":Age add 1}`
    mutating func object() throws(QueryError) -> ExpressionSyntax {
        let start = offset
        try expect("{")
        skipSpace()
        var members: [MemberSyntax] = []
        var height = 0
        if !take("}") {
            repeat {
                try tally()
                let member = try member()
                height = max(height, member.value.height)
                members.append(member)
            } while takeComma()
            skipSpace()
            try expect("}", "an operator, ',' or '}'")
        }
        return try node(.object(members), at: start, over: height)
    }

    /// `member`
    mutating func member() throws(QueryError) -> MemberSyntax {
        let start = offset
        guard isNext("\"") else { throw unexpected("a name in double quotes") }
        let name = NameSyntax(text: try stringInUrl(), offset: start)
        skipSpace()
        try expect(":")
        skipSpace()
        return MemberSyntax(name: name, value: try parameterValue())
    }

    mutating func jsonString() throws(QueryError) -> ExpressionSyntax {
        let start = offset
        return ExpressionSyntax(kind: .literal(.string(try stringInUrl())), offset: start, height: 1)
    }

    /// `stringInUrl`: `"a\n\u0041"`
    mutating func stringInUrl() throws(QueryError) -> String {
        let start = offset
        try expect("\"", "a string in double quotes")
        var bytes: [UInt8] = []
        while let byte = peek(), byte != UInt8(ascii: "\"") { try charInJSON(byte, into: &bytes) }
        guard take("\"") else {
            throw error(.syntax, "The string that starts here does not end.", at: start, expected: "a closing '\"'")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `charInJSON`, or one byte of it.
    private mutating func charInJSON(_ byte: UInt8, into bytes: inout [UInt8]) throws(QueryError) {
        guard byte >= 0x20 else { throw unexpected("an escape such as \\n") }
        offset += 1
        if byte == UInt8(ascii: "\\") { try escape(into: &bytes) } else { bytes.append(byte) }
    }

    /// One character of a string in JSON.
    mutating func charInJSON() throws(QueryError) {
        guard let byte = peek(), byte != UInt8(ascii: "\"") else { throw unexpected("a character") }
        var bytes: [UInt8] = []
        try charInJSON(byte, into: &bytes)
        while let byte = peek(), byte & 0xC0 == 0x80 { try charInJSON(byte, into: &bytes) }
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
        UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10,
        UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
    ]

    /// What follows a reverse solidus.
    private mutating func escape(into bytes: inout [UInt8]) throws(QueryError) {
        guard let byte = peek() else { throw unexpected("an escape") }
        if byte == UInt8(ascii: "u") {
            offset += 1
            return try unicodeEscape(into: &bytes)
        }
        guard let value = Self.escapes[byte] else { throw unexpected("an escape such as \\n or \\u0041") }
        offset += 1
        bytes.append(value)
    }

    private mutating func unicodeEscape(into bytes: inout [UInt8]) throws(QueryError) {
        let start = offset
        var code = try fourHexDigits()
        if 0xD800..<0xDC00 ~= code, isNext("\\"), isNext("u", 1) {
            offset += 2
            let low = try fourHexDigits()
            guard 0xDC00..<0xE000 ~= low else { throw invalid("a pair of surrogates", at: start) }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw invalid("a pair of surrogates", at: start) }
        bytes += Array(String(Character(scalar)).utf8)
    }

    private mutating func fourHexDigits() throws(QueryError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = peek().flatMap(EdmValue.hexadecimalDigit) else {
                throw unexpected("four hexadecimal digits")
            }
            code = code << 4 | UInt32(digit)
            offset += 1
        }
        return code
    }
}
