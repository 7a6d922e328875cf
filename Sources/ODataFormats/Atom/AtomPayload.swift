import ODataMetadata
import ODataModel
import ODataQuery

/// Small messages of V1 to V3 in XML: values, links, errors, the service document.
///
/// [OData V3 Atom Format; OData V2: Representing …]
package enum AtomPayload {
    // MARK: Values

    /// Reads `<d:Price xmlns:d="…" m:type="Edm.Decimal">12.50</d:Price>`, complex values and collections too.
    package static func value(
        _ bytes: [UInt8], type: EdmTypeReference, model: EdmModel, limits: PayloadLimits = .default
    ) throws(FormatError) -> EdmValue {
        let root = try tree(bytes, limits: limits)
        if let error = serviceError(root) {
            throw FormatError("The payload holds an error instead of data. \(error.message)", service: error)
        }
        return try AtomTreeReader(model: model).value(root, type: type)
    }

    /// - Parameter name: Of the property, or of the function whose result the value is.
    /// - Throws: ``FormatError`` for text that XML cannot have.
    package static func bytes(
        value: EdmValue, name: String, type: EdmTypeReference, annotations: [EdmAnnotation] = [], model: EdmModel
    ) throws(FormatError) -> [UInt8] {
        var text = XMLText()
        text.raw(XMLText.declaration)
        let namespaces = " xmlns:d=\"\(AtomNamespace.data)\" xmlns:m=\"\(AtomNamespace.metadata)\""
        AtomValue.property(
            name, value, type: type, annotations: annotations, model: model, isElement: type.isCollection,
            attributes: namespaces, to: &text)
        if let problem = text.problem(of: name) { throw FormatError(problem) }
        return text.takeBytes()
    }

    // MARK: Links

    /// Reads `<uri>http://h/Categories(1)</uri>`, or `<links><uri>…</uri><uri>…</uri></links>`.
    package static func references(
        _ bytes: [UInt8], limits: PayloadLimits = .default
    ) throws(FormatError) -> (references: [String], count: Int64?, nextLink: String?) {
        let root = try tree(bytes, limits: limits)
        if root.name == "uri" { return ([trimmed(root.text)], nil, nil) }
        guard root.name == "links" else { throw FormatError("Links are expected, not “\(root.name)”.") }
        return (
            root.children(named: "uri").map { trimmed($0.text) },
            root.children(named: "count").first.flatMap { Int64(trimmed($0.text)) },
            root.children(named: "next").first.map { trimmed($0.text) }
        )
    }

    package static func bytes(reference: String) -> [UInt8] {
        var text = XMLText()
        text.raw(XMLText.declaration)
        text.element("uri", ["xmlns": AtomNamespace.data], text: reference)
        return text.takeBytes()
    }

    package static func bytes(references: [String], count: Int64? = nil, nextLink: String? = nil) -> [UInt8] {
        var text = XMLText()
        text.raw(XMLText.declaration)
        text.element("links", ["xmlns": AtomNamespace.data]) { text in
            if let count { text.element("m:count", ["xmlns:m": AtomNamespace.metadata], text: "\(count)") }
            for reference in references { text.element("uri", text: reference) }
            if let nextLink { text.element("next", text: nextLink) }
        }
        return text.takeBytes()
    }

    // MARK: The service document

    /// `<service xml:base="http://h/root/" …><workspace>…<collection href="Products">…`
    package static func serviceDocument(model: EdmModel, serviceRoot: String) -> [UInt8] {
        var text = XMLText()
        text.raw(XMLText.declaration)
        let attributes: KeyValuePairs<String, String?> = [
            "xml:base": serviceRoot, "xmlns": AtomNamespace.publishing, "xmlns:atom": AtomNamespace.atom,
        ]
        text.element("service", attributes) { text in
            text.element("workspace") { text in
                text.element("atom:title", text: "Default")
                for set in model.entitySets where set.kind == .entitySet {
                    text.element("collection", ["href": set.name]) { $0.element("atom:title", text: set.name) }
                }
            }
        }
        return text.takeBytes()
    }

    // MARK: Parts

    static func tree(_ bytes: [UInt8], limits: PayloadLimits) throws(FormatError) -> XMLTree {
        try XMLTreeParser.parse(bytes, limits: XMLLimits(depth: limits.depth * 4, bytes: limits.entityBytes))
    }

    static func trimmed(_ text: String) -> String {
        guard text.first?.isWhitespace == true || text.last?.isWhitespace == true else { return text }
        return String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
