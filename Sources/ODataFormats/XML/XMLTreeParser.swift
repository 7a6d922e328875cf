import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Parses XML into a tree. Documents with a document type declaration are refused: entities would let a few bytes
/// grow without limit or read other files.
final class XMLTreeParser: NSObject, XMLParserDelegate {
    private var open: [XMLTree] = []
    private var root: XMLTree?
    private var failure: FormatError?

    static func parse(_ bytes: [UInt8]) throws(FormatError) -> XMLTree {
        guard !bytes.isEmpty else { throw FormatError("The XML is empty.", offset: 0) }
        try checkEncoding(bytes)
        if let offset = offset(of: "<!DOCTYPE", in: bytes) {
            throw FormatError("XML with a document type declaration is refused.", offset: offset)
        }
        let delegate = XMLTreeParser()
        let parser = XMLParser(data: Data(bytes))
        parser.shouldProcessNamespaces = false
        parser.shouldResolveExternalEntities = false
        parser.delegate = delegate
        let succeeded = parser.parse()
        if let failure = delegate.failure { throw failure }
        guard succeeded, let root = delegate.root else {
            throw FormatError("The XML is broken at line \(parser.lineNumber), column \(parser.columnNumber).")
        }
        return root
    }

    /// Foundation's parser on Linux does not survive names that are not UTF-8, and another encoding could hide a
    /// document type declaration.
    private static func checkEncoding(_ bytes: [UInt8]) throws(FormatError) {
        if let offset = bytes.firstIndex(of: 0) {
            throw FormatError("The XML is not UTF-8: it has a zero byte.", offset: offset)
        }
        guard String(validating: bytes, as: UTF8.self) != nil else { throw FormatError("The XML is not UTF-8.") }
        let start = String(decoding: bytes.prefix(200), as: UTF8.self)
        guard let declared = start.firstMatch(of: #/^\uFEFF?<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)["']/#) else {
            return
        }
        guard ["utf-8", "us-ascii"].contains(declared.1.lowercased()) else {
            throw FormatError("The XML is declared to be \(declared.1), not UTF-8.", offset: 0)
        }
    }

    private static func offset(of word: String, in bytes: [UInt8]) -> Int? {
        let word = Array(word.utf8)
        return bytes.indices.first { bytes[$0] == word[0] && bytes[$0...].starts(with: word) }
    }

    private static func localName(_ name: String) -> String {
        name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        open.append(
            XMLTree(
                name: Self.localName(elementName), attributes: attributes, line: parser.lineNumber,
                column: parser.columnNumber))
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard let element = open.popLast() else { return }
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].children.append(element)
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard !open.isEmpty else { return }
        open[open.count - 1].text += string
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        guard !open.isEmpty else { return }
        open[open.count - 1].text += String(decoding: block, as: UTF8.self)
    }

    func parser(_ parser: XMLParser, foundInternalEntityDeclarationWithName name: String, value: String?) {
        failure = FormatError("XML that declares entities is refused.")
        parser.abortParsing()
    }

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        guard failure == nil else { return }
        failure = FormatError(
            "The XML is broken at line \(parser.lineNumber), column \(parser.columnNumber): "
                + "\(parseError.localizedDescription)")
    }
}
