import ODataModel

/// Writes rows as verbose JSON of V1 to V3, piece by piece; used like ``AtomEntityWriter``.
///
/// [OData-JSON-Verbose-Format V3]
package struct VerboseEntityWriter: Sendable {
    let options: LegacyWriterOptions
    private let kind: PayloadKind
    private let level: AtomWriterLevel
    private var bytes: [UInt8] = []
    private var needsComma = false
    private var count: Int64?

    package init(shape: RowShape, kind: PayloadKind, options: LegacyWriterOptions) {
        self.kind = kind
        self.options = options
        level = AtomWriterLevel(shape: shape, version: options.version)
    }

    /// Starts the payload.
    ///
    /// - Parameter count: `__count`; one that is in a block but not given here is used too.
    package mutating func begin(count: Int64? = nil) {
        self.count = count
        guard kind == .collection else { return append("{\"d\":") }
        append(options.version == .v1 ? "{\"d\":[" : "{\"d\":{\"results\":[")
    }

    /// Writes all rows of `block`. For a payload of one entity the first row of depth 0 is the entity.
    package mutating func write(_ block: RowBlock) {
        count = count ?? block.count
        let expansions = ExpansionIndex(block.expansions)
        var position = 0
        while position < block.rows.count {
            if block.rows[position].change == .entity {
                separate()
                entity(at: &position, in: block, level: level, expansions: expansions)
            } else {
                removed(block.rows[position], in: block)
                position = block.end(of: position)
            }
            if kind == .entity { return }
        }
    }

    /// Ends the payload.
    package mutating func end(nextLink: String? = nil, deltaLink: String? = nil) {
        guard kind == .collection else { return append("}") }
        append("]")
        guard options.version > .v1 else { return append("}") }
        if let count { append(",\"__count\":\"\(count)\"") }
        for (name, link) in [("__next", nextLink), ("__delta", deltaLink)] {
            guard let link else { continue }
            append(",")
            member(name, absolute(link))
        }
        append("}}")
    }

    /// The bytes written since the last call.
    package mutating func takeBytes() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func separate() {
        if needsComma { append(",") }
        needsComma = true
    }

    private mutating func member(_ name: String, _ text: String) {
        JSONText.append(quoted: name, to: &bytes)
        append(":")
        JSONText.append(quoted: text, to: &bytes)
    }

    private func absolute(_ link: String) -> String {
        link.contains("://") || link.hasPrefix("/") ? link : options.serviceRoot + link
    }

    private mutating func removed(_ header: RowHeader, in block: RowBlock) {
        guard header.change == .deleted || header.change == .left else { return }
        separate()
        let set = level.shape.entitySet?.name ?? level.shape.type.name.name
        append("{")
        member("@odata.context", "$metadata#\(set)/$deletedEntity")
        append(",")
        member("id", absolute(block.path(of: header, shape: level.shape, options: options) ?? ""))
        append("}")
    }

    // MARK: Entities

    private mutating func entity(
        at position: inout Int, in block: RowBlock, level: AtomWriterLevel, expansions: ExpansionIndex
    ) {
        let row = position
        let header = block.rows[row]
        position += 1
        let path = block.path(of: header, shape: level.shape, options: options)
        let type =
            level.shape.types.indices.contains(Int(header.type))
            ? level.shape.types[Int(header.type)] : level.shape.type
        let media = header.media > 0 ? block.media[Int(header.media) - 1] : RowMedia()
        append("{\"__metadata\":{")
        if let path {
            member(options.version >= .v3 ? "id" : "uri", absolute(path))
            append(",")
            if options.version >= .v3 {
                member("uri", absolute(path))
                append(",")
            }
        }
        member("type", "\(type.name)")
        if let etag = block.text(header.etag) {
            append(",")
            member("etag", etag)
        }
        if type.hasStream {
            stream(media.entity ?? RowMedia.Stream(), path: path.map { $0 + "/$value" }, isFirst: false)
        }
        append("}")
        slots(of: row, in: block, level: level)
        if options.version >= .v3 { streams(media, of: type, path: path) }
        children(of: row, type: type, path: path, at: &position, in: block, level: level, expansions: expansions)
        append("}")
    }

    /// `"media_src":"…","edit_media":"…","content_type":"image/png","media_etag":"…"`
    private mutating func stream(_ stream: RowMedia.Stream, path: String?, isFirst: Bool) {
        var isFirst = isFirst
        let members = [
            ("media_src", (stream.readLink ?? path).map(absolute)), ("content_type", stream.contentType),
            ("edit_media", (stream.editLink ?? path).map(absolute)), ("media_etag", stream.etag),
        ]
        for case (let name, let text?) in members {
            if !isFirst { append(",") }
            isFirst = false
            member(name, text)
        }
    }

    private mutating func streams(_ media: RowMedia, of type: EdmStructuredType, path: String?) {
        for property in type.properties where property.isStream {
            guard let stream = media.properties[property.name] else { continue }
            append(",")
            JSONText.append(quoted: property.name, to: &bytes)
            append(":{\"__mediaresource\":{")
            self.stream(stream, path: path.map { "\($0)/\(property.name)" }, isFirst: true)
            append("}}")
        }
    }

    private mutating func slots(of row: Int, in block: RowBlock, level: AtomWriterLevel) {
        let first = Int(block.rows[row].firstSlot)
        for (index, column) in level.columns.enumerated() where index != level.shape.dynamicSlot {
            let slot = block.slots[first + index]
            if slot.kind == .absent { continue }
            append(",")
            JSONText.append(quoted: column.name, to: &bytes)
            append(":")
            let value = block.value(row: row, slot: index, shape: level.shape) ?? .null
            VerboseValue.append(
                value, type: column.type, typeName: column.typeName, model: level.shape.model,
                version: options.version, to: &bytes)
        }
        if let slot = level.shape.dynamicSlot { dynamic(block.slots[first + slot], in: block) }
    }

    private mutating func dynamic(_ slot: RowSlot, in block: RowBlock) {
        guard slot.kind == .json, let node = try? JSONParser.parse(block.buffer[slot.span.range]) else { return }
        for member in node.members ?? [] where !member.name.contains("@") {
            append(",")
            JSONText.append(quoted: member.name, to: &bytes)
            append(":")
            bytes.append(contentsOf: block.buffer[slot.span.range][member.node.range])
        }
    }

    private mutating func children(
        of row: Int, type: EdmStructuredType, path: String?, at position: inout Int, in block: RowBlock,
        level: AtomWriterLevel, expansions: ExpansionIndex
    ) {
        let header = block.rows[row]
        var written: Set<String> = []
        for (index, child) in level.shape.children.enumerated() {
            guard header.presentChildren & (1 << UInt64(min(index, 63))) != 0 else { continue }
            written.insert(child.navigation.name)
            append(",")
            JSONText.append(quoted: child.navigation.name, to: &bytes)
            append(":")
            let isCollection = child.navigation.isCollection
            if isCollection { append(options.version == .v1 ? "[" : "{\"results\":[") }
            var isFirst = true
            while position < block.rows.count, block.rows[position].depth > header.depth,
                block.rows[position].child == index
            {
                guard block.rows[position].change == .entity else {
                    position = block.end(of: position)
                    continue
                }
                if !isFirst { append(",") }
                isFirst = false
                entity(at: &position, in: block, level: level.children[index], expansions: expansions)
            }
            guard isCollection else {
                if isFirst { append("null") }
                continue
            }
            append("]")
            guard options.version > .v1 else { continue }
            let expansion = expansions.expansion(row: row, child: index)
            if let count = expansion?.count { append(",\"__count\":\"\(count)\"") }
            if let link = expansion?.nextLink {
                append(",")
                member("__next", absolute(link))
            }
            append("}")
        }
        while position < block.rows.count, block.rows[position].depth > header.depth { position += 1 }
        guard let path else { return }
        for navigation in type.navigationProperties where !written.contains(navigation.name) {
            append(",")
            JSONText.append(quoted: navigation.name, to: &bytes)
            append(":{\"__deferred\":{")
            member("uri", absolute("\(path)/\(navigation.name)"))
            append("}}")
        }
    }
}
