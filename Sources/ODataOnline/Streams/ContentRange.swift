/// `Content-Range: bytes 0-499/1234` or `bytes 0-499/*`.
///
/// [RFC 9110, section 14.4]
package struct ContentRange: Hashable {
    package var first: Int64
    package var last: Int64
    package var total: Int64?

    package var count: Int64 { last - first + 1 }

    /// Nil if `text` names no bytes, as with 416: `bytes */1234`.
    package init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        let bounds = sides.first?.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) } ?? []
        guard sides.count == 2, bounds.count == 2, let first = bounds[0], let last = bounds[1], 0 <= first,
            first <= last, last < .max
        else { return nil }
        self.first = first
        self.last = last
        guard sides[1] != "*" else { return }
        guard let total = Int64(sides[1]), last < total else { return nil }
        self.total = total
    }

    /// The length of a stream in a 416 response: `bytes */1234`.
    package static func length(unsatisfied text: String) -> Int64? {
        let prefix = "bytes */"
        guard text.lowercased().hasPrefix(prefix), let length = Int64(text.dropFirst(prefix.count)), length >= 0 else {
            return nil
        }
        return length
    }
}
