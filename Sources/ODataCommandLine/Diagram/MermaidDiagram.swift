/// An entity diagram as text of Mermaid, which draws it as a class diagram.
///
///     classDiagram
///         class T1["Order"] {
///             key OrderID: Int32
///             Note: String?
///         }
///         T1 "1" *-- "*" T2 : Items, Order
///         T4 --|> T3
struct MermaidDiagram {
    let diagram: EntityDiagram

    var text: String {
        let lines =
            ["classDiagram"] + diagram.boxes.indices.flatMap(lines)
            + diagram.inheritances.map { "    \(id($0.derived)) --|> \(id($0.base))" } + diagram.relations.map(line)
        return lines.joined(separator: "\n")
    }

    /// Names of types may have characters that ids of Mermaid cannot have.
    private func id(_ box: Int) -> String { "T\(box + 1)" }

    private func lines(of box: Int) -> [String] {
        let content = diagram.boxes[box]
        let properties = content.properties.map { property in
            "\(property.isKey ? "key " : "")\(Self.escaped(property.name)): \(Self.escaped(property.type))"
        }
        let members = content.marks.map { "<<\($0)>>" } + properties
        let head = "    class \(id(box))[\"\(Self.escaped(content.title))\"]"
        guard !members.isEmpty else { return [head] }
        return ["\(head) {"] + members.map { "        \($0)" } + ["    }"]
    }

    /// `T1 "0..1" -- "*" T2 : Items, Order`
    private func line(_ relation: EntityDiagram.Relation) -> String {
        let (from, to) = (relation.from, relation.to)
        let isMutual = from.navigation != nil && to.navigation != nil
        let link = relation.isContainment ? "*--" : isMutual ? "--" : "-->"
        func end(_ multiplicity: String?) -> String { multiplicity.map { "\"\($0)\" " } ?? "" }
        let names = [from.navigation, to.navigation].compactMap { $0.map(Self.escaped) }.joined(separator: ", ")
        return "    \(id(from.box)) \(end(from.multiplicity))\(link) \(end(to.multiplicity))\(id(to.box)) : \(names)"
    }

    /// Whatever Mermaid might take for something else is written as `#code;`.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "_", ".", "?", "[", "]": String(scalar)
            case _ where scalar.properties.isAlphabetic || scalar.properties.numericType != nil: String(scalar)
            case _ where scalar.properties.generalCategory == .control: " "
            default: "#\(scalar.value);"
            }
        }.joined()
    }
}
