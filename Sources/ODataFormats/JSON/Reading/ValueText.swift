/// A value of JSON as messages show it.
enum ValueText {
    /// So many bytes of a value are enough.
    static let longest = 200
    private static let shown = 40

    /// `“2024-01-01T00:00:00”`, or its beginning.
    ///
    /// - Parameter bytes: From where the value starts.
    static func cut(_ bytes: some Sequence<UInt8>) -> String {
        let text = String(decoding: value(Array(bytes)), as: UTF8.self)
        let line = String(text.map { $0.isNewline || $0.unicodeScalars.contains { $0.value < 0x20 } ? " " : $0 })
        return line.count > shown ? "“\(line.prefix(shown))…”" : "“\(line)”"
    }

    /// The content of a string, and of anything else what is before the next member.
    private static func value(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        guard let first = bytes.first else { return [] }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return group(bytes) }
        guard first == UInt8(ascii: "\"") else {
            return bytes.prefix { !",]}\"".utf8.contains($0) && $0 > 0x20 }
        }
        var isEscaped = false
        return bytes.dropFirst().prefix { byte in
            defer { isEscaped = byte == UInt8(ascii: "\\") && !isEscaped }
            return isEscaped || byte != UInt8(ascii: "\"")
        }
    }

    /// An object or array, found by its brackets, those in strings too.
    private static func group(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        var depth = 0
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
            if depth == 0 { return bytes[...index] }
        }
        return bytes[...]
    }
}
