/// How wide the columns of a table are, so that no line is longer than it may be.
struct TableLayout: Equatable {
    /// Between two columns.
    static let gap = 2
    /// No column becomes narrower so that others fit; those at the end are left out instead.
    static let least = 6

    /// Of the columns that are shown.
    var widths: [Int]
    /// How many at the end are not.
    var hidden = 0

    /// - Parameters:
    ///   - natural: How wide each column would be.
    ///   - whole: How wide the widest value is that may not be cut, of each column; 0 for none.
    ///   - limit: How many columns of characters a line may have; nil if any number.
    ///   - shown: How many columns are shown; nil for as many as have room.
    init(natural: [Int], whole: [Int]? = nil, limit: Int?, shown: Int? = nil) {
        let whole = whole ?? Array(repeating: 0, count: natural.count)
        widths = Array(natural.prefix(shown ?? natural.count))
        guard let limit else { return }
        if shown == nil {
            var needed = zip(natural, whole).map { max(min($0, Self.least), $1) }
            while needed.count > 1, Self.length(needed) > limit { needed.removeLast() }
            widths = Array(natural.prefix(needed.count))
        }
        hidden = natural.count - widths.count
        narrow(to: limit, whole)
    }

    private static func length(_ widths: [Int]) -> Int { widths.reduce(0, +) + gap * max(0, widths.count - 1) }

    /// The widest columns become narrower first.
    private mutating func narrow(to limit: Int, _ whole: [Int]) {
        let natural = widths
        var cap = min(widths.max() ?? 0, limit + 1)
        while cap > 1, Self.length(widths) > limit {
            cap -= 1
            widths = zip(natural, whole).map { max(min($0, cap), $1) }
        }
        for column in widths.indices where Self.length(widths) < limit && natural[column] > widths[column] {
            widths[column] += 1
        }
    }
}
