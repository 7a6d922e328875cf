/// Parses XML into a tree.
struct XMLTreeParser: XMLHandler {
    struct Symbol {
        var namespace: String
        var name: String
    }

    private var open: [XMLTree] = []
    private var texts: [[UInt8]] = []
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
        var element = XMLTree(name: name.name, attributes: [:], line: start.line, column: start.column)
        element.namespace = name.namespace
        for index in 0..<attributes.count {
            let name = attributes.name(index)
            if name.namespace.isEmpty {
                element.attributes[name.name] = attributes.text(index)
            } else {
                element.qualified.append(
                    .init(namespace: name.namespace, name: name.name, value: attributes.text(index)))
            }
        }
        open.append(element)
        texts.append([])
    }

    mutating func text(_ text: UnsafeBufferPointer<UInt8>) {
        guard !texts.isEmpty else { return }
        texts[texts.count - 1].append(contentsOf: text)
    }

    mutating func end(_ name: Symbol, at place: XMLPlace) { close() }

    private mutating func close() {
        guard var element = open.popLast(), let text = texts.popLast() else { return }
        // Most elements hold other elements, and white space between them.
        if text.contains(where: { $0 > 0x20 }) { element.text = String(decoding: text, as: UTF8.self) }
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].children.append(element)
        }
    }
}
