import ODataModel

extension AtomEntityWriter {
    /// Writes the entry at `position` and what it expands; `position` is behind both afterwards.
    mutating func entity(
        at position: inout Int, in block: RowBlock, level: AtomWriterLevel, expansions: ExpansionIndex, isRoot: Bool
    ) {
        let row = position
        let header = block.rows[row]
        position += 1
        let path = block.path(of: header, shape: level.shape, options: options)
        let type =
            level.shape.types.indices.contains(Int(header.type))
            ? level.shape.types[Int(header.type)] : level.shape.type
        text.raw("<entry")
        if isRoot { Self.namespaces(of: options, to: &text) }
        if let etag = block.text(header.etag) { text.attribute("m:etag", etag) }
        text.raw(">")
        text.element("id", text: path.map(absolute) ?? "")
        text.element("category", ["term": "\(type.name)", "scheme": AtomNamespace.scheme])
        if let path { text.element("link", ["rel": "edit", "title": type.name.name, "href": path]) }
        let media = header.media > 0 ? block.media[Int(header.media) - 1] : RowMedia()
        streams(media, of: type, path: path)
        links(of: row, type: type, path: path, at: &position, in: block, level: level, expansions: expansions)
        text.element("title")
        text.element("updated", text: options.updated)
        text.element("author") { $0.element("name") }
        content(of: row, media: media, type: type, path: path, in: block, level: level)
        text.raw("</entry>")
    }

    /// The properties, inside the content or, for media entities, beside it.
    private mutating func content(
        of row: Int, media: RowMedia, type: EdmStructuredType, path: String?, in block: RowBlock, level: AtomWriterLevel
    ) {
        if type.hasStream {
            text.element(
                "content",
                [
                    "type": media.entity?.contentType ?? "application/octet-stream",
                    "src": media.entity?.readLink ?? path.map { $0 + "/$value" },
                ])
        } else {
            text.raw("<content type=\"application/xml\">")
        }
        text.raw("<m:properties>")
        slots(of: row, path: path, in: block, level: level)
        text.raw("</m:properties>")
        if !type.hasStream { text.raw("</content>") }
    }

    private mutating func streams(_ media: RowMedia, of type: EdmStructuredType, path: String?) {
        if type.hasStream, let link = media.entity?.editLink ?? path.map({ $0 + "/$value" }) {
            text.element(
                "link", ["rel": "edit-media", "title": type.name.name, "href": link, "m:etag": media.entity?.etag])
        }
        guard options.version >= .v3 else { return }
        for property in type.properties where property.isStream {
            guard let stream = media.properties[property.name] else { continue }
            let link = path.map { "\($0)/\(property.name)" }
            text.element(
                "link",
                [
                    "rel": AtomNamespace.mediaResource + property.name, "type": stream.contentType,
                    "title": property.name, "href": stream.readLink ?? link,
                ])
            text.element(
                "link",
                [
                    "rel": AtomNamespace.editMedia + property.name, "type": stream.contentType,
                    "title": property.name, "href": stream.editLink ?? stream.readLink ?? link, "m:etag": stream.etag,
                ])
        }
    }

    /// A link for each navigation property; what is expanded is in it.
    private mutating func links(
        of row: Int, type: EdmStructuredType, path: String?, at position: inout Int, in block: RowBlock,
        level: AtomWriterLevel, expansions: ExpansionIndex
    ) {
        let header = block.rows[row]
        for (index, child) in level.shape.children.enumerated() {
            guard header.presentChildren & (1 << UInt64(min(index, 63))) != 0 else { continue }
            beginLink(child.navigation, path: path)
            text.raw("><m:inline>")
            if child.navigation.isCollection {
                inlineHead(child, path: path, expansion: expansions.expansion(row: row, child: index))
            }
            while position < block.rows.count, block.rows[position].depth > header.depth,
                block.rows[position].child == index
            {
                guard block.rows[position].change == .entity else {
                    position = block.end(of: position)
                    continue
                }
                entity(at: &position, in: block, level: level.children[index], expansions: expansions, isRoot: false)
            }
            if child.navigation.isCollection {
                if let link = expansions.expansion(row: row, child: index)?.nextLink {
                    text.element("link", ["rel": "next", "href": absolute(link)])
                }
                text.raw("</feed>")
            }
            text.raw("</m:inline></link>")
        }
        while position < block.rows.count, block.rows[position].depth > header.depth { position += 1 }
        guard let path else { return }
        for navigation in type.navigationProperties {
            if let child = level.shape.child(of: navigation.name, as: type),
                header.presentChildren & (1 << UInt64(min(child, 63))) != 0
            {
                continue
            }
            beginLink(navigation, path: path)
            text.raw("/>")
        }
    }

    private mutating func beginLink(_ navigation: EdmNavigationProperty, path: String?) {
        text.raw("<link")
        text.attribute("rel", AtomNamespace.related + navigation.name)
        text.attribute("type", "application/atom+xml;type=\(navigation.isCollection ? "feed" : "entry")")
        text.attribute("title", navigation.name)
        text.attribute("href", (path.map { $0 + "/" } ?? "") + navigation.name)
    }

    private mutating func inlineHead(_ child: RowShape.Child, path: String?, expansion: RowExpansion?) {
        let name = child.navigation.name
        text.raw("<feed>")
        text.element("title", ["type": "text"], text: name)
        text.element("id", text: absolute((path.map { $0 + "/" } ?? "") + name))
        text.element("updated", text: options.updated)
        if let count = expansion?.count { text.element("m:count", text: "\(count)") }
    }

    // MARK: Properties

    private mutating func slots(of row: Int, path: String?, in block: RowBlock, level: AtomWriterLevel) {
        let first = Int(block.rows[row].firstSlot)
        for (index, column) in level.columns.enumerated() where index != level.shape.dynamicSlot {
            let slot = block.slots[first + index]
            if slot.kind == .absent { continue }
            text.raw(column.opening)
            if slot.kind == .null {
                text.raw(" m:null=\"true\"/>")
                continue
            }
            text.raw(">")
            writeValue(row: row, slot: index, column: column, in: block, shape: level.shape)
            text.raw(column.closing)
            note(column.name, path)
        }
        guard let slot = level.shape.dynamicSlot else { return }
        dynamic(block.slots[first + slot], in: block)
        note("a dynamic property", path)
    }

    private mutating func note(_ name: String, _ path: String?) {
        guard problem == nil else { return }
        problem = text.problem(of: path.map { "\(name) of \($0)" } ?? name)
    }

    private mutating func writeValue(
        row: Int, slot index: Int, column: AtomWriterLevel.Column, in block: RowBlock, shape: RowShape
    ) {
        let slot = block.slots[Int(block.rows[row].firstSlot) + index]
        switch slot.kind {
        case .boolean: text.raw(slot.bits != 0 ? "true" : "false")
        case .integer: text.raw("\(slot.bits)")
        case .text where Self.isPlain(column.type): text.text(block.buffer[slot.span.range])
        case .absent, .null: break
        default:
            guard let value = block.value(row: row, slot: index, shape: shape) else { return }
            AtomValue.write(value, type: column.type, typeName: column.typeName, model: shape.model, to: &text)
        }
    }

    /// Whether the text of the V4 value is that of V2.
    private static func isPlain(_ type: EdmTypeReference) -> Bool {
        switch type {
        case .enumeration, .primitive(.string), .primitive(.decimal), .primitive(.guid): true
        default: false
        }
    }

    private mutating func dynamic(_ slot: RowSlot, in block: RowBlock) {
        guard slot.kind == .json, let node = try? JSONParser.parse(block.buffer[slot.span.range]) else { return }
        for member in node.members ?? [] where !member.name.contains("@") {
            AtomValue.writeDynamic(member.name, member.node, to: &text)
        }
    }
}
