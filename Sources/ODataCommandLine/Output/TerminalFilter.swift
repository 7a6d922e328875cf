/// Makes outside data harmless for a terminal, in pieces: control characters become spaces, bytes that are not
/// UTF-8 becomes U+FFFD.
struct TerminalFilter {
    /// The beginning of a character, or a carriage return, whose next byte has not come.
    private var open: [UInt8] = []

    /// The part of what has come that can be shown.
    mutating func text(_ bytes: [UInt8]) -> [UInt8] {
        let all = open + bytes
        open = Array(all.suffix(Self.openBytes(in: all)))
        return Self.harmless(all.dropLast(open.count))
    }

    /// What is left at the end.
    mutating func end() -> [UInt8] {
        defer { open = [] }
        return Self.harmless(open[...])
    }

    private static func harmless(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(String(decoding: bytes, as: UTF8.self).withoutControls.utf8)
    }

    /// How many bytes at the end are the beginning of something longer.
    private static func openBytes(in bytes: [UInt8]) -> Int {
        if bytes.last == UInt8(ascii: "\r") { return 1 }
        let tail = bytes.suffix(3)
        guard let first = tail.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return 0 }
        let length = (~tail[first]).leadingZeroBitCount
        return length > 1 && tail.endIndex - first < length ? tail.endIndex - first : 0
    }
}
