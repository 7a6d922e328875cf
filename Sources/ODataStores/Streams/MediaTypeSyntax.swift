/// How media types are written: `image/png`, `text/plain; charset="utf-8"`.
package enum MediaTypeSyntax {
    /// Whether `text` is the type of some content: not a range such as `image/*`. Clients end it with a semicolon, too:
    /// `text/html;`. Elsewhere a parameter is not empty, as in the version of HTTP that OData rests on.
    ///
    /// [RFC 7231, section 3.1.1.1; RFC 9110, section 5.6.6]
    package static func isWellFormed(_ text: String) -> Bool {
        var rest = text.utf8[...]
        guard let type = takeToken(&rest), consume("/", &rest), let subtype = takeToken(&rest) else { return false }
        guard !type.contains(UInt8(ascii: "*")), !subtype.contains(UInt8(ascii: "*")) else { return false }
        while !rest.isEmpty {
            skipBlanks(&rest)
            guard consume(";", &rest) else { return false }
            skipBlanks(&rest)
            guard rest.isEmpty || takeParameter(&rest) else { return false }
        }
        return true
    }

    /// `charset=utf-8`, `charset="utf-8"`
    private static func takeParameter(_ rest: inout Substring.UTF8View) -> Bool {
        guard takeToken(&rest) != nil, consume("=", &rest) else { return false }
        return rest.first == UInt8(ascii: "\"") ? takeQuoted(&rest) : takeToken(&rest) != nil
    }

    /// [RFC 9110, section 5.6.4]
    private static func takeQuoted(_ rest: inout Substring.UTF8View) -> Bool {
        rest = rest.dropFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"): guard rest.popFirst().map(isText) == true else { return false }
            default: guard isText(byte) else { return false }
            }
        }
        return false
    }

    private static func isText(_ byte: UInt8) -> Bool { byte == 0x09 || 0x20...0x7E ~= byte || byte >= 0x80 }

    /// [RFC 9110, section 5.6.2]
    private static func takeToken(_ rest: inout Substring.UTF8View) -> Substring.UTF8View? {
        let token = rest.prefix { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
        rest = rest.dropFirst(token.count)
        return token.isEmpty ? nil : token
    }

    private static func consume(_ character: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func skipBlanks(_ rest: inout Substring.UTF8View) {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}
