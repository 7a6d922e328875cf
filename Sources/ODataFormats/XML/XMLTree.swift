/// An XML element with its attributes and content. Names are local names: prefixes are taken off.
struct XMLTree: Sendable {
    /// An attribute of a namespace: `m:null="true"`.
    struct Attribute: Sendable {
        var namespace: String
        var name: String
        var value: String
    }

    var name: String
    /// The namespace URI; empty for a name without one.
    var namespace = ""
    /// Those that are in no namespace.
    var attributes: [String: String]
    /// Those that are in one, in the order of the document.
    var qualified: [Attribute] = []
    var children: [XMLTree] = []
    /// The text between the tags, without that of child elements.
    var text = ""
    var line: Int
    var column: Int

    init(name: String, attributes: [String: String], line: Int, column: Int) {
        self.name = name
        self.attributes = attributes
        self.line = line
        self.column = column
    }

    subscript(attribute: String) -> String? { attributes[attribute] }

    /// The value of an attribute that is in a namespace.
    subscript(attribute: String, in namespace: String) -> String? {
        qualified.first { $0.name == attribute && $0.namespace == namespace }?.value
    }

    func children(named name: String) -> [XMLTree] { children.filter { $0.name == name } }

    /// A Boolean attribute: `true`, `1`, `false`, `0`.
    func flag(_ attribute: String) -> Bool? {
        switch attributes[attribute] {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    /// The element as XML text with its attributes in alphabetical order.
    var xml: String {
        let list = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\(XMLTree.escaped($0.value))\"" }.joined()
        let content = text.allSatisfy(\.isWhitespace) ? "" : XMLTree.escaped(text)
        guard !children.isEmpty || !content.isEmpty else { return "<\(name)\(list)/>" }
        return "<\(name)\(list)>\(content)\(children.map(\.xml).joined())</\(name)>"
    }

    /// Text fit for an attribute in double quotes or for element content.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": continue  // not allowed in XML 1.0 in any spelling
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
