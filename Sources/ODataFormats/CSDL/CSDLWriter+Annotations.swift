import ODataModel

extension CSDLWriter {
    mutating func write(_ annotations: [Annotation]) {
        for annotation in annotations {
            let parts = annotation.term.split(separator: "#", maxSplits: 1).map(String.init)
            let attributes: [(String, String?)] = [
                ("Term", parts.first ?? ""), ("Qualifier", parts.dropFirst().first),
            ]
            write("Annotation", attributes, value: annotation.value)
        }
    }

    /// Writes an element that holds `value` in an attribute where that is possible, else in a child.
    private mutating func write(_ name: String, _ attributes: [(String, String?)], value: Annotation.Value) {
        switch value {
        case .bool(let flag): element(name, attributes + [("Bool", flag ? "true" : "false")])
        case .int(let number): element(name, attributes + [("Int", "\(number)")])
        case .string(let text): element(name, attributes + [("String", text)])
        case .other(let text):
            if let (constant, text) = Self.constant(text) {
                element(name, attributes + [(constant, text)])
            } else {
                element(name, attributes) { $0.expression(value) }
            }
        case .collection, .record: element(name, attributes) { $0.expression(value) }
        }
    }

    private mutating func expression(_ value: Annotation.Value) {
        switch value {
        case .bool(let flag): raw("<Bool>\(flag ? "true" : "false")</Bool>")
        case .int(let number): raw("<Int>\(number)</Int>")
        case .string(let text): raw("<String>\(XMLTree.escaped(text))</String>")
        case .collection(let values):
            element("Collection") { writer in
                for value in values { writer.expression(value) }
            }
        case .record(let members):
            element("Record") { writer in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    writer.write("PropertyValue", [("Property", name)], value: value)
                }
            }
        case .other(let text):
            if let (constant, text) = Self.constant(text) {
                raw("<\(constant)>\(XMLTree.escaped(text))</\(constant)>")
            } else if let tree = try? XMLTreeParser.parse(Array(text.utf8)) {
                raw(tree.xml)
            } else {
                raw("<String>\(XMLTree.escaped(text))</String>")
            }
        }
    }

    /// `("EnumMember", "Model.Color/Red")` of `EnumMember="Model.Color/Red"`.
    private static func constant(_ text: String) -> (name: String, value: String)? {
        guard let equals = text.firstIndex(of: "="), text.hasSuffix("\""), text.count > 2,
            CSDL.constantNames.contains(String(text[..<equals]))
        else { return nil }
        let quoted = text[text.index(after: equals)...]
        guard quoted.hasPrefix("\""), quoted.count >= 2 else { return nil }
        return (String(text[..<equals]), String(quoted.dropFirst().dropLast()))
    }
}
