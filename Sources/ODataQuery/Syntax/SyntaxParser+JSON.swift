import ODataModel

/// Arrays and objects with expressions as values.
///
/// [OData-ABNF, section 5: JSON format for queries]
extension SyntaxParser {
    /// `array`: `[1,Price,"a"]`
    package mutating func array() throws(QueryError) -> ExpressionSyntax {
        let start = offset
        try expect("[")
        skipSpace()
        var items: [ExpressionSyntax] = []
        var height = 0
        if !consume("]") {
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
    package mutating func object() throws(QueryError) -> ExpressionSyntax {
        let start = offset
        try expect("{")
        skipSpace()
        var members: [MemberSyntax] = []
        var height = 0
        if !consume("}") {
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
    package mutating func member() throws(QueryError) -> MemberSyntax {
        let start = offset
        guard isNext("\"") else { throw unexpected("a name in double quotes") }
        let name = NameSyntax(text: try stringInUrl(), offset: start)
        skipSpace()
        try expect(":")
        skipSpace()
        return MemberSyntax(name: name, value: try parameterValue())
    }

    package mutating func jsonString() throws(QueryError) -> ExpressionSyntax {
        let start = offset
        return ExpressionSyntax(kind: .literal(.string(try stringInUrl())), offset: start, height: 1)
    }

    /// `stringInUrl`: `"a\n\u0041"`
    package mutating func stringInUrl() throws(QueryError) -> String {
        let start = offset
        try expect("\"", "a string in double quotes")
        var bytes: [UInt8] = []
        while let byte = peek(), byte != UInt8(ascii: "\"") { try charInJSON(byte, into: &bytes) }
        guard consume("\"") else {
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
    package mutating func charInJSON() throws(QueryError) {
        guard let byte = peek(), byte != UInt8(ascii: "\"") else { throw unexpected("a character") }
        var bytes: [UInt8] = []
        try charInJSON(byte, into: &bytes)
        while let byte = peek(), byte & 0xC0 == 0x80 { try charInJSON(byte, into: &bytes) }
    }

    /// What follows a reverse solidus.
    private mutating func escape(into bytes: inout [UInt8]) throws(QueryError) {
        let start = offset - 1
        do throws(JSONEscape.Fault) {
            let escape = try JSONEscape { [source, end] in start + $0 < end ? source.text[start + $0] : nil }
            escape.append(to: &bytes)
            offset = start + escape.length
        } catch {
            offset = start + error.offset
            switch error.reason {
            case .escape where isAtEnd: throw unexpected("an escape")
            case .escape: throw unexpected("an escape such as \\n or \\u0041")
            case .digit: throw unexpected("four hexadecimal digits")
            case .surrogate: throw invalid("a pair of surrogates", at: offset)
            }
        }
    }
}
