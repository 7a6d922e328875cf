/// Parses XML into a tree.
struct XMLTreeParser: XMLHandler {
    struct Symbol {
        var namespace: String
        var name: String
    }

    private var open: [XMLTree] = []
    /// The text of the elements that are open, one after the other, and where that of each starts.
    private var text: [UInt8] = []
    private var textStarts: [Int] = []
    private(set) var root: XMLTree?

    static func parse(_ bytes: [UInt8], limits: XMLLimits = XMLLimits()) throws(FormatError) -> XMLTree {
        let (root, cut) = try parsePart(bytes, limits: limits)
        if let cut { throw cut }
        return root
    }

    /// Parses a document whose end may be missing: elements that are open at the end are taken as they are.
    ///
    /// - Returns: The root, and the error if the document was cut off.
    static func parsePart(
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

    mutating func symbol(namespace: String, name: String) -> Symbol { Symbol(namespace: namespace, name: name) }

    mutating func start(_ name: Symbol, _ attributes: XMLAttributes<Symbol>, at place: XMLPlace) {
        let start = place.start
        let element = XMLTree(
            name: name.name, namespace: name.namespace, attributes: [], line: start.line, column: start.column)
        element.attributes.reserveCapacity(attributes.count)
        for index in 0..<attributes.count {
            let name = attributes.name(index)
            if name.namespace.isEmpty {
                element.attributes.append(.init(name: name.name, value: attributes.text(index)))
            } else {
                element.qualified.append(
                    .init(namespace: name.namespace, name: name.name, value: attributes.text(index)))
            }
        }
        open.append(element)
        textStarts.append(text.count)
    }

    mutating func text(_ piece: UnsafeBufferPointer<UInt8>) {
        if !open.isEmpty { text.append(contentsOf: piece) }
    }

    mutating func end(_ name: Symbol, at place: XMLPlace) { close() }

    private mutating func close() {
        guard let element = open.popLast(), let start = textStarts.popLast() else { return }
        if text.count > start {
            // White space between child elements means nothing.
            if element.children.isEmpty || text[start...].contains(where: { $0 > 0x20 }) {
                element.text = String(decoding: text[start...], as: UTF8.self)
            }
            text.removeSubrange(start...)
        }
        if let parent = open.last { parent.children.append(element) } else { root = element }
    }
}
