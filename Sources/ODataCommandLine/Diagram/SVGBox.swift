/// A type as a box of rows.
struct SVGBox {
    private static let head = 3 * DiagramLayout.row
    /// Where lines end that lead to the type and to no navigation property of it.
    static let typePort = 8
    /// Where lines of derived types end, and where the line to the base type begins.
    static let basePort = 24
    static let derivedPort = 40

    private let box: EntityDiagram.Box
    private let navigations: [(name: String, text: String)]

    init(_ place: Int, of diagram: EntityDiagram) {
        box = diagram.boxes[place]
        navigations = diagram.relations.flatMap { relation in
            [(relation.from, relation.to), (relation.to, relation.from)].compactMap { near, far in
                guard near.box == place, let name = near.navigation else { return nil }
                let many = far.multiplicity.map { " \($0)" } ?? ""
                return (name, "\(name) → \(diagram.boxes[far.box].title)\(many)".singleLine)
            }
        }
    }

    var size: DiagramLayout.Size {
        let texts = [box.title, marks] + box.properties.map(Self.text) + navigations.map(\.text)
        let columns = texts.reduce(0) { max($0, $1.columns) }
        let rows = box.properties.count + navigations.count
        return DiagramLayout.Size(width: max(120, columns * 15 / 2 + 20), height: Self.head + rows * DiagramLayout.row)
    }

    /// The middle of a row, from the upper edge.
    func offset(of navigation: String?) -> Int {
        guard let place = navigations.firstIndex(where: { $0.name == navigation }) else { return Self.typePort }
        return Self.head + (box.properties.count + place) * DiagramLayout.row + DiagramLayout.row / 2
    }

    private var marks: String { box.marks.joined(separator: ", ") }

    private static func text(_ property: EntityDiagram.Attribute) -> String {
        (property.name + (property.type.map { ": \($0)" } ?? "")).singleLine
    }

    func elements(in frame: DiagramLayout.Frame) -> [String] {
        let (x, y, size) = (frame.x, frame.y, frame.size)
        func rect(_ height: Int, _ fill: String, _ more: String = "") -> String {
            "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(size.width)\" height=\"\(height)\" fill=\"\(fill)\"\(more)/>"
        }
        func text(_ text: String, row: Int, _ style: String = "") -> String {
            let baseline = y + Self.head + row * DiagramLayout.row + 12
            return "<text x=\"\(x + 10)\" y=\"\(baseline)\"\(style)>\(Self.escaped(text))</text>"
        }
        func middle(_ text: String, _ offset: Int, _ style: String) -> String {
            "<text x=\"\(x + size.width / 2)\" y=\"\(y + offset)\" text-anchor=\"middle\"\(style)>\(Self.escaped(text))</text>"
        }
        var elements = [rect(size.height, "#ffffff"), rect(Self.head, box.isEntityType ? "#dde8f3" : "#ececec")]
        elements.append(middle(box.title.singleLine, 22, " font-weight=\"bold\""))
        if !box.marks.isEmpty { elements.append(middle(marks, 38, " font-style=\"italic\"")) }
        for (row, property) in box.properties.enumerated() {
            elements.append(text(Self.text(property), row: row, property.isKey ? " font-weight=\"bold\"" : ""))
        }
        for (row, navigation) in navigations.enumerated() {
            elements.append(text(navigation.text, row: box.properties.count + row, " fill=\"#1f5f9f\""))
        }
        return elements + [rect(size.height, "none", " stroke=\"#404040\"")]
    }

    /// Characters that XML cannot have are question marks. [XML 1.0, section 2.2]
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}": String(scalar)
            default: "?"
            }
        }.joined()
    }
}
