/// Which boxes of a diagram are related, and in which column each is: related boxes are in the same column or in
/// columns side by side, so that no line has to pass a box.
struct DiagramGraph {
    /// For each box the boxes it is related to, in ascending order, without itself.
    private let neighbours: [[Int]]
    private let heights: [Int]

    /// - Parameters:
    ///   - heights: Of the boxes.
    ///   - links: Pairs of positions in `heights`.
    init(heights: [Int], links: [(Int, Int)]) {
        self.heights = heights
        var sets = [Set<Int>](repeating: [], count: heights.count)
        for (one, other) in links where one != other {
            sets[one].insert(other)
            sets[other].insert(one)
        }
        neighbours = sets.map { $0.sorted() }
    }

    /// Groups of boxes without lines to others, the largest first; each as columns from left to right.
    var groups: [[[Int]]] {
        parts(of: Array(heights.indices), without: nil)
            .enumerated()
            .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
            .map { columns(of: $0.element) }
    }

    /// The box with most lines is in the middle; each group that is connected without it is on the side where there is
    /// more room. How far a box is from the middle is the number of its column.
    private func columns(of group: [Int]) -> [[Int]] {
        guard let middle = group.max(by: { (neighbours[$0].count, $1) < (neighbours[$1].count, $0) }) else { return [] }
        let distances = distances(from: middle)
        var sides: [[[Int]]] = [[], []]
        for part in parts(of: group, without: middle) {
            let weights = sides.map { side in side.joined().reduce(0) { $0 + heights[$1] } }
            let side = weights[0] < weights[1] ? 0 : 1
            for box in part {
                let column = distances[box, default: 1] - 1
                while sides[side].count <= column { sides[side].append([]) }
                sides[side][column].append(box)
            }
        }
        let order = sides.map { side in side.map { column in column.sorted { $0 < $1 } } }
        return order[0].reversed() + [[middle]] + order[1]
    }

    private func distances(from start: Int) -> [Int: Int] {
        var distances = [start: 0]
        var open = [start]
        while !open.isEmpty {
            var next: [Int] = []
            for box in open {
                for neighbour in neighbours[box] where distances[neighbour] == nil {
                    distances[neighbour] = distances[box, default: 0] + 1
                    next.append(neighbour)
                }
            }
            open = next
        }
        return distances
    }

    /// What hangs together among `boxes` if one of them is taken away.
    private func parts(of boxes: [Int], without removed: Int?) -> [[Int]] {
        var seen: Set<Int> = removed.map { [$0] } ?? []
        return boxes.compactMap { start in
            guard seen.insert(start).inserted else { return nil }
            var part: [Int] = []
            var open = [start]
            while let box = open.popLast() {
                part.append(box)
                for neighbour in neighbours[box] where seen.insert(neighbour).inserted { open.append(neighbour) }
            }
            return part.sorted()
        }
    }
}
