import ODataModel

extension VerboseRowParser {
    /// Null for a value that is not one of its property's type, where the reader takes such values so; each is
    /// reported.
    ///
    /// - Throws: The fault that it is else, and where it is of the key.
    mutating func badValue(_ slot: Int, level: Int, at offset: Int) throws(JSONFault) -> RowSlot {
        let shape = levels[level].shape
        guard takesBadValuesAsNull, shape.keySlots?.contains(slot) != true else {
            throw mismatch(slot, level, offset)
        }
        cursor.position = offset
        try cursor.skipValue(depth: depthLimit)
        let text = ValueText.cut(cursor.span(offset..<cursor.position))
        let entity = entityName
        composer.note(shape.properties[slot].badValue(text), row: open?.row ?? 0, eachTime: true) { _ in entity }
        return .null
    }
}
