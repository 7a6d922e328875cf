import ODataQuery

/// Headers of the protocol.
///
/// [OData-ABNF, section 8: Header values]
extension SyntaxParser {
    /// `header`: `OData-Version: 4.01`
    mutating func header() throws(QueryError) -> HeaderSyntax {
        let start = offset
        let name = token().lowercased()
        guard consume(":") else { throw unexpected("':'") }
        skipBlanks()
        switch name {
        case "asyncresult": return .asyncResult(try statusCode())
        case "content-id": return .contentID(try requestID())
        case "isolation", "odata-isolation": return try isolation()
        case "odata-entityid": return .entityID(try visibleText("an IRI"))
        case "odata-error": return .error(try errorObject())
        case "odata-maxversion": return .maxVersion(try maxVersion())
        case "odata-version": return .version(try version())
        case "prefer": return .prefer(try preferences())
        default:
            offset = start
            throw unexpected("a header of the protocol, such as OData-Version")
        }
    }

    /// `OWS`
    mutating func skipBlanks() { while isNext(" ") || isNext("\t") { offset += 1 } }

    /// `token` [RFC 9110, section 5.6.2]
    mutating func token() -> String {
        let start = offset
        while let byte = peek(), isUnreserved(byte) || "!#$%&'*+^`|".utf8.contains(byte) { offset += 1 }
        return source.string(start..<offset)
    }

    private mutating func statusCode() throws(QueryError) -> Int {
        guard isDigit(), isDigit(1), isDigit(2), !isDigit(3) else { throw unexpected("a status code") }
        return try nonNegativeInteger()
    }

    /// `request-id`
    mutating func requestID() throws(QueryError) -> String {
        let start = offset
        while let byte = peek(), isUnreserved(byte) { offset += 1 }
        guard offset > start else { throw unexpected("an id of letters, digits, '-', '.', '_' and '~'") }
        return source.string(start..<offset)
    }

    private mutating func isolation() throws(QueryError) -> HeaderSyntax {
        let start = offset
        guard token().lowercased() == "snapshot" else {
            offset = start
            throw unexpected("snapshot")
        }
        return .isolation
    }

    /// `IRI-in-header`: all visible characters.
    private mutating func visibleText(_ expected: String) throws(QueryError) -> String {
        let start = offset
        while let byte = peek(), byte > 0x20, byte != 0x7F { offset += 1 }
        guard offset > start else { throw unexpected(expected) }
        return source.string(start..<offset)
    }

    /// `{"code":` and what follows.
    private mutating func errorObject() throws(QueryError) -> String {
        let start = offset
        for byte in "{\"code\":".utf8 {
            guard peek() == byte else { throw unexpected("{\"code\":…") }
            offset += 1
        }
        while let byte = peek(), byte >= 0x20, byte < 0x7F { offset += 1 }
        return source.string(start..<offset)
    }

    private mutating func maxVersion() throws(QueryError) -> String {
        let start = offset
        _ = try nonNegativeInteger()
        try expect(".")
        _ = try nonNegativeInteger()
        return source.string(start..<offset)
    }

    /// `4.0`, `4.01`
    private mutating func version() throws(QueryError) -> String {
        let start = offset
        for byte in "4.0".utf8 {
            guard peek() == byte else { throw unexpected("4.0 or 4.01") }
            offset += 1
        }
        if isDigit(), !isNext("0") { offset += 1 }
        return source.string(start..<offset)
    }
}
