import ODataMetadata
import ODataModel

extension AtomHandler {
    /// `<entry m:etag="W/&quot;1&quot;">`
    mutating func beginEntry(_ attributes: XMLAttributes<AtomName>, level: Int, child: Int) {
        let start = composer.block.buffer.count
        let row = composer.begin(
            slotCount: levels[level].slotCount, depth: UInt8(clamping: entries.count), child: child)
        entries.append(Entry(row: row, level: level, start: start))
        if let index = attributes.index(of: .etagAttribute) {
            let tag = composer.block.append(bytes: attributes.bytes(index))
            composer.block.rows[row].etag = composer.block.entityTag(tag)
        }
        bases.append(attributes.text(of: .baseAttribute).map(resolved) ?? bases.last ?? "")
        frames.append(.entry)
    }

    mutating func endEntry() throws(FormatError) {
        guard let entry = entries.popLast() else { return }
        completeID(of: entry)
        _ = bases.popLast()
        if !entry.dynamic.isEmpty, let slot = levels[entry.level].shape.dynamicSlot {
            let span = composer.block.append(bytes: [UInt8(ascii: "{")] + entry.dynamic + [UInt8(ascii: "}")])
            composer.set(slot, of: entry.row, to: .span(.json, span))
        }
        if !entry.isOrdered { composer.sortChildren(of: entry.row) }
        guard entries.isEmpty else { return }
        if composer.block.buffer.count >= Self.blockBytes || composer.block.slots.count >= Self.blockBytes / 8 { cut() }
    }

    /// An id that is not a URL, or is not there, is of less use than the edit link.
    private mutating func completeID(of entry: Entry) {
        let id = composer.block.rows[entry.row].id
        guard !entry.editLink.isNone, let text = composer.block.text(entry.editLink) else { return }
        let link = composer.block.append(text: resolved(text))
        composer.block.rows[entry.row].editLink = link
        if !id.isNone, composer.block.buffer[id.range].starts(with: Array("http".utf8)) { return }
        composer.block.rows[entry.row].id = link
    }

    mutating func entryChild(_ name: AtomName, _ attributes: XMLAttributes<AtomName>) throws(FormatError) {
        guard let entry = entries.last else { return }
        switch name.tag {
        case .id: beginText(.id)
        case .link: link(attributes)
        case .content: content(attributes)
        case .properties: frames.append(.properties)
        case .category: try category(attributes)
        case .author where targets[entry.level].hasPersons: frames.append(.person(.author))
        case .contributor where targets[entry.level].hasPersons: frames.append(.person(.contributor))
        default:
            guard let slot = targets[entry.level].slot(name.tag, names.names[Int(name.number)]),
                !attributes.isNull
            else { return frames.append(.skip) }
            beginText(.slot(slot))
        }
    }

    mutating func personChild(_ name: AtomName, _ person: AtomTarget.Person) {
        guard let entry = entries.last, let slot = targets[entry.level].slot(name.tag, of: person) else {
            return frames.append(.skip)
        }
        beginText(.slot(slot))
    }

    /// The value of a property that feed customisation put outside of the content.
    mutating func endMapped(_ slot: Int) throws(FormatError) {
        guard let entry = entries.last else { return }
        let isEmpty = composer.block.buffer.count == textStart
        // An empty title may be there only because Atom wants one.
        guard composer.slot(slot, of: entry.row).kind == .absent, !isEmpty else {
            composer.block.buffer.removeLast(composer.block.buffer.count - textStart)
            return
        }
        try endLeaf(slot)
    }

    /// `<category term="Shop.Product" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme"/>`
    private mutating func category(_ attributes: XMLAttributes<AtomName>) throws(FormatError) {
        frames.append(.skip)
        guard let entry = entries.last, levels[entry.level].types.count > 1,
            attributes.text(of: .schemeAttribute).map({ $0.hasSuffix("/scheme") }) ?? true,
            let term = attributes.text(of: .termAttribute)
        else { return }
        let name = term.hasPrefix("#") ? String(term.dropFirst()) : term
        guard let type = levels[entry.level].types[name] else { return }
        if levels[entry.level].shape.hasCasts { entries[entries.count - 1].isOrdered = false }
        if let child = composer.setType(type, of: entry.row, shape: levels[entry.level].shape) {
            throw lateType(child.navigation.name)
        }
    }

    /// `<content type="application/xml">` with the properties, or `<content type="image/png" src="…"/>`.
    private mutating func content(_ attributes: XMLAttributes<AtomName>) {
        frames.append(.content)
        guard let entry = entries.last, let source = attributes.text(of: .sourceAttribute) else { return }
        let type = attributes.text(of: .typeAttribute)
        let link = resolved(source)
        composer.changeMedia(of: entry.row) { media in
            var stream = media.entity ?? RowMedia.Stream()
            (stream.readLink, stream.contentType) = (link, type)
            media.entity = stream
        }
    }

    // MARK: Links

    private mutating func link(_ attributes: XMLAttributes<AtomName>) {
        guard let entry = entries.last, let rel = attributes.text(of: .relAttribute) else {
            return frames.append(.skip)
        }
        if let name = AtomNamespace.suffix(of: rel, after: AtomNamespace.related) {
            let shape = levels[entry.level].shape
            let child = shape.child(of: name).map { composer.child($0, of: entry.row, shape: shape) }
            frames.append(.link(child: child ?? -1))
            return
        }
        frames.append(.skip)
        guard let index = attributes.index(of: .hrefAttribute) else { return }
        switch rel {
        case "edit": entries[entries.count - 1].editLink = composer.block.append(bytes: attributes.bytes(index))
        case "edit-media":
            let (link, etag) = (
                resolved(attributes.text(index)), EntityTag.checked(attributes.text(of: .etagAttribute))
            )
            composer.changeMedia(of: entry.row) { media in
                var stream = media.entity ?? RowMedia.Stream()
                (stream.editLink, stream.etag) = (link, etag)
                media.entity = stream
            }
        default: streamLink(rel, attributes, href: index, entry: entry)
        }
    }

    /// `<link rel="…/mediaresource/Photo" type="image/png" href="…"/>`, `<link rel="…/edit-media/Photo" m:etag="…"/>`
    private mutating func streamLink(
        _ rel: String, _ attributes: XMLAttributes<AtomName>, href: Int, entry: Entry
    ) {
        let read = AtomNamespace.suffix(of: rel, after: AtomNamespace.mediaResource)
        let edit = AtomNamespace.suffix(of: rel, after: AtomNamespace.editMedia)
        guard let name = read ?? edit, levels[entry.level].streams.contains(name) else { return }
        let link = resolved(attributes.text(href))
        let (type, etag) = (attributes.text(of: .typeAttribute), EntityTag.checked(attributes.text(of: .etagAttribute)))
        composer.changeMedia(of: entry.row) { media in
            var stream = media.properties[name] ?? RowMedia.Stream()
            if read != nil { stream.readLink = link } else { stream.editLink = link }
            stream.contentType = type ?? stream.contentType
            stream.etag = etag ?? stream.etag
            media.properties[name] = stream
        }
    }

    mutating func linkChild(_ name: AtomName, child: Int) {
        guard name.tag == .inline, child >= 0, let entry = entries.last else { return frames.append(.skip) }
        composer.markChild(child, of: entry.row)
        if child < entry.lastChild { entries[entries.count - 1].isOrdered = false }
        entries[entries.count - 1].lastChild = max(entry.lastChild, child)
        frames.append(.inline(child: child))
    }

    mutating func inlineChild(
        _ name: AtomName, _ attributes: XMLAttributes<AtomName>, child: Int
    ) throws(FormatError) {
        guard let entry = entries.last else { return frames.append(.skip) }
        switch name.tag {
        case .feed: beginFeed(attributes)
        case .entry: beginEntry(attributes, level: levels[entry.level].children[child], child: child)
        default:
            note(
                "\(levels[entry.level].shape.children[child].navigation.name) holds \(names.names[Int(name.number)]), "
                    + "which is neither an entry nor a feed: it is ignored.")
            frames.append(.skip)
        }
    }
}
