/// A part of a stream that `Range` asks for.
///
/// [RFC 9110, section 14]
package enum RequestedRange: Hashable, Sendable {
    /// `bytes=500-999`, `bytes=500-`
    case from(Int64, count: Int64?)
    /// `bytes=-500`
    case suffix(Int64)

    private static let maximalCount = 16

    /// The ranges of a header in their order; none for what a service may ignore: very many ranges, another unit,
    /// text that is not a range.
    package static func list(header: String?) -> [RequestedRange] {
        guard let header, header.lowercased().hasPrefix("bytes=") else { return [] }
        let texts = header.dropFirst(6).filter { $0 != " " && $0 != "\t" }.split(separator: ",")
        let ranges = texts.prefix(maximalCount + 1).compactMap { RequestedRange($0) }
        return ranges.count == texts.count && ranges.count <= maximalCount ? ranges : []
    }

    /// Which bytes of a stream they are; nil if it has none of them.
    package func bytes(of total: Int64) -> Range<Int64>? {
        let offset: Int64
        let count: Int64
        switch self {
        case .from(let first, let wanted):
            guard first < total else { return nil }
            (offset, count) = (first, min(wanted ?? .max, total - first))
        case .suffix(let length): (offset, count) = (max(0, total - length), min(length, total))
        }
        return count > 0 ? offset..<offset + count : nil
    }

    private init?(_ text: Substring) {
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
