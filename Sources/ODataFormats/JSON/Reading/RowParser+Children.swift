import ODataModel

extension RowParser {
    /// The position of the child that `entry` names, among those of the row's type; nil if it has none: it was expanded
    /// for other types only.
    @inline(__always)
    func child(_ entry: MemberTable.Entry, level: Int, row: Int) -> Int? {
        let shape = table.levels[level].shape
        guard shape.hasCasts else { return Int(entry.index) }
        return shape.child(Int(entry.index), as: shape.type(of: block.rows[row]))
    }

    /// Reads what a navigation property expands: an array of entities, an entity or `null`.
    mutating func expanded(_ child: Int, level: Int, row: Int, depth: UInt8) throws(JSONFault) {
        try setPresent(child, row: row)
        try rows(of: child, level: level, row: row, depth: depth)
    }

    mutating func rows(of child: Int, level: Int, row: Int, depth: UInt8) throws(JSONFault) {
        let inner = table.levels[level].children[child]
        switch try cursor.next() {
        case UInt8(ascii: "[") where !table.levels[level].shape.children[child].navigation.isCollection:
            try onlyEntity(of: child, level: level, depth: depth)
        case UInt8(ascii: "["):
            cursor.position &+= 1
            if try cursor.next() == UInt8(ascii: "]") {
                cursor.position &+= 1
                return
            }
            repeat {
                try entity(level: inner, depth: depth &+ 1, child: Int16(truncatingIfNeeded: child))
            } while try cursor.hasMore(before: "]")
        case UInt8(ascii: "n"): try cursor.word("null")
        case UInt8(ascii: "{") where try oddExpansion(child, level: level, row: row, depth: depth): break
        default: try entity(level: inner, depth: depth &+ 1, child: Int16(truncatingIfNeeded: child))
        }
    }

    /// Reads `"Items@delta":[…]`, whose objects may describe removals. As the rows are not all that belong to the
    /// entity, the child does not count as present.
    mutating func changes(child: Int, level: Int, row: Int) throws(JSONFault) {
        expansion(row: row, child: child) { $0.isDelta = true }
        try rows(of: child, level: level, row: row, depth: block.rows[row].depth)
    }

    /// Reads `"Products@odata.navigationLink":"Products(1)"` as an entity of which only the id is known.
    mutating func link(child: Int, level: Int, row: Int) throws(JSONFault) {
        guard let span = try span(row: row) else { return }
        try setPresent(child, row: row)
        var header = RowHeader()
        header.depth = block.rows[row].depth &+ 1
        header.child = Int16(truncatingIfNeeded: child)
        header.firstSlot = Int32(truncatingIfNeeded: block.slots.count)
        header.id = span
        block.rows.append(header)
        let inner = table.levels[level].children[child]
        block.slots.append(contentsOf: table.levels[inner].absent)
    }

    private mutating func setPresent(_ child: Int, row: Int) throws(JSONFault) {
        let bit: UInt64 = 1 << UInt64(min(child, 63))
        guard child >= 63 || block.rows[row].presentChildren & bit == 0 else {
            throw JSONFault(reason: .duplicate, offset: cursor.position)
        }
        block.rows[row].presentChildren |= bit
    }

    /// Puts what the entity at `row` expands, the last in the block, into the order of its shape's children.
    @inline(never)
    mutating func sortChildren(of row: Int) {
        let depth = block.rows[row].depth
        var groups: [(child: Int16, rows: [Int])] = []
        for index in block.rows.indices.dropFirst(row + 1) {
            if groups.isEmpty || block.rows[index].depth == depth &+ 1 {
                groups.append((block.rows[index].child, [index]))
            } else {
                groups[groups.count - 1].rows.append(index)
            }
        }
        let order = groups.enumerated().sorted { ($0.element.child, $0.offset) < ($1.element.child, $1.offset) }
            .flatMap(\.element.rows)
        let sorted = order.map { block.rows[$0] }
        var positions: [Int: Int] = [:]
        for (position, old) in order.enumerated() { positions[old] = row + 1 + position }
        block.rows.replaceSubrange((row + 1)..., with: sorted)
        for index in block.expansions.indices where block.expansions[index].row > row {
            block.expansions[index].row = positions[block.expansions[index].row] ?? row
        }
    }
}
