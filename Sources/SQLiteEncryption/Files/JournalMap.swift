/// Which record of a journal holds which bytes.
struct JournalMap {
    struct Piece {
        var range: Range<Int64>
        /// The position of the record in the file.
        var record: Int64
        /// Where the bytes begin within the record's.
        var start: Int

        fileprivate func clamped(to limits: Range<Int64>) -> Piece {
            let range = range.clamped(to: limits)
            return Piece(range: range, record: record, start: start + Int(range.lowerBound - self.range.lowerBound))
        }
    }

    /// In order, without overlaps.
    private var pieces: [Piece] = []

    var size: Int64 { pieces.last?.range.upperBound ?? 0 }

    mutating func insert(_ range: Range<Int64>, record: Int64) {
        let new = Piece(range: range, record: record, start: 0)
        guard range.lowerBound < size else {
            pieces.append(new)
            return
        }
        let first = index(after: range.lowerBound)
        var end = first
        while end < pieces.count, pieces[end].range.lowerBound < range.upperBound { end += 1 }
        let kept = pieces[first..<end].flatMap { piece in
            [piece.clamped(to: 0..<range.lowerBound), piece.clamped(to: range.upperBound..<Int64.max)]
        }
        let all = (kept.filter { !$0.range.isEmpty } + [new]).sorted { $0.range.lowerBound < $1.range.lowerBound }
        pieces.replaceSubrange(first..<end, with: all)
    }

    mutating func truncate(to size: Int64) {
        let first = index(after: size)
        let kept = pieces[first...].prefix(1).map { $0.clamped(to: 0..<size) }.filter { !$0.range.isEmpty }
        pieces.replaceSubrange(first..., with: kept)
    }

    /// The pieces that have bytes in `range`, cut to it.
    func pieces(in range: Range<Int64>) -> [Piece] {
        pieces[index(after: range.lowerBound)...].prefix { $0.range.lowerBound < range.upperBound }
            .map { $0.clamped(to: range) }.filter { !$0.range.isEmpty }
    }

    /// The first piece that ends behind `offset`.
    private func index(after offset: Int64) -> Int {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].range.upperBound > offset { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
