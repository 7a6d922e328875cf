/// Where a diagram that would be one long strip is wrapped: its boxes stand in rows below each other, as words do.
///
///     T1 -> T2 -> T3
///       +---------+
///     T4 -> T5 -> T6
struct DiagramRows {
    /// Strips of so many boxes are not wrapped.
    private static let mostPlaces = 5
    private static let leastPlaces = 3

    /// How many lines lead to each box at most, one after the other; lines that close a circle do not count.
    private let places: [Int]
    /// How many places a row has; nil where there is one row.
    private let length: Int?

    /// - Parameter lines: Each leads from a box to the one after it.
    init(boxes: Int, lines: [(from: Int, to: Int)]) {
        places = Self.places(boxes, lines)
        let count = (places.max() ?? 0) + 1
        // Where many boxes stand below each other already, the diagram is no strip.
        let isStrip = count > Self.mostPlaces && count * count > 2 * boxes
        length = isStrip ? max(Self.leastPlaces, Int(Double(count).squareRoot().rounded(.up))) : nil
    }

    /// Whether a line leads to another row: it says nothing about where its boxes stand.
    func isBetweenRows(_ from: Int, _ to: Int) -> Bool {
        guard let length else { return false }
        return places[from] / length != places[to] / length
    }

    private static func places(_ boxes: Int, _ lines: [(from: Int, to: Int)]) -> [Int] {
        let targets = Dictionary(grouping: lines.filter { $0.from != $0.to }, by: \.from).mapValues { $0.map(\.to) }
        var before = Array(repeating: 0, count: boxes)
        for target in targets.values.joined() { before[target] += 1 }
        var places = Array(repeating: 0, count: boxes)
        var isPlaced = Array(repeating: false, count: boxes)
        for first in (0..<boxes).filter({ before[$0] == 0 }) + Array(0..<boxes) where !isPlaced[first] {
            var waiting = [first]
            isPlaced[first] = true
            while let box = waiting.popLast() {
                for target in targets[box] ?? [] where !isPlaced[target] {
                    places[target] = max(places[target], places[box] + 1)
                    before[target] -= 1
                    guard before[target] == 0 else { continue }
                    isPlaced[target] = true
                    waiting.append(target)
                }
            }
        }
        return places
    }
}
