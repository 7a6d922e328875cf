import Testing

@testable import ODataFormats
@testable import ODataMetadata

/// Writes the events of a document down.
private struct EventLog: XMLHandler {
    var events: [String] = []
    var names: [String] = []

    mutating func symbol(namespace: String, name: String) -> String {
        let full = namespace.isEmpty ? name : "{\(namespace)}\(name)"
        names.append(full)
        return full
    }

    mutating func start(_ name: String, _ attributes: XMLAttributes<String>, at place: XMLPlace) throws(FormatError) {
        if name == "refused" { throw FormatError("refused") }
        let list = (0..<attributes.count).map { " \(attributes.name($0))=\(attributes.text($0))" }.joined()
        events.append("<\(name)\(list)>")
    }

    mutating func text(_ text: UnsafeBufferPointer<UInt8>) {
        let text = String(decoding: text, as: UTF8.self)
        if let last = events.last, !last.hasPrefix("<") {
            events[events.count - 1] += text
        } else {
            events.append(text)
        }
    }

    mutating func end(_ name: String, at place: XMLPlace) { events.append("</\(name)>") }
}

@Suite("XML scanner")
struct XMLScannerTests {
    private func events(
        _ bytes: [UInt8], chunk: Int = .max, limits: XMLLimits = XMLLimits()
    ) throws(FormatError) -> [String] {
        let scanner = XMLScanner(EventLog(), limits: limits)
        var start = 0
        while start < bytes.count {
            let end = chunk < bytes.count - start ? start + chunk : bytes.count
            try scanner.feed(Array(bytes[start..<end]))
            start = end
        }
        try scanner.finish()
        return scanner.handler.events
    }

    @Test(
        "Elements, attributes, namespaces, text and CDATA are told, however the bytes are cut",
        arguments: [1, 2, 3, 7, 64, 10_000])
    func structure(chunk: Int) throws {
        let xml = """
            <?xml version="1.0"?><!-- c --><a xmlns="urn:a" xmlns:m="urn:m" m:k="1&amp;2" l='ü'>\
            x&lt;&#65;<![CDATA[<b>]]><m:b/><c xmlns="">€</c></a>
            """
        let found = try events(Array(xml.utf8), chunk: chunk)
        #expect(
            found == [
                "<{urn:a}a {urn:m}k=1&2 l=ü>", "x<A<b>", "<{urn:m}b>", "</{urn:m}b>", "<c>", "€", "</c>",
                "</{urn:a}a>",
            ])
    }

    @Test("A name is resolved once")
    func names() throws {
        let scanner = XMLScanner(EventLog())
        try scanner.feed(Array("<a xmlns='urn:a'>\(String(repeating: "<b/>", count: 1000))</a>".utf8))
        try scanner.finish()
        #expect(scanner.handler.names == ["{urn:a}a", "{urn:a}b"])
    }

    @Test("UTF-16 is understood", arguments: [true, false])
    func utf16(isBig: Bool) throws {
        let text = "<?xml version=\"1.0\" encoding=\"utf-16\"?><a>ü€</a>"
        let bytes = ([0xFEFF] + Array(text.utf16)).flatMap { unit -> [UInt8] in
            let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return isBig ? pair : pair.reversed()
        }
        #expect(try events(bytes) == ["<a>", "ü€", "</a>"])
        #expect(try events(bytes, chunk: 3) == ["<a>", "ü€", "</a>"])
    }

    @Test("UTF-8 that says it is UTF-16 is read as what it is", arguments: [1, 3, 5, 1000])
    func falseEncoding(chunk: Int) throws {
        for (mark, rest) in [([], ""), ([0xEF, 0xBB, 0xBF], ""), ([], " standalone='yes'")] as [([UInt8], String)] {
            let xml = "<?xml version=\"1.0\" encoding = 'UTF-16'\(rest)?>\n<a>ü€</a>"
            #expect(try events(mark + Array(xml.utf8), chunk: chunk) == ["<a>", "ü€", "</a>"])
        }
    }

    @Test(
        "What is broken or refused is an error with its line",
        arguments: [
            ("<a>\n<b></a>", 2), ("<a>\n&unknown;</a>", 2), ("<a>\n\n<refused/></a>", 3), ("<a>", 1), ("<a/><b/>", 1),
            ("<a>\n\u{1}</a>", 2),
            ("<?xml version='1.0'?>\n<!DOCTYPE a><a/>", 2), ("<?xml version='1.0'", 1),
            ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", 1),
            ("<!DOCTYPE a SYSTEM 'file:///etc/hostname'><a/>", 1),
        ])
    func errors(xml: String, line: Int) {
        for chunk in [1, 5, 1000] {
            let error = #expect(throws: FormatError.self) { try events(Array(xml.utf8), chunk: chunk) }
            #expect(error?.line == line, "\(xml) in chunks of \(chunk): \(String(describing: error))")
        }
    }

    @Test("Nothing and white space are not documents", arguments: ["", " ", "   \n   "])
    func empty(xml: String) {
        #expect(throws: FormatError.self) { try events(Array(xml.utf8)) }
    }

    @Test("Depth, length and attributes are limited")
    func limits() throws {
        let nested = String(repeating: "<a>", count: 11) + String(repeating: "</a>", count: 11)
        #expect(throws: FormatError.self) { try events(Array(nested.utf8), limits: XMLLimits(depth: 10)) }
        #expect(try events(Array(nested.utf8), limits: XMLLimits(depth: 11)).count == 22)
        #expect(throws: FormatError.self) { try events(Array(nested.utf8), limits: XMLLimits(bytes: 50)) }
        let attributes = "<a" + (0..<11).map { " b\($0)=''" }.joined() + "/>"
        #expect(throws: FormatError.self) { try events(Array(attributes.utf8), limits: XMLLimits(attributes: 10)) }
    }

    @Test("Text beyond what the library takes in one piece is read")
    func longText() throws {
        let text = String(repeating: "0123456789", count: 2_000_000)
        let found = try events(Array("<a>\(text)</a>".utf8), chunk: 65536)
        #expect(found.count == 3)
        #expect(found[1].utf8.count == text.utf8.count)
    }
}
