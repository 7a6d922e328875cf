/// Where the boxes and lines of a diagram are, in pixels from the upper left corner.
///
/// Lines run in gutters between the columns of boxes, each on a track of its own, and never behind a box.
struct DiagramLayout {
    struct Size: Equatable {
        var width: Int
        var height: Int
    }

    struct Frame: Equatable {
        var x = 0
        var y = 0
        var size: Size
    }

    /// A place at the side of a box where a line begins or ends.
    struct Port {
        var box: Int
        /// From the upper edge of the box; 8 more than a multiple of ``row``.
        var offset: Int
    }

    /// A line from one port to another over a vertical piece at `track`.
    struct Line {
        var start: (x: Int, y: Int)
        var track: Int
        var end: (x: Int, y: Int)
        /// Into which direction of x the line leaves its boxes: 1 or -1.
        var startSide: Int
        var endSide: Int
    }

    /// The height of a line of text; all heights are multiples of it.
    static let row = 16
    private static let gap = 2 * row
    private static let margin = 2 * row
    /// Between a box and the first track: room for a multiplicity.
    private static let clearance = 44
    private static let trackWidth = 8

    private(set) var frames: [Frame]
    private(set) var lines: [Line] = []
    private(set) var size = Size(width: 0, height: 0)

    /// - Parameters:
    ///   - sizes: Of the boxes.
    ///   - links: What the lines connect.
    init(sizes: [Size], links: [(from: Port, to: Port)]) {
        frames = sizes.map { Frame(size: $0) }
        let graph = DiagramGraph(heights: sizes.map(\.height), links: links.map { ($0.from.box, $0.to.box) })
        var groups = graph.groups.map { Group(columns: $0) }
        var (columns, owners) = ([Int: Int](), [Int: Int]())
        for (number, group) in groups.enumerated() {
            for (column, boxes) in group.columns.enumerated() {
                for box in boxes { (columns[box], owners[box]) = (column, number) }
            }
        }
        for (number, link) in links.enumerated() {
            guard let group = owners[link.from.box], let one = columns[link.from.box], let other = columns[link.to.box]
            else { continue }
            groups[group].gutters[min(one, other)].append(number)
        }
        for number in groups.indices { place(&groups[number]) }
        pack(&groups)
        lines = route(links, columns, groups, owners)
    }

    /// Boxes that hang together.
    private struct Group {
        var columns: [[Int]]
        /// The lines that run in the gutter after each column.
        var gutters: [[Int]]
        /// Where each column and each gutter begins, from the left edge of the group.
        var starts: [(column: Int, gutter: Int)] = []
        var size = Size(width: 0, height: 0)
        var (x, y) = (0, 0)

        init(columns: [[Int]]) {
            self.columns = columns
            gutters = columns.map { _ in [] }
        }
    }
}

// MARK: - Places

extension DiagramLayout {
    /// Places the boxes of a group without the other groups.
    private mutating func place(_ group: inout Group) {
        let heights = group.columns.map { boxes in
            boxes.reduce(-Self.gap) { $0 + frames[$1].size.height + Self.gap }
        }
        group.size.height = (heights.max() ?? 0) + Self.row
        for (number, boxes) in group.columns.enumerated() {
            let width = boxes.reduce(0) { max($0, frames[$1].size.width) }
            let x = group.size.width
            group.starts.append((x, x + width))
            // Ports of columns side by side are never at the same height, so that no two lines lie on each other.
            var y = (group.size.height - heights[number]) / 2 / Self.row * Self.row + (number % 2) * Self.row / 2
            for box in boxes {
                (frames[box].x, frames[box].y) = (x, y)
                y += frames[box].size.height + Self.gap
            }
            let tracks = group.gutters[number].count
            let gutter = tracks > 0 ? 2 * Self.clearance + (tracks - 1) * Self.trackWidth : 0
            group.size.width += width + gutter
        }
    }

    /// Puts the groups side by side, the highest first, and the boxes with them.
    private mutating func pack(_ groups: inout [Group]) {
        let spaced = groups.map { Size(width: $0.size.width + 2 * Self.gap, height: $0.size.height + Self.gap) }
        let packing = DiagramPacking.smallest(of: spaced)
        for number in groups.indices {
            let group = groups[number].size
            let (x, y) = (packing.corners[number].x + Self.margin, packing.corners[number].y + Self.margin)
            (groups[number].x, groups[number].y) = (x, y)
            for box in groups[number].columns.joined() {
                frames[box].x += x
                frames[box].y += y
            }
            size.width = max(size.width, x + group.width + Self.margin)
            size.height = max(size.height, y + group.height + Self.margin)
        }
    }
}

// MARK: - Lines

extension DiagramLayout {
    private func route(
        _ links: [(from: Port, to: Port)], _ columns: [Int: Int], _ groups: [Group], _ owners: [Int: Int]
    ) -> [Line] {
        links.indices.compactMap { number in
            let (from, to) = links[number]
            guard let group = owners[from.box].map({ groups[$0] }), let one = columns[from.box],
                let other = columns[to.box]
            else { return nil }
            let column = min(one, other)
            let order = group.gutters[column].sorted { (level(of: links[$0]), $0) < (level(of: links[$1]), $1) }
            let track = order.firstIndex(of: number) ?? 0
            return line(
                links[number], at: group.x + group.starts[column].gutter + Self.clearance + track * Self.trackWidth,
                startSide: one <= other ? 1 : -1, endSide: other <= one ? 1 : -1)
        }
    }

    private func line(
        _ link: (from: Port, to: Port), at track: Int, startSide: Int, endSide: Int
    ) -> Line {
        func point(_ port: Port, _ side: Int) -> (x: Int, y: Int) {
            let frame = frames[port.box]
            return (frame.x + (side > 0 ? frame.size.width : 0), frame.y + port.offset)
        }
        return Line(
            start: point(link.from, startSide), track: track, end: point(link.to, endSide), startSide: startSide,
            endSide: endSide)
    }

    /// Lines that go further up have tracks further left.
    private func level(of link: (from: Port, to: Port)) -> Int {
        frames[link.from.box].y + link.from.offset + frames[link.to.box].y + link.to.offset
    }
}
