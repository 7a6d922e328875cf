/// Into how many parts a large stream is divided that come at a time.
package struct SegmentPlan: Sendable, Hashable {
    /// The most, the one at the beginning included.
    package var count: Int
    /// The least bytes of a part. A stream shorter than two parts is fetched in one piece.
    package var least: Int64

    /// Parts of no less than `least` bytes, no more than `count`.
    package init(count: Int = 4, least: Int64 = 16 * 1024 * 1024) {
        (self.count, self.least) = (count, max(1, least))
    }

    /// Whether a stream of this length has parts.
    package func divides(_ total: Int64) -> Bool { count > 1 && total / least > 1 }

    /// Where the parts beside the first begin: what is missing from `position` on is divided evenly.
    package func starts(from position: Int64, to total: Int64) -> [Int64] {
        let missing = total - position
        let parts = min(Int64(count), missing / least)
        guard parts > 1 else { return [] }
        return (1..<parts).map { position + missing / parts * $0 }
    }
}
