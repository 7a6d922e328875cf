/// One element of a list-valued header: `application/json;odata.metadata=full;q=0.5`.
///
/// [RFC 9110, sections 5.6.1 and 5.6.6]
package struct HeaderElement: Hashable, Sendable {
    package struct Parameter: Hashable, Sendable {
        /// In lower case.
        package var name: String
        /// Without quotes; nil where there is no `=`.
        package var value: String?
    }

    /// What is before the first `;`: `application/json`, `odata.maxpagesize=50`.
    package var value: String
    package var parameters: [Parameter]

    package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The elements of a header value, in their order.
    package static func list(_ text: String) -> [HeaderElement] {
        split(text, at: UInt8(ascii: ",")).compactMap { HeaderElement($0) }
    }

    /// Nil if there is nothing before the first `;`.
    package init?(_ text: some StringProtocol) {
        let parts = Self.split(text, at: UInt8(ascii: ";"))
        guard let first = parts.first, !first.isEmpty else { return nil }
        value = first
        parameters = parts.dropFirst().filter { !$0.isEmpty }.map { Self.parameter($0) }
    }

    /// `charset="utf-8"`
    package static func parameter(_ text: String) -> Parameter {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            return Parameter(name: text.lowercased(), value: nil)
        }
        let name = trimmed(text.utf8[..<equals]).lowercased()
        let value = trimmed(text.utf8[text.utf8.index(after: equals)...])
        return Parameter(name: name, value: unquoted(value))
    }

    /// Splits outside quotes; the parts are trimmed.
    private static func split(_ text: some StringProtocol, at separator: UInt8) -> [String] {
        let bytes = Substring(text).utf8
        var parts: [String] = []
        var start = bytes.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in bytes.indices {
            let byte = bytes[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                parts.append(trimmed(bytes[start..<index]))
                start = bytes.index(after: index)
            }
        }
        parts.append(trimmed(bytes[start...]))
        return parts
    }

    private static func trimmed(_ text: Substring.UTF8View) -> String {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return String(Substring(text))
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        var result = ""
        var isEscaped = false
        for character in text.dropFirst().dropLast() {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                result.append(character)
                isEscaped = false
            }
        }
        return result
    }
}
