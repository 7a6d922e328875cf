import ODataModel

extension RowParser {
    /// Reads `"@odata.type":"#Shop.Tea"`.
    mutating func type(level: Int, row: Int) throws(JSONFault) {
        guard let span = try information(row: row) else { return }
        let bytes = cursor.span(span.range)
        guard !bytes.elementsEqual(table.levels[level].lastType) else {
            block.rows[row].type = table.levels[level].lastTypeIndex
            return
        }
        let shape = table.levels[level].shape
        let text = try string(span)
        let name = EdmQualifiedName(
            String(text[(text.lastIndex(of: "#").map(text.index(after:)) ?? text.startIndex)...]))
        let actual = shape.model.structuredType(named: name)?.name ?? name
        var index = shape.types.firstIndex { $0.name == actual } ?? 0
        if index == 0, actual != shape.type.name { index = nearest(to: actual, in: shape, row: row) }
        table.levels[level].lastType = Array(bytes)
        table.levels[level].lastTypeIndex = UInt16(truncatingIfNeeded: index)
        block.rows[row].type = table.levels[level].lastTypeIndex
    }

    /// The type of the shape that stands for one that it does not have: the nearest that it derives from.
    private mutating func nearest(to name: EdmQualifiedName, in shape: RowShape, row: Int) -> Int {
        if let type = shape.model.structuredType(named: name), type.isKind(of: shape.type) {
            return type.lineage.lazy.compactMap { base in shape.types.firstIndex { $0.name == base } }.first ?? 0
        }
        if !shape.type.lineage.contains(name) {
            note(
                "The type \(name) is not known to derive from \(shape.type.name), as which it is read.", row: row,
                type: name)
        }
        return 0
    }

    /// Reads `"Customer":{"Country":"USA"}` into the slots `Customer/Country`, ...
    mutating func group(_ level: Int, row: Int) throws(JSONFault) {
        let firstSlot = Int(block.rows[row].firstSlot)
        let byte = try cursor.next()
        if byte == UInt8(ascii: "n") {
            try cursor.word("null")
            return setNull(level, firstSlot: firstSlot)
        }
        guard byte == UInt8(ascii: "{") else { throw JSONFault(reason: .type, offset: cursor.position) }
        cursor.position += 1
        if try cursor.next() == UInt8(ascii: "}") {
            cursor.position += 1
            return
        }
        repeat {
            try cursor.expect("\"")
            let name = try string(try cursor.string())
            try cursor.expect(":")
            let entry = table.entry(named: name, level: level)
            let found = table.entries[Int(entry)]
            self.entry = entry
            switch found.action {
            case .property: try property(found, firstSlot: firstSlot)
            case .group: try group(Int(found.index), row: row)
            default: try skip()
            }
        } while try cursor.hasMore(before: "}")
    }

    private mutating func setNull(_ level: Int, firstSlot: Int) {
        for slot in (table.levels[level].slots ?? [:]).values { block.slots[firstSlot + slot] = .null }
        for group in table.levels[level].groups.values { setNull(group, firstSlot: firstSlot) }
    }

    /// Reads a value into its slot.
    @inline(__always)
    mutating func property(_ entry: MemberTable.Entry, firstSlot: Int) throws(JSONFault) {
        let index = firstSlot &+ Int(entry.index)
        guard block.slots[index].kind == .absent else {
            throw JSONFault(reason: .duplicate, offset: cursor.position)
        }
        let start = cursor.position
        do {
            block.slots[index] = try value(entry.kind)
        } catch {
            block.slots[index] = try otherKind(entry, firstSlot: firstSlot, at: start, error)
        }
    }
}
