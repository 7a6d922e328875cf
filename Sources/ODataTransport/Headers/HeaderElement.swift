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
        split(text, at: ",").compactMap { HeaderElement($0) }
    }

    /// Nil if there is nothing before the first `;`.
    package init?(_ text: some StringProtocol) {
        let parts = Self.split(text, at: ";")
        guard let first = parts.first, !first.isEmpty else { return nil }
        value = first
        parameters = parts.dropFirst().filter { !$0.isEmpty }.map { Self.parameter($0) }
    }

    /// `charset="utf-8"`
    package static func parameter(_ text: String) -> Parameter {
        guard let equals = text.firstIndex(of: "=") else { return Parameter(name: text.lowercased(), value: nil) }
        let name = trimmed(text[..<equals]).lowercased()
        let value = trimmed(text[text.index(after: equals)...])
        return Parameter(name: name, value: unquoted(value))
    }

    /// Splits outside quotes; the parts are trimmed.
    private static func split(_ text: some StringProtocol, at separator: Character) -> [String] {
        var parts: [String] = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == separator, !isQuoted {
                parts.append("")
                continue
            }
            parts[parts.count - 1].append(character)
        }
        return parts.map { trimmed($0) }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var text = Substring(text)
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
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
