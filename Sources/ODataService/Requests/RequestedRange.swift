/// The part of a stream that `Range` asks for.
///
/// [RFC 9110, section 14]
enum RequestedRange: Hashable, Sendable {
    /// `bytes=500-999`, `bytes=500-`
    case from(Int64, count: Int64?)
    /// `bytes=-500`
    case suffix(Int64)

    /// Nil for what a service may pass over: several ranges, another unit, text that is no range.
    init?(header: String?) {
        guard let header, header.lowercased().hasPrefix("bytes=") else { return nil }
        let text = header.dropFirst(6).filter { $0 != " " && $0 != "\t" }
        let bounds = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard bounds.count == 2, bounds.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return nil
        }
        let (first, last) = (Self.number(bounds[0]), Self.number(bounds[1]))
        switch (first, last) {
        case (nil, let length?): self = .suffix(length)
        case (let first?, nil): self = .from(first, count: nil)
        case (let first?, .max?): self = .from(first, count: nil)
        case (let first?, let last?) where first <= last: self = .from(first, count: last - first + 1)
        default: return nil
        }
    }

    /// Nil for no digits; a number that no stream reaches for too many.
    private static func number(_ digits: Substring) -> Int64? {
        digits.isEmpty ? nil : Int64(digits) ?? .max
    }
}
