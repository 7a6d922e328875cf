import ODataModel

/// Checks of lexical forms in bytes. Each accepts the usual spelling only: what it refuses may still be valid in
/// another one, which is then read the slow way.
enum Lexical {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    /// `01234567-89ab-cdef-0123-456789abcdef`, in lower case.
    @inline(__always)
    static func isGuid(_ text: Bytes) -> Bool {
        guard text.count == 36 else { return false }
        for index in 0..<36 {
            let byte = text[index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return false }
            } else {
                guard byte &- 0x30 < 10 || byte &- 0x61 < 6 else { return false }
            }
        }
        return true
    }

    /// `2024-02-29`
    @inline(__always)
    static func isDate(_ text: Bytes) -> Bool { text.count == 10 && startsWithDate(text) }

    /// `2024-02-29T07:59:59.999Z`, `…+01:00`
    @inline(__always)
    static func isDateTimeOffset(_ text: Bytes) -> Bool {
        guard text.count >= 20, startsWithDate(text), text[10] == UInt8(ascii: "T"),
            let end = endOfTime(text, from: 11)
        else { return false }
        if text[end] == UInt8(ascii: "Z") { return end + 1 == text.count }
        guard end + 6 == text.count, text[end] == UInt8(ascii: "+") || text[end] == UInt8(ascii: "-"),
            let hours = pair(text, at: end + 1), hours <= 14, text[end + 3] == UInt8(ascii: ":"),
            let minutes = pair(text, at: end + 4)
        else { return false }
        return minutes < 60
    }

    /// `07:59:59.999`
    @inline(__always)
    static func isTimeOfDay(_ text: Bytes) -> Bool {
        text.count >= 8 && endOfTime(text, from: 0, mayEnd: true) == text.count
    }

    @inline(__always)
    private static func pair(_ text: Bytes, at index: Int) -> Int? {
        let (tens, units) = (text[index] &- 0x30, text[index + 1] &- 0x30)
        return tens < 10 && units < 10 ? Int(tens) * 10 + Int(units) : nil
    }

    /// The caller has made sure of ten bytes.
    @inline(__always)
    private static func startsWithDate(_ text: Bytes) -> Bool {
        guard let century = pair(text, at: 0), let rest = pair(text, at: 2), text[4] == UInt8(ascii: "-"),
            let month = pair(text, at: 5), text[7] == UInt8(ascii: "-"), let day = pair(text, at: 8)
        else { return false }
        if day <= 28 { return month >= 1 && month <= 12 && day >= 1 }
        return EdmDate(year: century * 100 + rest, month: month, day: day) != nil
    }

    /// Where the time `hh:mm:ss[.f]` that starts at `start` ends: inside the text, or at its end if it may.
    /// The caller has made sure of eight bytes from `start`.
    @inline(__always)
    private static func endOfTime(_ text: Bytes, from start: Int, mayEnd: Bool = false) -> Int? {
        guard let hour = pair(text, at: start), hour < 24, text[start + 2] == UInt8(ascii: ":"),
            let minute = pair(text, at: start + 3), minute < 60, text[start + 5] == UInt8(ascii: ":"),
            let second = pair(text, at: start + 6), second < 60
        else { return nil }
        var end = start + 8
        if end < text.count, text[end] == UInt8(ascii: ".") {
            end += 1
            let first = end
            while end < text.count, text[end] &- 0x30 < 10 { end += 1 }
            guard (1...12).contains(end - first) else { return nil }
        }
        return end < text.count || mayEnd ? end : nil
    }
}
