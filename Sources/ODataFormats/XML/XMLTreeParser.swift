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
        guard !bytes.isEmpty else { throw FormatError("The XML is empty.", offset: 0) }
        let scanner = XMLScanner(XMLTreeParser(), limits: limits)
        try scanner.feed(bytes)
        try scanner.finish()
        guard let root = scanner.handler.root else { throw FormatError("The XML is empty.", offset: 0) }
        return root
    }

    mutating func symbol(namespace: String, name: String) -> Symbol { Symbol(namespace: namespace, name: name) }

    mutating func start(_ name: Symbol, _ attributes: XMLAttributes<Symbol>, at place: XMLPlace) {
        var element = XMLTree(
            name: name.name, attributes: [:], line: place.line, column: place.column)
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

    mutating func end(_ name: Symbol, at place: XMLPlace) {
        guard var element = open.popLast(), let text = texts.popLast() else { return }
        element.text = String(decoding: text, as: UTF8.self)
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].children.append(element)
        }
    }
}
