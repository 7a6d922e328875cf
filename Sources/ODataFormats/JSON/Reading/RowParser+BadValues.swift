import ODataModel

extension RowParser {
    /// Null for a value that is not one of its property's type, where the reader takes such values so; each is
    /// reported.
    ///
    /// - Throws: `fault` else, and for what is of the key or is broken in another way.
    mutating func badValue(
        _ found: MemberTable.Entry, firstSlot: Int, at start: Int, _ fault: JSONFault
    ) throws(JSONFault) -> RowSlot {
        let shape = table.levels[Int(found.shape)].shape
        let property = shape.properties[Int(found.index)]
        guard limits.takesBadValuesAsNull, [.type, .range, .escape, .number].contains(fault.reason),
            shape.keySlots?.contains(Int(found.index)) != true
        else { throw fault }
        cursor.position = start
        _ = try cursor.next()
        let first = cursor.position
        try skip()
        let text = ValueText.cut(cursor.span(first..<cursor.position))
        note(
            property.badValue(text), row: block.rows.lastIndex { $0.firstSlot == firstSlot } ?? 0, eachTime: true)
        return .null
    }
}

extension EdmProperty {
    /// The diagnostic of a value that is taken as null; `text` in quotes.
    func badValue(_ text: String) -> String {
        "\(name) is of type \(type), which \(text) is not a value of: it is taken as null."
    }
}
