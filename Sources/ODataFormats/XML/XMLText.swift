/// Writes XML text.
///
/// Names are written as they are given; text and values are escaped.
struct XMLText: Sendable {
    private(set) var bytes: [UInt8] = []

    static let declaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>"

    /// Writes what is XML already.
    mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func raw(_ text: some Collection<UInt8>) { bytes.append(contentsOf: text) }

    /// `<name a="1">`, its content made by `content`; `<name a="1"/>` if that writes nothing. Attributes that are nil
    /// are left out.
    mutating func element(
        _ name: String, _ attributes: KeyValuePairs<String, String?> = [:],
        _ content: (inout XMLText) -> Void = { _ in }
    ) {
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
    mutating func element(_ name: String, _ attributes: KeyValuePairs<String, String?> = [:], text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// ` name="value"`
    mutating func attribute(_ name: String, _ value: String) {
        raw(" \(name)=\"")
        append(value.utf8, isAttribute: true)
        raw("\"")
    }

    mutating func text(_ text: String) { append(text.utf8, isAttribute: false) }

    mutating func text(_ text: ArraySlice<UInt8>) { append(text, isAttribute: false) }

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
            case 0..<0x20: continue  // not allowed in XML 1.0 in any spelling
            default: bytes.append(byte)
            }
        }
    }

    /// The bytes written since the last call.
    mutating func take() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }
}
