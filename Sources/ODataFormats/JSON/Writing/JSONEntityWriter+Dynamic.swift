import ODataModel

extension JSONEntityWriter {
    /// Writes slots, some of them in nested objects: `"Customer":{"Country":"USA"},"Total":5,`. Objects without
    /// members are left out.
    mutating func nestedSlots(_ header: RowHeader, in block: RowBlock, level: WriterLevel) {
        let first = Int(header.firstSlot)
        guard let layout = level.layout, first + level.columns.count <= block.slots.count else { return }
        block.buffer.withUnsafeBufferPointer { buffer in
            for node in layout { self.node(node, firstSlot: first, in: block, buffer, level: level) }
        }
    }

    private mutating func node(
        _ node: WriterLevel.Node, firstSlot: Int, in block: RowBlock, _ buffer: UnsafeBufferPointer<UInt8>,
        level: WriterLevel
    ) {
        switch node {
        case .slot(let index):
            let column = level.columns[index]
            let slot = block.slots[firstSlot + index]
            guard slot.kind != .absent, !isOmitted(slot, at: index, in: block, level: level) else { return }
            bytes.append(contentsOf: level.names[column.nameStart..<column.nameEnd])
            value(slot, at: index, column: column, in: buffer, level: level)
            append(",")
        case .object(let name, let nodes):
            let start = bytes.count
            self.name(name)
            append("{")
            let content = bytes.count
            for node in nodes { self.node(node, firstSlot: firstSlot, in: block, buffer, level: level) }
            guard bytes.count > content else { return bytes.removeLast(bytes.count - start) }
            bytes.removeLast()
            append("},")
        }
    }

    /// Writes the members of the object in the slot of dynamic properties.
    mutating func dynamicProperties(_ header: RowHeader, in block: RowBlock, level: WriterLevel) {
        guard let dynamic = level.shape.dynamicSlot else { return }
        let index = Int(header.firstSlot) + dynamic
        guard block.slots.indices.contains(index), block.slots[index].kind == .json else { return }
        let range = block.slots[index].span.range
        guard range.upperBound <= block.buffer.count else { return }
        let text = block.buffer[range]
        // Without numbers in quotes and control information by other names the text is right as it is.
        if options.metadata != .none, !options.ieee754Compatible, !options.usesShortNames, options.omission == nil,
            text.first == UInt8(ascii: "{"), text.last == UInt8(ascii: "}"), !text.contains(Self.at)
        {
            guard text.dropFirst().dropLast().contains(where: { $0 > 0x20 }) else { return }
            bytes.append(contentsOf: text.dropFirst().dropLast())
            return append(",")
        }
        guard let node = try? JSONParser.parse(text) else { return }
        let decoder = ValueDecoder(model: level.shape.model, source: text)
        let members = (try? decoder.dynamicMembers(of: node)) ?? []
        let writer = JSONValueWriter(style: options.style, model: level.shape.model)
        for member in members where !(member.value.isNull && options.omission != nil && !options.isDelta) {
            writer.append(member, property: nil, to: &bytes)
        }
    }

    private static let at = UInt8(ascii: "@")
}
