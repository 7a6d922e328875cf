/// Parses XML into a tree.
package struct XMLTreeParser: XMLHandler {
    /// The position of a name in ``names``: a number costs nothing to pass on.
    package typealias Symbol = Int

    private struct OpenElement {
        var tag: XMLTree.Tag
        var children: [XMLTree] = []
        /// Where its text starts.
        var textStart: Int
    }

    private var names: [(namespace: String, name: String)] = []
    private var open: [OpenElement] = []
    /// The text of the elements that are open, one after the other.
    private var text: [UInt8] = []
    private(set) var root: XMLTree?

    package static func parse(_ bytes: [UInt8], limits: XMLLimits = XMLLimits()) throws(FormatError) -> XMLTree {
        let (root, cut) = try parsePart(bytes, limits: limits)
        if let cut { throw cut }
        return root
    }

    /// Parses a document whose end may be missing: elements that are open at the end are taken as they are.
    ///
    /// - Returns: The root, and the error if the document was cut off.
    package static func parsePart(
        _ bytes: [UInt8], limits: XMLLimits = XMLLimits()
    ) throws(FormatError) -> (root: XMLTree, cut: FormatError?) {
        guard !bytes.isEmpty else { throw FormatError("The XML is empty.", offset: 0) }
        let scanner = XMLScanner(XMLTreeParser(), limits: limits)
        try scanner.feed(bytes)
        var cut: FormatError?
        do {
            try scanner.finish()
        } catch {
            guard !scanner.handler.open.isEmpty else { throw error }
            cut = error
            scanner.handler.closeAll()
        }
        guard let root = scanner.handler.root else { throw FormatError("The XML is empty.", offset: 0) }
        return (root, cut)
    }

    private mutating func closeAll() {
        while !open.isEmpty { close() }
    }

    package mutating func symbol(namespace: String, name: String) -> Symbol {
        names.append((namespace, name))
        return names.count - 1
    }

    package mutating func start(_ name: Symbol, _ attributes: XMLAttributes<Symbol>, at place: XMLPlace) {
        var plain: [XMLTree.Attribute] = []
        var qualified: [XMLTree.Attribute] = []
        plain.reserveCapacity(attributes.count)
        for index in 0..<attributes.count {
            let name = names[attributes.name(index)]
            let attribute = XMLTree.Attribute(
                namespace: name.namespace, name: name.name, value: attributes.text(index))
            if name.namespace.isEmpty {
                plain.append(attribute)
            } else {
                if qualified.isEmpty { qualified.reserveCapacity(attributes.count - plain.count) }
                qualified.append(attribute)
            }
        }
        let name = names[name]
        let start = place.start
        let tag = XMLTree.Tag(
            name: name.name, namespace: name.namespace, attributes: plain, qualified: qualified, line: start.line,
            column: start.column)
        open.append(OpenElement(tag: tag, textStart: text.count))
    }

    package mutating func text(_ piece: UnsafeBufferPointer<UInt8>) {
        if !open.isEmpty { text.append(contentsOf: piece) }
    }

    package mutating func end(_ name: Symbol, at place: XMLPlace) { close() }

    private mutating func close() {
        guard let element = open.popLast() else { return }
        var content = ""
        if text.count > element.textStart {
            // White space between child elements means nothing.
            if element.children.isEmpty || text[element.textStart...].contains(where: { $0 > 0x20 }) {
                content = String(decoding: text[element.textStart...], as: UTF8.self)
            }
            text.removeLast(text.count - element.textStart)
        }
        let tree = XMLTree(element.tag, children: element.children, text: content)
        if open.isEmpty { root = tree } else { open[open.count - 1].children.append(tree) }
    }
}
