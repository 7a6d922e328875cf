import ODataMetadata
import ODataModel

extension AtomHandler {
    /// `<feed xml:base="…">`, of the payload or of an expanded collection.
    mutating func beginFeed(_ attributes: XMLAttributes<AtomName>) {
        bases.append(attributes.text(of: .baseAttribute).map(resolved) ?? bases.last ?? "")
        frames.append(.feed)
    }

    mutating func endFeed() { _ = bases.popLast() }

    mutating func feedChild(_ name: AtomName, _ attributes: XMLAttributes<AtomName>) throws(FormatError) {
        switch name.tag {
        case .entry:
            if let parent = entries.last, case .inline(let child)? = frames.dropLast().last {
                beginEntry(attributes, level: levels[parent.level].children[child], child: child)
            } else {
                beginEntry(attributes, level: 0, child: -1)
            }
        case .link:
            feedLink(attributes)
            frames.append(.skip)
        case .count: beginText(.count)
        case .deletedEntry where entries.isEmpty:
            deletedEntry(attributes)
            frames.append(.skip)
        default: frames.append(.skip)
        }
    }

    /// `<link rel="next" href="…"/>`, `<link rel="http://docs.oasis-open.org/odata/ns/delta" href="…"/>`
    private mutating func feedLink(_ attributes: XMLAttributes<AtomName>) {
        guard let rel = attributes.text(of: .relAttribute), let href = attributes.text(of: .hrefAttribute) else {
            return
        }
        let isDelta = rel == "delta" || rel.hasSuffix("/delta") || rel.hasSuffix("#delta")
        guard rel == "next" || isDelta else { return }
        let link = resolved(href)
        if let (row, child) = expansion {
            if !isDelta { composer.changeExpansion(of: row, child: child) { $0.nextLink = link } }
        } else if isDelta {
            deltaLink = link
        } else {
            nextLink = link
        }
    }

    /// The expanded collection that the open feed is.
    var expansion: (row: Int, child: Int)? {
        for frame in frames.reversed() {
            if case .inline(let child) = frame, let entry = entries.last { return (entry.row, child) }
            if case .entry = frame { return nil }
        }
        return nil
    }

    /// `<at:deleted-entry ref="http://host/root/Products(1)" when="…"/>`; `reason="changed"` if it may still exist.
    private mutating func deletedEntry(_ attributes: XMLAttributes<AtomName>) {
        let row = composer.begin(slotCount: levels[0].slotCount, depth: 0, child: -1)
        composer.block.rows[row].change = attributes.text(of: .reasonAttribute) == "changed" ? .left : .deleted
        if let id = attributes.text(of: .refAttribute) ?? attributes.text(of: .hrefAttribute) {
            composer.block.rows[row].id = composer.block.append(text: id)
        }
    }

    mutating func endText(_ use: TextUse) throws(FormatError) {
        let start = textStart
        let length = composer.block.buffer.count - start
        if case .id = use {
            guard length > 0, let row = entries.last?.row else { return }
            composer.block.rows[row].id = RowSpan(
                offset: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: length))
            return
        }
        if case .slot(let slot) = use { return try endMapped(slot) }
        let text = String(decoding: composer.block.buffer[start...], as: UTF8.self)
        composer.block.buffer.removeLast(length)
        switch use {
        case .count:
            guard let number = Int64(text.filter { !$0.isWhitespace }) else {
                throw FormatError("“\(text.prefix(40))” is not a count.")
            }
            if let (row, child) = expansion {
                composer.changeExpansion(of: row, child: child) { $0.count = number }
            } else {
                count = number
            }
        case .errorCode: serviceError?.code = text
        case .errorMessage: serviceError?.message = text
        case .id, .slot: break
        }
    }

    /// `reference` against `xml:base`.
    ///
    /// [RFC 3986, section 5.2, for what services send]
    func resolved(_ reference: String) -> String {
        guard let base = bases.last, !base.isEmpty, !reference.contains("://"), !reference.isEmpty,
            !reference.hasPrefix("urn:"), !reference.hasPrefix("mailto:")
        else { return reference }
        guard let scheme = base.firstRange(of: "://") else { return reference }
        if reference.hasPrefix("//") { return base[..<scheme.lowerBound] + ":" + reference }
        let pathStart = base[scheme.upperBound...].firstIndex(of: "/") ?? base.endIndex
        if reference.hasPrefix("/") { return base[..<pathStart] + reference }
        let path = base[pathStart...].prefix { $0 != "?" && $0 != "#" }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
        return base[..<pathStart] + folder + reference
    }
}
