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
            member("@odata.context", context)
            append(",")
        }
        control(header, in: block, level: level)
        if !level.isReference {
            slots(header, in: block, level: level)
            if header.media > 0, options.metadata != .none { media(block.media[Int(header.media) - 1], level: level) }
            links(header, in: block, level: level)
            children(of: row, at: &position, in: block, level: level, expansions: expansions)
        }
        while position < block.rows.count, block.rows[position].depth > header.depth { position += 1 }
        if bytes.count > start { bytes.removeLast() }
        append("}")
    }

    // Everything below writes a comma after each member; `entity` takes the last one off.

    private mutating func control(_ header: RowHeader, in block: RowBlock, level: WriterLevel) {
        guard options.metadata != .none else {
            if level.isReference || options.writesIDs { id(header, in: block) }
            return
        }
        if let type = level.type {
            bytes.append(contentsOf: type)
            append(",")
        }
        if options.writesIDs || options.metadata == .full || level.isReference { id(header, in: block) }
        guard !header.etag.isNone, !level.isReference else { return }
        append("\"@odata.etag\":")
        quoted(header.etag, in: block)
        append(",")
    }

    private mutating func id(_ header: RowHeader, in block: RowBlock) {
        guard let id = block.text(header.id) else { return }
        member("@odata.id", link(id))
        append(",")
        guard options.metadata == .full else { return }
        member("@odata.editLink", link(id))
        append(",")
    }

    /// The link as the options want it: absolute or as it is.
    func link(_ text: String) -> String {
        guard options.writesAbsoluteLinks, let root = options.serviceRoot, !text.contains("://"), !text.hasPrefix("/")
        else { return text }
        return root + text
    }

    private mutating func media(_ media: RowMedia, level: WriterLevel) {
        if let stream = media.entity { self.stream(stream, name: "") }
        let selected = level.shape.streams
        for (name, stream) in media.properties.sorted(by: { $0.key < $1.key }) where selected?.contains(name) ?? true {
            self.stream(stream, name: name)
        }
    }

    private mutating func stream(_ stream: RowMedia.Stream, name: String) {
        let members = [
            ("mediaReadLink", stream.readLink.map(link)), ("mediaEditLink", stream.editLink.map(link)),
            ("mediaContentType", stream.contentType), ("mediaEtag", stream.etag),
        ]
        for case (let term, let text?) in members {
            member("\(name)@odata.\(term)", text)
            append(",")
        }
    }

    private mutating func links(_ header: RowHeader, in block: RowBlock, level: WriterLevel) {
        guard !level.links.isEmpty, let id = block.text(header.id) else { return }
        for name in level.links {
            member("\(name)@odata.associationLink", link("\(id)/\(name)/$ref"))
            append(",")
            member("\(name)@odata.navigationLink", link("\(id)/\(name)"))
            append(",")
        }
    }

    private mutating func children(
        of row: Int, at position: inout Int, in block: RowBlock, level: WriterLevel, expansions: ExpansionIndex
    ) {
        let header = block.rows[row]
        guard header.presentChildren != 0 else { return }
        for (index, child) in level.children.enumerated() {
            guard header.presentChildren & (1 << UInt64(min(index, 63))) != 0 else { continue }
            let expansion = expansions.expansion(row: row, child: index)
            if let count = expansion?.count {
                JSONText.append(quoted: child.name + "@odata.count", to: &bytes)
                append(":\(quotedIfCompatible(count)),")
            }
            JSONText.append(quoted: child.name, to: &bytes)
            append(child.isCollection ? ":[" : ":")
            var isFirst = true
            while position < block.rows.count, block.rows[position].depth > header.depth,
                block.rows[position].child == index
            {
                if !isFirst { append(",") }
                isFirst = false
                entity(at: &position, in: block, level: child.level, expansions: expansions)
            }
            if child.isCollection { append("]") } else if isFirst { append("null") }
            append(",")
            if let link = expansion?.nextLink {
                member(child.name + "@odata.nextLink", link)
                append(",")
            }
        }
    }

    /// Writes an object that tells of a removed entity or of a link.
    mutating func change(_ header: RowHeader, in block: RowBlock) {
        let id = block.text(header.id).map(link) ?? ""
        let set = level.shape.entitySet?.name ?? level.shape.type.name.name
        let reason = header.change == .left ? "changed" : "deleted"
        var text = JSONText()
        text.object { text in
            switch header.change {
            case .deleted, .left:
                if options.removal == .deletedEntity {
                    text.member("@odata.context", "#\(set)/$deletedEntity")
                    text.member("id", id)
                    text.member("reason", reason)
                } else {
                    text.name("@removed")
                    text.object { $0.member("reason", reason) }
                    text.member("@id", id)
                }
            case .addedLink, .deletedLink:
                let fragment = header.change == .addedLink ? "$link" : "$deletedLink"
                text.member("@odata.context", "#\(set)/\(fragment)")
                text.member("source", id)
                text.member("relationship", block.text(header.link))
                text.member("target", block.text(header.linkTarget).map(link))
            case .entity: break
            }
        }
        bytes.append(contentsOf: text.bytes)
    }
}
