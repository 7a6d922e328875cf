/// An entity diagram in the DOT language, which Graphviz lays out.
///
///     digraph {
///         T1 [label=<<table …><tr><td><b>Order</b></td></tr><tr><td>OrderID: Int32</td></tr></table>>]
///         T1 -> T2 [arrowtail=diamond, arrowhead=none, taillabel=<1>, headlabel=<*>, label=<Items, Order>]
///         T4 -> T3 [arrowhead=empty]
///     }
struct DOTDiagram {
    let diagram: EntityDiagram

    var text: String {
        let head = [
            "digraph {", "    graph [rankdir=LR, charset=\"UTF-8\"]",
            "    node [shape=none, margin=0, fontname=\"monospace\", fontsize=10]",
            "    edge [dir=both, arrowtail=none, fontname=\"monospace\", fontsize=9]",
        ]
        let rows = DiagramRows(
            boxes: diagram.boxes.count,
            lines: diagram.inheritances.map { ($0.derived, $0.base) }
                + diagram.relationships.map { ($0.from.box, $0.to.box) })
        let edges =
            diagram.inheritances.map { edge($0.derived, $0.base, ["arrowhead=empty"], rows) }
            + diagram.relationships.map { edge($0.from.box, $0.to.box, attributes($0), rows) }
        return (head + diagram.boxes.indices.map(node) + edges + ["}"]).joined(separator: "\n")
    }

    private func id(_ box: Int) -> String { "T\(box + 1)" }

    private func node(_ place: Int) -> String {
        let box = diagram.boxes[place]
        let marks = box.marks.isEmpty ? "" : "<br/><i>\(box.marks.joined(separator: ", "))</i>"
        let rows = box.properties.map { property in
            let text = Self.escaped(property.name + (property.type.map { ": \($0)" } ?? ""))
            return "<tr><td align=\"left\">\(property.isKey ? "<b>\(text)</b>" : text)</td></tr>"
        }
        return "    \(id(place)) [label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\">"
            + "<tr><td bgcolor=\"\(box.isEntityType ? "#dde8f3" : "#ececec")\"><b>\(Self.escaped(box.title))</b>\(marks)"
            + "</td></tr>\(rows.joined())</table>>]"
    }

    private func edge(_ from: Int, _ to: Int, _ attributes: [String], _ rows: DiagramRows) -> String {
        let all = attributes + (rows.isBetweenRows(from, to) ? ["constraint=false"] : [])
        return "    \(id(from)) -> \(id(to)) [\(all.joined(separator: ", "))]"
    }

    private func attributes(_ relationship: EntityDiagram.Relationship) -> [String] {
        let (from, to) = (relationship.from, relationship.to)
        let isMutual = from.navigation != nil && to.navigation != nil
        // Both ends of a line from a box to itself are in one place.
        let isLoop = from.box == to.box
        let ends = [(from.navigation, to.multiplicity), (to.navigation, from.multiplicity)]
        let names = ends.compactMap { name, number in
            name.map { Self.escaped($0) + (isLoop ? number.map { " \($0)" } ?? "" : "") }
        }
        let attributes = [
            relationship.isContainment ? "arrowtail=diamond" : nil, isMutual ? "arrowhead=none" : nil,
            isLoop ? nil : from.multiplicity.map { "taillabel=<\($0)>" },
            isLoop ? nil : to.multiplicity.map { "headlabel=<\($0)>" }, "label=<\(names.joined(separator: ", "))>",
        ]
        return attributes.compactMap { $0 }
    }

    /// Text in a label like HTML, which is XML. Characters that XML cannot have are question marks. [XML 1.0, section 2.2]
    private static func escaped(_ text: String) -> String {
        text.singleLine.unicodeScalars.map { scalar in
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
