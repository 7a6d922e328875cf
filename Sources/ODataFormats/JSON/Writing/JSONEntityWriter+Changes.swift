import ODataModel

extension JSONEntityWriter {
    /// Writes an object that describes a removed entity or of a link.
    mutating func change(_ header: RowHeader, in block: RowBlock, level: WriterLevel) {
        var text = JSONText()
        switch header.change {
        case .deleted, .left: removal(header, in: block, level: level, to: &text)
        case .addedLink, .deletedLink: changedLink(header, in: block, level: level, to: &text)
        case .entity, .relatedEntity: return
        }
        bytes.append(contentsOf: text.bytes)
    }

    private func removal(_ header: RowHeader, in block: RowBlock, level: WriterLevel, to text: inout JSONText) {
        let id = block.text(header.id).map(link)
        let reason = header.change == .left ? "changed" : "deleted"
        text.object { text in
            if options.removal == .deletedEntity {
                text.member("@odata.context", "#\(setName(level))/$deletedEntity")
                text.member("id", id ?? "")
                text.member("reason", reason)
                return
            }
            text.name("@removed")
            text.object { $0.member("reason", reason) }
            if let id {
                text.member("@id", id)
            } else if let key = block.key(row: header, shape: level.shape) {
                for member in key.components {
                    text.name(member.name)
                    text.raw(member.value.jsonText)
                }
            }
        }
    }

    /// `{"@odata.context":"#Products/$link","source":"Products(1)","relationship":"Maker","target":"Makers(2)"}`
    private func changedLink(_ header: RowHeader, in block: RowBlock, level: WriterLevel, to text: inout JSONText) {
        let fragment = header.change == .addedLink ? "$link" : "$deletedLink"
        text.object { text in
            text.member(control("context"), "#\(setName(level))/\(fragment)")
            text.member("source", block.text(header.id).map(link) ?? "")
            text.member("relationship", block.text(header.link))
            text.member("target", block.text(header.linkTarget).map(link))
        }
    }

    private func setName(_ level: WriterLevel) -> String {
        level.shape.entitySet?.name ?? level.shape.type.name.name
    }

    /// The level at a position of ``RowShape/related``; nil if there is none.
    func relatedLevel(_ position: Int16) -> WriterLevel? {
        let related = level.shape.related
        guard related.indices.contains(Int(position)) else { return nil }
        return related[Int(position)].path.reduce(level) { $0.children[$1].level }
    }

    /// What the context URL of a related entity names: `Items`, or `Orders(1)/Remarks` for a contained one.
    func setName(_ level: WriterLevel, of header: RowHeader, in block: RowBlock) -> String {
        guard level.shape.entitySet == nil, let id = block.text(header.id), id.hasSuffix(")"),
            let key = id.lastIndex(of: "(")
        else { return setName(level) }
        return String(id[..<key])
    }
}
