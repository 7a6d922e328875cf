/// Rectangles side by side in a strip, the highest first, each as far up as there is room, then as far left.
struct DiagramPacking {
    /// The upper left corners of the rectangles, in their order.
    private(set) var corners: [(x: Int, y: Int)]
    private var size = DiagramLayout.Size(width: 0, height: 0)
    /// Below which y all is free, from an x up to the next one or the right edge.
    private var steps = [(x: 0, y: 0)]
    private let width: Int

    /// - Parameter width: Of the strip; no rectangle is wider.
    init(_ rectangles: [DiagramLayout.Size], width: Int) {
        corners = rectangles.map { _ in (0, 0) }
        self.width = width
        let order = rectangles.indices.sorted { (rectangles[$1].height, $0) < (rectangles[$0].height, $1) }
        for number in order { corners[number] = place(rectangles[number]) }
    }

    /// Of strips that give a page from upright to twice as wide as high, the one that leaves least room.
    static func smallest(of rectangles: [DiagramLayout.Size]) -> DiagramPacking {
        let area = rectangles.reduce(0.0) { $0 + Double($1.width) * Double($1.height) }
        let least = rectangles.reduce(0) { max($0, $1.width) }
        let widths = [1.5, 1, 1.25, 1.75, 2].map { max(least, Int((area * $0).squareRoot())) }
        let packings = widths.map { DiagramPacking(rectangles, width: $0) }
        return packings.min { $0.area < $1.area } ?? DiagramPacking(rectangles, width: least)
    }

    private var area: Int { size.width * size.height }

    private mutating func place(_ rectangle: DiagramLayout.Size) -> (x: Int, y: Int) {
        let starts = steps.map(\.x).filter { $0 == 0 || $0 + rectangle.width <= width }
        let free = starts.map { (x: $0, y: height(from: $0, to: $0 + rectangle.width)) }
        let corner = free.min { ($0.y, $0.x) < ($1.y, $1.x) } ?? (0, 0)
        let (right, bottom) = (corner.x + rectangle.width, corner.y + rectangle.height)
        fill(from: corner.x, to: right, down: bottom)
        size = DiagramLayout.Size(width: max(size.width, right), height: max(size.height, bottom))
        return corner
    }

    private func height(from left: Int, to right: Int) -> Int {
        steps.indices.reduce(0) { height, number in
            let end = number + 1 < steps.count ? steps[number + 1].x : width
            return steps[number].x < right && end > left ? max(height, steps[number].y) : height
        }
    }

    private mutating func fill(from left: Int, to right: Int, down y: Int) {
        let behind = steps.last { $0.x <= right }?.y ?? 0
        let leavesRest = right < width && !steps.contains { $0.x == right }
        steps.removeAll { $0.x >= left && $0.x < right }
        steps.append((left, y))
        if leavesRest { steps.append((right, behind)) }
        steps.sort { $0.x < $1.x }
    }
}
