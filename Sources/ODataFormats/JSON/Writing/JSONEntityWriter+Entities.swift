import ODataModel

extension JSONEntityWriter {
    /// Writes the entity at `position` and what it expands; `position` is behind both afterwards.
    mutating func entity(
        at position: inout Int, in block: RowBlock, level: WriterLevel, expansions: ExpansionIndex,
        context: String? = nil
    ) {
        let row = position
        let header = block.rows[row]
        position += 1
        append("{")
        let start = bytes.count
        if let context {
            member(control("context"), context)
            append(",")
        }
        let type = level.types.indices.contains(Int(header.type)) ? level.types[Int(header.type)] : level.types[0]
        identity(header, in: block, level: level, type: type)
        if !level.isReference {
            annotations(header, in: block)
            if level.layout == nil {
                slots(header, in: block, level: level)
            } else {
                nestedSlots(header, in: block, level: level)
            }
            dynamicProperties(header, in: block, level: level)
            if header.media > 0 {
                let id = options.metadata == .none ? nil : block.text(header.id)
                media(block.media[Int(header.media) - 1], level: level, path: id.map { $0 + type.cast })
            }
            links(header, in: block, level: level, type: type)
            children(of: row, at: &position, in: block, level: level, type: type, expansions: expansions)
        }
        while position < block.rows.count, block.rows[position].depth > header.depth { position += 1 }
        if bytes.count > start { bytes.removeLast() }
        append("}")
    }

    // Everything below writes a comma after each member; `entity` takes the last one off.

    private mutating func identity(
        _ header: RowHeader, in block: RowBlock, level: WriterLevel, type: WriterLevel.TypeInformation
    ) {
        guard options.metadata != .none else {
            if level.isReference || options.writesIDs { id(header, in: block, type: type) }
            return
        }
        if !level.isReference { bytes.append(contentsOf: type.annotation) }
        if options.writesIDs || options.metadata == .full || level.isReference { id(header, in: block, type: type) }
        if level.isTransient, header.id.isNone, !options.usesShortNames {
            name("@odata.id")
            append("null,")
        }
        guard !header.etag.isNone, !level.isReference else { return }
        name(control("etag"))
        quoted(header.etag, in: block)
        append(",")
    }

    private mutating func annotations(_ header: RowHeader, in block: RowBlock) {
        for (term, value) in block.annotations(of: header) {
            name("@" + term)
            append(value ? "true," : "false,")
        }
    }

    private mutating func id(_ header: RowHeader, in block: RowBlock, type: WriterLevel.TypeInformation) {
        guard let id = block.text(header.id) else { return }
        member(control("id"), link(id))
        append(",")
        guard options.metadata == .full else { return }
        member(control(options.isEditable ? "editLink" : "readLink"), link(id + type.cast))
        append(",")
    }

    /// The link as the options say: absolute or as it is.
    func link(_ text: String) -> String {
        guard options.writesAbsoluteLinks, let root = options.serviceRoot, !text.contains("://"), !text.hasPrefix("/")
        else { return text }
        return root + text
    }

    /// - Parameter path: Of the entity; nil where it is not known, or no links are written.
    private mutating func media(_ media: RowMedia, level: WriterLevel, path: String?) {
        if let stream = media.entity { self.stream(stream, name: "", path: path) }
        let selected = level.shape.streams
        for (name, stream) in media.properties.sorted(by: { $0.key < $1.key })
        where stream.content != nil || selected?.contains(name) ?? true {
            self.stream(stream, name: name, path: path)
        }
    }

    /// [OData-JSON, section 4.5.12: by default the edit link is the entity's with `/$value` or the property's name, and
    /// the read link is the edit link]
    private mutating func stream(_ stream: RowMedia.Stream, name: String, path: String?) {
        let links: [(String, String?)] =
            switch options.metadata {
            case .none: []
            case .minimal: minimalLinks(of: stream, name: name, path: path)
            case .full: allLinks(of: stream, name: name, path: path)
            }
        let contentType = options.metadata == .none && stream.content == nil ? nil : stream.contentType
        let etag = options.metadata == .none ? nil : stream.etag
        for case (let term, let text?) in links.map({ ($0, $1.map(link)) }) + [
            ("mediaContentType", contentType), ("mediaEtag", etag),
        ] {
            member(name + control(term), text)
            append(",")
        }
        guard let content = stream.content else { return }
        self.content(content, form: name.isEmpty ? .binary : StreamForm(mediaType: stream.contentType), name: name)
        append(",")
    }

    private func allLinks(of stream: RowMedia.Stream, name: String, path: String?) -> [(String, String?)] {
        let usual = path.map { "\($0)/\(name.isEmpty ? "$value" : name)" }
        let edit = stream.editLink ?? (options.isEditable ? usual : nil)
        let read = stream.readLink ?? (path == nil ? nil : edit ?? usual)
        return [("mediaReadLink", read), ("mediaEditLink", edit)]
    }

    /// The links that are not the usual ones. A stream property with control information has one in any case:
    /// clients like Olingo's know the type and the ETag as parts of a link.
    private func minimalLinks(of stream: RowMedia.Stream, name: String, path: String?) -> [(String, String?)] {
        let isTold = stream.contentType != nil || stream.etag != nil
        guard !name.isEmpty, isTold, stream.readLink == nil, stream.editLink == nil, let path else {
            return [("mediaReadLink", stream.readLink), ("mediaEditLink", stream.editLink)]
        }
        return [(options.isEditable ? "mediaEditLink" : "mediaReadLink", "\(path)/\(name)")]
    }

    /// `"Photo":"…"`, `"$value":"…"`
    private mutating func content(_ content: [UInt8], form: StreamForm, name: String) {
        self.name(name.isEmpty ? "$value" : name)
        switch form {
        case .json where (try? JSONParser.parse(content[...])) != nil: bytes += content
        case .json, .text: JSONText.append(quoted: String(decoding: content, as: UTF8.self), to: &bytes)
        case .binary: JSONText.append(quoted: EdmValue.base64URL(content, isPadded: true), to: &bytes)
        }
    }

    /// The links of navigation properties that are not expanded.
    private mutating func links(
        _ header: RowHeader, in block: RowBlock, level: WriterLevel, type: WriterLevel.TypeInformation
    ) {
        guard !type.links.isEmpty, !header.id.isNone else { return }
        for name in type.links where level.shape.child(of: name, as: level.shape.type(of: header)) == nil {
            links(of: name, header, in: block, type: type)
        }
    }

    /// `"Maker@odata.associationLink":"Products(1)/Maker/$ref","Maker@odata.navigationLink":"Products(1)/Maker",`
    private mutating func links(
        of name: String, _ header: RowHeader, in block: RowBlock, type: WriterLevel.TypeInformation
    ) {
        guard let id = block.text(header.id) else { return }
        let path = "\(id)\(type.cast)/\(name)"
        member(name + control("associationLink"), link("\(path)/$ref"))
        append(",")
        member(name + control("navigationLink"), link(path))
        append(",")
    }

    private mutating func children(
        of row: Int, at position: inout Int, in block: RowBlock, level: WriterLevel,
        type: WriterLevel.TypeInformation, expansions: ExpansionIndex
    ) {
        let header = block.rows[row]
        for (index, child) in level.children.enumerated() {
            let isPresent = header.presentChildren & (1 << UInt64(min(index, 63))) != 0
            let expansion = expansions.expansion(row: row, child: index)
            guard isPresent || expansion?.isDelta == true || child.isCountOnly else { continue }
            if type.links.contains(child.name) { links(of: child.name, header, in: block, type: type) }
            if child.isLink {
                self.link(child, at: &position, in: block, index: index, depth: header.depth)
                continue
            }
            let start = bytes.count
            if let count = expansion?.count {
                name(child.name + control("count"))
                append("\(quotedIfCompatible(count)),")
            }
            if child.isCountOnly { continue }
            name(expansion?.isDelta == true ? child.name + control("delta") : child.name)
            if child.isCollection { append("[") }
            let isEmpty = rows(
                at: &position, in: block, child: index, depth: header.depth, level: child.level,
                expansions: expansions)
            if child.isCollection {
                append("]")
            } else if isEmpty {
                guard options.omission == nil || options.isDelta else {
                    bytes.removeLast(bytes.count - start)
                    continue
                }
                append("null")
            }
            append(",")
            if let link = expansion?.nextLink {
                member(child.name + control("nextLink"), link)
                append(",")
            }
        }
    }

    /// Writes the rows of one child; true if there are none.
    private mutating func rows(
        at position: inout Int, in block: RowBlock, child: Int, depth: UInt8, level: WriterLevel,
        expansions: ExpansionIndex
    ) -> Bool {
        var isEmpty = true
        while position < block.rows.count, block.rows[position].depth > depth, block.rows[position].child == child {
            if !isEmpty { append(",") }
            isEmpty = false
            if block.rows[position].change == .entity {
                entity(at: &position, in: block, level: level, expansions: expansions)
            } else {
                change(block.rows[position], in: block, level: level)
                position = block.end(of: position)
            }
        }
        return isEmpty
    }

    /// Writes `"Products@odata.navigationLink":"Products(1)"`.
    private mutating func link(
        _ child: WriterLevel.Child, at position: inout Int, in block: RowBlock, index: Int, depth: UInt8
    ) {
        while position < block.rows.count, block.rows[position].depth > depth, block.rows[position].child == index {
            if let id = block.text(block.rows[position].id), options.metadata != .none {
                member(child.name + control("navigationLink"), link(id))
                append(",")
            }
            position += 1
        }
    }
}
