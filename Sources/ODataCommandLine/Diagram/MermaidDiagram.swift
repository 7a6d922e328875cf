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
            + diagram.inheritances.map { "    \(id($0.derived)) --|> \(id($0.base))" } + diagram.relationships.map(line)
        return lines.joined(separator: "\n")
    }

    /// Names of types may have characters that ids of Mermaid cannot have.
    private func id(_ box: Int) -> String { "T\(box + 1)" }

    private func lines(of box: Int) -> [String] {
        let content = diagram.boxes[box]
        let properties = content.properties.map { property in
            (property.isKey ? "key " : "") + Self.escaped(property.name)
                + (property.type.map { ": \(Self.escaped($0))" } ?? "")
        }
        let members = content.marks.map { "<<\($0)>>" } + properties
        let head = "    class \(id(box))[\"\(Self.escaped(content.title))\"]"
        guard !members.isEmpty else { return [head] }
        return ["\(head) {"] + members.map { "        \($0)" } + ["    }"]
    }

    /// `T1 "0..1" -- "*" T2 : Items, Order`
    private func line(_ relationship: EntityDiagram.Relationship) -> String {
        let (from, to) = (relationship.from, relationship.to)
        let isMutual = from.navigation != nil && to.navigation != nil
        let link = relationship.isContainment ? "*--" : isMutual ? "--" : "-->"
        func end(_ multiplicity: String?) -> String { multiplicity.map { "\"\($0)\" " } ?? "" }
        let names = [from.navigation, to.navigation].compactMap { $0.map(Self.escaped) }.joined(separator: ", ")
        return "    \(id(from.box)) \(end(from.multiplicity))\(link) \(end(to.multiplicity))\(id(to.box)) : \(names)"
    }

    /// Whatever Mermaid might take for something else is written as `#code;`.
    private static func escaped(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        return scalars.indices.map { place in
            let scalar = scalars[place]
            switch scalar {
            case "_" where !isInsideWord(place, of: scalars): return "#95;"
            case "_", ".", "?", "[", "]": return String(scalar)
            case _ where isPartOfWord(scalar): return String(scalar)
            case _ where scalar.properties.generalCategory == .control: return " "
            default: return "#\(scalar.value);"
            }
        }.joined()
    }

    /// Others may begin or end emphasis, as in `__init__`. [CommonMark 0.31, section 6.2]
    private static func isInsideWord(_ place: Int, of scalars: [Unicode.Scalar]) -> Bool {
        place > 0 && place + 1 < scalars.count && isPartOfWord(scalars[place - 1]) && isPartOfWord(scalars[place + 1])
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}
