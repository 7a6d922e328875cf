import ODataModel

/// Which members a JSON value has and of what kind they are, whatever their values: `error.details[]: a string`.
///
/// Compared with a recorded message, it tells what one has and the other has not.
package enum JSONShape {
    /// - Parameter path: The prefix of each line: `addResults[]`.
    package static func lines(of node: JSONNode, at path: String = "") -> Set<String> {
        var lines: Set<String> = ["\(path): \(node.kind)"]
        for member in node.members ?? [] {
            lines.formUnion(self.lines(of: member.node, at: path.isEmpty ? member.name : "\(path).\(member.name)"))
        }
        for element in node.elements ?? [] { lines.formUnion(self.lines(of: element, at: "\(path)[]")) }
        return lines
    }
}
