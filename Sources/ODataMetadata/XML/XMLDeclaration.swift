/// `<?xml version="1.0" encoding="utf-8"?>`
@usableFromInline
enum XMLDeclaration {
    /// Longer ones are not looked at.
    private static let longest = 256

    /// Whether `bytes`, the first of a document, may end in its declaration.
    @usableFromInline static func isCut(_ bytes: [UInt8]) -> Bool {
        let head = beginning(of: bytes)
        guard head.count < longest, zip(head, "<?xml".utf8).allSatisfy({ $0 == $1 }) else { return false }
        return head.firstRange(of: "?>".utf8) == nil
    }

    /// Where text in bytes says `encoding="utf-16"` of itself, which is left of text that was made in memory and then
    /// saved as UTF-8; nil where it does not.
    static func falseEncoding(in bytes: [UInt8]) -> Range<Int>? {
        let head = beginning(of: bytes)
        guard head.starts(with: "<?xml".utf8), let end = head.firstRange(of: "?>".utf8),
            let name = head[..<end.lowerBound].firstRange(of: "encoding".utf8)
        else { return nil }
        var rest = head[name.upperBound..<end.lowerBound].drop { $0 <= 0x20 }
        guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
        rest = rest.drop { $0 <= 0x20 }
        guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            let close = rest.firstIndex(of: quote),
            String(decoding: rest[..<close], as: UTF8.self).lowercased().hasPrefix("utf-16")
        else { return nil }
        return name.lowerBound..<(close + 1)
    }

    /// `bytes` without a false encoding; spaces in its place keep lines and columns.
    @usableFromInline static func corrected(_ bytes: [UInt8]) -> [UInt8] {
        guard let range = falseEncoding(in: bytes) else { return bytes }
        var bytes = bytes
        for index in range { bytes[index] = 0x20 }
        return bytes
    }

    /// The first bytes behind a byte order mark of UTF-8.
    private static func beginning(of bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes[(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)...].prefix(longest)
    }
}
