import ODataModel
import ODataQuery

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
        if consume("?") { skipURI { isPathByte($0) || $0 == UInt8(ascii: "?") } }
        if consume("#") { skipURI { isPathByte($0) || $0 == UInt8(ascii: "?") } }
    }

    /// Bytes of `reg-name` and those of `others`, of which `%` is before two digits: as they are written.
    ///
    /// - Parameter count: how many of them, one that is percent-encoded being one.
    mutating func uriText(_ count: ClosedRange<Int>, _ others: String) throws(QueryError) -> NameSyntax {
        let start = offset
        var length = 0
        while length < count.upperBound, let byte = peek() {
            guard InternetAddress.isRegisteredNameByte(byte) || others.utf8.contains(byte) else { break }
            if byte == UInt8(ascii: "%") {
                for _ in 0..<2 {
                    offset += 1
                    guard peek().flatMap(EdmValue.hexadecimalDigit) != nil else {
                        throw unexpected("a hexadecimal digit")
                    }
                }
            }
            offset += 1
            length += 1
        }
        guard count.contains(length) else { throw unexpected("a character of a URL") }
        return NameSyntax(text: source.string(start..<offset), offset: start)
    }

    private mutating func skipURI(_ isAllowed: (UInt8) -> Bool) {
        while let byte = peek(), isAllowed(byte) { offset += 1 }
    }
}

/// A byte of `pchar` or a slash, and the brackets of a literal address.
private func isPathByte(_ byte: UInt8) -> Bool {
    InternetAddress.isRegisteredNameByte(byte) || ":@/[]".utf8.contains(byte)
}
