import ODataModel

extension RowParser {
    /// What an object of a 4.0 delta payload stands for, by its context: `#Products/$deletedEntity`.
    static func change(context: String) -> RowHeader.Change? {
        if context.hasSuffix("/$deletedEntity") { return .deleted }
        if context.hasSuffix("/$deletedLink") { return .deletedLink }
        if context.hasSuffix("/$link") { return .addedLink }
        return nil
    }

    /// Reads an entity that has turned out to be of a related set again from its start.
    ///
    /// ```json
    /// {"@odata.context":"#Items/$entity","OrderID":1,"LineNo":2,"Quantity":3}
    /// ```
    mutating func relatedEntity(_ position: Int, row: Int, start: Int) throws(JSONFault) {
        guard position >= 0 else {
            beginAgain(row: row, start: start)
            try skip()
            block.rows[row].change = .relatedEntity
            block.rows[row].child = -1
            return
        }
        cursor.position = start
        block.slots.removeSubrange(Int(block.rows[row].firstSlot)...)
        block.rows.removeSubrange(row...)
        block.expansions.removeAll { $0.row >= row }
        try entity(
            level: table.relatedLevels[position].level, depth: 0, child: Int16(truncatingIfNeeded: position))
        block.rows[row].change = .relatedEntity
    }

    /// Reads `"@removed":{"reason":"changed"}`.
    mutating func removed(row: Int) throws(JSONFault) {
        let start = try beginning()
        try skip()
        let node = try? JSONParser.parse(Array(cursor.bytes[start..<cursor.position])[...])
        guard let node, !node.isNull, node.boolean != false else { return }
        block.rows[row].change = node["reason"]?.string == "changed" ? .left : .deleted
    }

    /// Reads an object of a 4.0 delta payload again from its start.
    ///
    /// ```json
    /// {"@odata.context":"#Products/$deletedEntity","id":"Products(1)","reason":"deleted"}
    /// {"@odata.context":"#Products/$link","source":"Products(1)","relationship":"Maker","target":"Makers(2)"}
    /// ```
    mutating func deltaObject(_ change: RowHeader.Change, row: Int, start: Int) throws(JSONFault) {
        beginAgain(row: row, start: start)
        let first = try beginning()
        try skip()
        let node = try? JSONParser.parse(Array(cursor.bytes[first..<cursor.position])[...])
        guard let node else { throw JSONFault(reason: .unexpected, offset: first) }
        func span(_ name: String) -> RowSpan {
            guard let text = node[name]?.string else { return .none }
            let start = extra.count
            extra.append(contentsOf: text.utf8)
            return extraSpan(from: start)
        }
        block.rows[row].change = change
        if change == .deleted {
            let isThere = node["id"] != nil
            block.rows[row].id = isThere ? span("id") : span(node["@id"] != nil ? "@id" : "@odata.id")
            if node["reason"]?.string == "changed" { block.rows[row].change = .left }
        } else {
            block.rows[row].id = span("source")
            block.rows[row].link = span("relationship")
            block.rows[row].linkTarget = span("target")
        }
    }

    /// Discards the expanded entities of an entity, and returns to its start.
    private mutating func beginAgain(row: Int, start: Int) {
        cursor.position = start
        block.rows.removeSubrange((row + 1)...)
        block.rows[row].presentChildren = 0
        block.expansions.removeAll { $0.row >= row }
    }

    /// Where the next value starts.
    private mutating func beginning() throws(JSONFault) -> Int {
        _ = try cursor.next()
        return cursor.position
    }
}
