/// URIs inside headers.
///
/// [RFC 3986, section 3]
extension SyntaxParser {
    /// `URI`
    mutating func uri() throws(QueryError) {
        guard let first = peek(), isLetter(first) else { throw unexpected("an absolute URL") }
        while let byte = peek(), isLetter(byte) || ODataQuery.isDigit(byte) || "+-.".utf8.contains(byte) { offset += 1 }
        try expect(":")
        let start = offset
        skipURI { isPathByte($0) }
        guard offset > start else { throw unexpected("what follows the scheme") }
        if take("?") { skipURI { isPathByte($0) || $0 == UInt8(ascii: "?") } }
        if take("#") { skipURI { isPathByte($0) || $0 == UInt8(ascii: "?") } }
    }

    private mutating func skipURI(_ isAllowed: (UInt8) -> Bool) {
        while let byte = peek(), isAllowed(byte) { offset += 1 }
    }
}

/// A byte of `pchar` or a slash, and the brackets of a literal address.
private func isPathByte(_ byte: UInt8) -> Bool {
    InternetAddress.isRegisteredNameByte(byte) || ":@/[]".utf8.contains(byte)
}
