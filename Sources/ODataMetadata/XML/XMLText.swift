/// Writes XML text.
///
/// Names are written as they are given; text and values are escaped.
package struct XMLText: Sendable {
    package private(set) var bytes: [UInt8] = []
    /// The first character that XML 1.0 has no spelling for: it is left out.
    package private(set) var unwritable: Unicode.Scalar?
    /// The name of the element that ``unwritable`` was in; nil where it was not written by ``element(_:_:_:)``.
    package private(set) var unwritableIn: String?
    private var open: [String] = []

    package init() {}

    package static let declaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>"

    /// Writes what is XML already.
    package mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    package mutating func raw(_ text: some Collection<UInt8>) { bytes.append(contentsOf: text) }

    /// `<name a="1">`, its content made by `content`; `<name a="1"/>` if that writes nothing. Attributes that are nil
    /// are left out.
    package mutating func element(
        _ name: String, _ attributes: KeyValuePairs<String, String?> = [:],
        _ content: (inout XMLText) -> Void = { _ in }
    ) {
        open.append(name)
        defer { open.removeLast() }
        raw("<\(name)")
        for (name, value) in attributes {
            guard let value else { continue }
            attribute(name, value)
        }
        raw(">")
        let start = bytes.count
        content(&self)
        if bytes.count == start {
            bytes.removeLast()
            raw("/>")
        } else {
            raw("</\(name)>")
        }
    }

    /// `<name a="1">text</name>`
    package mutating func element(_ name: String, _ attributes: KeyValuePairs<String, String?> = [:], text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// ` name="value"`
    package mutating func attribute(_ name: String, _ value: String) {
        raw(" \(name)=\"")
        append(value.utf8, isAttribute: true)
        raw("\"")
    }

    package mutating func text(_ text: String) { append(text.utf8, isAttribute: false) }

    package mutating func text(_ text: ArraySlice<UInt8>) { append(text, isAttribute: false) }

    private mutating func append(_ text: some Collection<UInt8>, isAttribute: Bool) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "&"): raw("&amp;")
            case UInt8(ascii: "<"): raw("&lt;")
            case UInt8(ascii: ">"): raw("&gt;")
            case UInt8(ascii: "\"") where isAttribute: raw("&quot;")
            case 0x0D: raw("&#13;")
            case 0x09, 0x0A:
                if isAttribute { raw("&#\(byte);") } else { bytes.append(byte) }
            case 0..<0x20: note(Unicode.Scalar(byte))
            default:
                bytes.append(byte)
                if byte == 0xBE || byte == 0xBF { checkNoncharacter() }
            }
        }
    }

    /// Takes U+FFFE and U+FFFF off again.
    private mutating func checkNoncharacter() {
        guard bytes.suffix(3).starts(with: [0xEF, 0xBF]) else { return }
        note(bytes.last == 0xBE ? "\u{FFFE}" : "\u{FFFF}")
        bytes.removeLast(3)
    }

    private mutating func note(_ character: Unicode.Scalar) {
        guard unwritable == nil else { return }
        unwritable = character
        unwritableIn = open.last
    }

    /// Why what was written is not what was to be written: `what` has a character that XML has not; nil if it is.
    ///
    /// - Parameter what: What it is of, where no element reports.
    package func problem(of what: String) -> String? {
        guard let unwritable else { return nil }
        let number = String(unwritable.value, radix: 16, uppercase: true)
        let name = unwritableIn.map { $0.hasPrefix("d:") ? String($0.dropFirst(2)) : $0 } ?? what
        let code = String(repeating: "0", count: max(0, 4 - number.count)) + number
        return "The value of \(name) has the character U+\(code), which XML cannot have; JSON can."
    }

    /// The bytes written since the last call.
    package mutating func takeBytes() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }
}
