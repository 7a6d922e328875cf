import ODataMetadata
import ODataModel

/// Writes rows as a feed or an entry of V2 or V3, piece by piece.
///
/// ```swift
/// var writer = AtomEntityWriter(shape: shape, kind: .collection, options: options)
/// writer.begin()
/// while let block = try await reader.next() {
///     writer.write(block)
///     send(writer.takeBytes())
/// }
/// writer.end(nextLink: nextLink)
/// ```
/// [OData V3 Atom Format]
package struct AtomEntityWriter: Sendable {
    let options: LegacyWriterOptions
    private let kind: PayloadKind
    let level: AtomWriterLevel
    var text = XMLText()
    private var count: Int64?
    private var hasHead = false
    /// Why what was written is not what was to be written: which property has a character that XML has not.
    package internal(set) var problem: String?

    package init(shape: RowShape, kind: PayloadKind, options: LegacyWriterOptions) {
        self.kind = kind
        self.options = options
        level = AtomWriterLevel(shape: shape, version: options.version)
    }

    /// Starts the payload.
    ///
    /// - Parameter count: `m:count`; the one of the first block if not given here.
    package mutating func begin(count: Int64? = nil) { self.count = count }

    /// Writes all rows of `block`. For a payload of one entity the first row of depth 0 is the entity.
    package mutating func write(_ block: RowBlock) {
        count = count ?? block.count
        head()
        let expansions = ExpansionIndex(block.expansions)
        var position = 0
        while position < block.rows.count {
            if block.rows[position].change == .entity {
                entity(at: &position, in: block, level: level, expansions: expansions, isRoot: kind == .entity)
            } else {
                removed(block.rows[position], in: block)
                position = block.end(of: position)
            }
            if kind == .entity { return }
        }
    }

    /// Ends the payload.
    package mutating func end(nextLink: String? = nil, deltaLink: String? = nil) {
        guard kind == .collection else { return }
        head()
        if let nextLink { text.element("link", ["rel": "next", "href": absolute(nextLink)]) }
        if let deltaLink { text.element("link", ["rel": "delta", "href": absolute(deltaLink)]) }
        text.raw("</feed>")
    }

    /// The bytes written since the last call.
    package mutating func takeBytes() -> [UInt8] { text.takeBytes() }

    /// `<feed>` with what comes before the entries.
    private mutating func head() {
        guard !hasHead else { return }
        hasHead = true
        text.raw(XMLText.declaration)
        guard kind == .collection else { return }
        let name = level.shape.entitySet?.name ?? level.shape.type.name.name
        let path = options.path ?? name
        text.raw("<feed")
        Self.namespaces(of: options, to: &text)
        text.raw(">")
        text.element("id", text: absolute(path))
        text.element("title", ["type": "text"], text: options.title ?? name)
        text.element("updated", text: options.updated)
        text.element("link", ["rel": "self", "title": options.title ?? name, "href": path])
        if let count { text.element("m:count", text: "\(count)") }
    }

    static func namespaces(of options: LegacyWriterOptions, to text: inout XMLText) {
        text.attribute("xml:base", options.serviceRoot)
        text.attribute("xmlns", AtomNamespace.atom)
        text.attribute("xmlns:d", AtomNamespace.data)
        text.attribute("xmlns:m", AtomNamespace.metadata)
    }

    /// A relative link against the service root.
    func absolute(_ link: String) -> String {
        link.contains("://") || link.hasPrefix("/") ? link : options.serviceRoot + link
    }

    /// `<at:deleted-entry xmlns:at="…" ref="http://host/root/Products(1)" when="…"/>`
    private mutating func removed(_ header: RowHeader, in block: RowBlock) {
        guard header.change == .deleted || header.change == .left else { return }
        let path = block.path(of: header, shape: level.shape, options: options) ?? ""
        text.element(
            "at:deleted-entry",
            [
                "xmlns:at": AtomNamespace.tombstones, "ref": absolute(path), "when": options.updated,
                "reason": header.change == .left ? "changed" : nil,
            ])
    }
}

/// What is the same for all entities of a shape.
struct AtomWriterLevel: Sendable {
    struct Column: Sendable {
        var name: String
        var type: EdmTypeReference
        /// `Edm.DateTime`
        var typeName: String
        /// `<d:Price m:type="Edm.Decimal"`
        var opening: [UInt8]
        /// `</d:Price>`
        var closing: [UInt8]
    }

    let shape: RowShape
    let columns: [Column]
    let children: [AtomWriterLevel]

    init(shape: RowShape, version: ODataVersion) {
        self.shape = shape
        columns = shape.properties[..<shape.hiddenFrom].map { property in
            let typeName = LegacyTypeName.name(of: property.type, annotations: property.annotations)
            let type = typeName == "Edm.String" ? "" : " m:type=\"\(XMLTree.escaped(typeName))\""
            return Column(
                name: property.name, type: property.type, typeName: typeName,
                opening: Array("<d:\(property.name)\(type)".utf8), closing: Array("</d:\(property.name)>".utf8))
        }
        children = shape.children.map { AtomWriterLevel(shape: $0.shape, version: version) }
    }
}
