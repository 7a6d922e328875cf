/// An entity diagram as SVG 1.1: a box for each type, with its properties, and rows of its navigation properties that
/// lines begin at.
struct SVGDiagram {
    private let boxes: [SVGBox]
    private let layout: DiagramLayout
    private let relations: [EntityDiagram.Relation]
    private let inheritances: [EntityDiagram.Inheritance]

    init(_ diagram: EntityDiagram) {
        let boxes = diagram.boxes.indices.map { SVGBox($0, of: diagram) }
        self.boxes = boxes
        (relations, inheritances) = (diagram.relations, diagram.inheritances)
        let ends = relations.map { (from: boxes.port($0.from), to: boxes.port($0.to)) }
        let bases = inheritances.map { link in
            (
                from: DiagramLayout.Port(box: link.derived, offset: SVGBox.derivedPort),
                to: DiagramLayout.Port(box: link.base, offset: SVGBox.basePort)
            )
        }
        layout = DiagramLayout(sizes: boxes.map(\.size), links: ends + bases)
    }

    var text: String {
        let (width, height) = (layout.size.width, layout.size.height)
        let head = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(width)" height="\#(height)""#
                + #" viewBox="0 0 \#(width) \#(height)" font-family="monospace" font-size="12">"#,
            "<rect width=\"\(width)\" height=\"\(height)\" fill=\"#ffffff\"/>",
        ]
        let paths = zip(layout.lines, relations).flatMap { Self.elements(of: $1, along: $0) }
        let bases = layout.lines.dropFirst(relations.count).flatMap(Self.inheritance)
        let drawn = zip(boxes, layout.frames).flatMap { $0.elements(in: $1) }
        return (head + paths + bases + drawn + ["</svg>"]).joined(separator: "\n")
    }

    // MARK: Lines

    private static func elements(of relation: EntityDiagram.Relation, along line: DiagramLayout.Line) -> [String] {
        let isMutual = relation.from.navigation != nil && relation.to.navigation != nil
        var elements = [path(line)]
        if relation.isContainment {
            let (x, y, side) = (line.start.x, line.start.y, line.startSide)
            let diamond = [(x, y), (x + 7 * side, y - 4), (x + 14 * side, y), (x + 7 * side, y + 4)]
            elements.append(polygon(diamond, "#404040"))
        }
        guard isMutual else {
            let (x, y, side) = (line.end.x, line.end.y, line.endSide)
            return elements + [polygon([(x, y), (x + 8 * side, y - 4), (x + 8 * side, y + 4)], "#404040")]
        }
        return elements
            + [
                multiplicity(relation.from.multiplicity, at: line.start, side: line.startSide),
                multiplicity(relation.to.multiplicity, at: line.end, side: line.endSide),
            ].compactMap { $0 }
    }

    private static func inheritance(_ line: DiagramLayout.Line) -> [String] {
        let (x, y, side) = (line.end.x, line.end.y, line.endSide)
        return [path(line), polygon([(x, y), (x + 12 * side, y - 7), (x + 12 * side, y + 7)], "#ffffff")]
    }

    private static func path(_ line: DiagramLayout.Line) -> String {
        "<path d=\"M\(line.start.x) \(line.start.y)H\(line.track)V\(line.end.y)H\(line.end.x)\" fill=\"none\""
            + " stroke=\"#404040\"/>"
    }

    private static func polygon(_ points: [(x: Int, y: Int)], _ fill: String) -> String {
        let list = points.map { "\($0.x),\($0.y)" }.joined(separator: " ")
        return "<polygon points=\"\(list)\" fill=\"\(fill)\" stroke=\"#404040\"/>"
    }

    private static func multiplicity(_ text: String?, at point: (x: Int, y: Int), side: Int) -> String? {
        guard let text else { return nil }
        return "<text x=\"\(point.x + 16 * side)\" y=\"\(point.y - 3)\" font-size=\"10\""
            + " text-anchor=\"\(side > 0 ? "start" : "end")\" fill=\"#404040\">\(text)</text>"
    }
}

extension [SVGBox] {
    fileprivate func port(_ end: EntityDiagram.End) -> DiagramLayout.Port {
        DiagramLayout.Port(box: end.box, offset: self[end.box].offset(of: end.navigation))
    }
}
