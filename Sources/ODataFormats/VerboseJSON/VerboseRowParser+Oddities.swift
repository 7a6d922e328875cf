import ODataModel

/// Values of other kinds than expected: what does not matter is ignored and noted.
extension VerboseRowParser {
    /// Notes what is odd in the entity that is being read.
    mutating func note(_ message: String) {
        let entity = entityName
        composer.note(message, row: open?.row ?? 0) { _ in entity }
    }

    /// The innermost entity that is being read: `Products(1)`.
    var entityName: String? {
        guard let open else { return nil }
        let shape = levels[open.level].shape
        return cursor.entity(at: open.start, shape: shape) ?? composer.entity(at: open.row, shape: shape)
    }

    /// Skips a value that cannot matter.
    ///
    /// - Parameter what: What the member is: `control information`.
    mutating func passOver(_ what: String) throws(JSONFault) {
        let kind = cursor.kindOfNext
        try cursor.skipValue(depth: depthLimit)
        // Null says that there is nothing.
        if kind != "null" { note("\(member) is \(what), but the payload has \(kind): it is ignored.") }
    }

    /// Whether the object at the cursor is a link to what is not expanded.
    var isDeferred: Bool {
        var parser = self
        return (try? parser.firstName()) == "__deferred"
    }

    /// A value of another kind that can mean one thing only: a number or Boolean as text.
    mutating func converted(
        _ byte: UInt8, _ kind: SlotKind, at offset: Int, _ property: EdmProperty
    ) throws(JSONFault) -> RowSlot? {
        guard kind == .string, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "{"), byte != UInt8(ascii: "[") else {
            return nil
        }
        cursor.position = offset
        try cursor.skipValue(depth: depthLimit)
        note(
            "\(property.name) is of type \(property.type), but the payload has \(ByteCursor.kind(byte)): it is "
                + "read as that "
                + "type.")
        return .span(.text, composer.block.append(bytes: cursor.span(offset..<cursor.position)))
    }

    /// `[{…}]` where one entity is expanded.
    mutating func onlyEntity(of child: Int, level: Int, depth: UInt8) throws(JSONFault) {
        let (start, name) = (cursor.position, member)
        cursor.position += 1
        if try cursor.next() == UInt8(ascii: "]") {
            cursor.position += 1
        } else {
            try entity(level: levels[level].children[child], depth: depth + 1, child: child)
            guard try !cursor.hasMore(before: "]") else { throw notExpandable(child, level, start, name) }
        }
        member = name
        note("\(name) is a single entity, but the payload has an array: its element is read.")
    }

    /// The fault of a value that is neither an entity nor a collection of entities.
    mutating func notExpandable(_ child: Int, _ level: Int, _ offset: Int, _ name: String) -> JSONFault {
        let target = EdmTypeReference.entity(levels[level].shape.children[child].shape.type.name)
        member = name
        type = levels[level].shape.children[child].navigation.isCollection ? .collection(target) : target
        return JSONFault(reason: .type, offset: offset)
    }
}
