/// An XML element with its attributes and content. Names are local names: prefixes are taken off.
///
/// A class, as trees are handed around a great deal.
package final class XMLTree {
    /// An attribute of a namespace: `m:null="true"`.
    package struct Attribute {
        package var namespace = ""
        package var name: String
        package var value: String
    }

    /// What is known of an element once its start was read.
    package struct Tag {
        package var name: String
        package var namespace: String
        package var attributes: [Attribute]
        package var qualified: [Attribute]
        package var line: Int
        package var column: Int
    }

    package let name: String
    /// The namespace URI; empty for a name without one.
    package let namespace: String
    /// Those that are in no namespace, in the order of the document.
    package let attributes: [Attribute]
    /// Those that are in one, in the order of the document.
    package let qualified: [Attribute]
    package let children: [XMLTree]
    /// The text between the tags, without that of child elements.
    package let text: String
    package let line: Int
    package let column: Int

    init(_ tag: Tag, children: [XMLTree], text: String) {
        name = tag.name
        namespace = tag.namespace
        attributes = tag.attributes
        qualified = tag.qualified
        line = tag.line
        column = tag.column
        self.children = children
        self.text = text
    }

    package subscript(attribute: String) -> String? {
        // By index: a copy of each attribute would be retained and released.
        for index in attributes.indices where attributes[index].name == attribute { return attributes[index].value }
        return nil
    }

    /// The value of an attribute that is in a namespace.
    package subscript(attribute: String, in namespace: String) -> String? {
        qualified.first { $0.name == attribute && $0.namespace == namespace }?.value
    }

    package func children(named name: String) -> [XMLTree] { children.filter { $0.name == name } }

    /// A Boolean attribute: `true`, `1`, `false`, `0`, and as some services write it, `True`.
    package func flag(_ attribute: String) -> Bool? {
        switch self[attribute] {
        case "true", "1", "True", "TRUE": true
        case "false", "0", "False", "FALSE": false
        default: nil
        }
    }

    /// Text fit for an attribute in double quotes or for element content.
    package static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: needsEscape) else { return text }
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

    /// The first character that XML 1.0 does not allow in any spelling.
    package static func firstImpossible(in text: String) -> Unicode.Scalar? {
        guard text.utf8.contains(where: needsEscape) else { return nil }
        return text.unicodeScalars.first { scalar in
            switch scalar {
            case "\t", "\n", "\r": false
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": true
            default: false
            }
        }
    }

    /// Whether a text with this byte needs another look; U+FFFE and U+FFFF start with 0xEF.
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
            || byte == UInt8(ascii: "\"") || byte == 0xEF
    }
}
