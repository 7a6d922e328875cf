/// Writes JSON text.
package struct JSONText: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init() {}

    /// Writes `{…}`, its members made by `content`.
    package mutating func object(_ content: (inout JSONText) -> Void) {
        open("{")
        content(&self)
        close("}")
    }

    /// Writes `[…]`, its elements made by `content`.
    package mutating func array(_ content: (inout JSONText) -> Void) {
        open("[")
        content(&self)
        close("]")
    }

    /// Writes `"name":`.
    package mutating func name(_ name: String) {
        separate()
        Self.append(quoted: name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func string(_ text: String) {
        separate()
        Self.append(quoted: text, to: &bytes)
    }

    /// Writes `null` for nil.
    package mutating func string(_ text: String?) {
        if let text { string(text) } else { raw("null".utf8) }
    }

    package mutating func integer(_ value: some BinaryInteger) { raw("\(value)".utf8) }

    package mutating func boolean(_ value: Bool) { raw((value ? "true" : "false").utf8) }

    package mutating func null() { raw("null".utf8) }

    /// Writes text that is JSON already.
    package mutating func raw(_ text: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: text)
    }

    /// Writes the member `"name":"text"`; nothing for nil.
    package mutating func member(_ name: String, _ text: String?) {
        guard let text else { return }
        self.name(name)
        string(text)
    }

    private mutating func open(_ character: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: character))
        needsComma = false
    }

    private mutating func close(_ character: Unicode.Scalar) {
        bytes.append(UInt8(ascii: character))
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }
}

extension JSONText {
    private static let hex = Array("0123456789abcdef".utf8)

    /// Appends `text` in quotes, with quotes, backslashes and control characters escaped.
    package static func append(quoted text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { append(quotedUTF8: $0, to: &bytes) }
    }

    private static func append(quotedUTF8 text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        for (position, byte) in text.enumerated() {
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            bytes.append(contentsOf: text[start..<position])
            append(escaped: byte, to: &bytes)
            start = position + 1
        }
        bytes.append(contentsOf: text[start...])
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends the escape of a quote, a backslash or a control character: `\"`, `\n`, `\u001f`.
    package static func append(escaped byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0..<0x20: bytes += [UInt8(ascii: "u"), 0x30, 0x30, hex[Int(byte >> 4)], hex[Int(byte & 15)]]
        default: bytes.append(byte)
        }
    }
}
