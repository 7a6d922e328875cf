import ODataMetadata
import ODataModel

/// Reads entities of verbose JSON out of a buffer into rows.
struct VerboseRowParser {
    let levels: [ShapeLevel]
    let depthLimit: Int
    let takesBadValuesAsNull: Bool
    var members: [VerboseMembers]
    var composer = RowComposer()
    var cursor: ByteCursor
    /// The member being read, for messages.
    var member = ""
    var type: EdmTypeReference?
    /// What helps against the value that was refused.
    var advice = ""
    /// Whether that is the value of a property.
    var isOfValue = false
    /// The entity in which reading stopped.
    var faulty: String?
    /// Where the object of the entity starts that is being read, its level and its row.
    private(set) var open: (start: Int, level: Int, row: Int)?

    init(_ cursor: ByteCursor, levels: [ShapeLevel], members: [VerboseMembers], limits: PayloadLimits) {
        self.cursor = cursor
        self.levels = levels
        self.members = members
        depthLimit = limits.depth
        takesBadValuesAsNull = limits.takesBadValuesAsNull
    }

    /// Reads one entity with all it expands.
    mutating func entity(level: Int, depth: UInt8, child: Int) throws(JSONFault) {
        (member, type) = ("", nil)
        guard try cursor.next() == UInt8(ascii: "{"), Int(depth) < depthLimit else {
            throw JSONFault(reason: Int(depth) < depthLimit ? .type : .tooDeep, offset: cursor.position)
        }
        let start = cursor.position
        cursor.position += 1
        let row = composer.begin(slotCount: levels[level].slotCount, depth: depth, child: child)
        let outer = open
        open = (start, level, row)
        if try cursor.next() == UInt8(ascii: "}") {
            cursor.position += 1
            open = outer
            return
        }
        var expected = 0
        var lastChild = -1
        var isOrdered = true
        var dynamic: [UInt8] = []
        repeat {
            try cursor.expect("\"")
            let meaning = try meaning(level: level, expected: &expected)
            try cursor.expect(":")
            switch meaning {
            case .property(let slot): try property(slot, row: row, level: level)
            case .metadata:
                try metadata(row: row, level: level)
                isOrdered = isOrdered && !levels[level].shape.hasCasts
            case .context:
                guard try optionalText()?.hasSuffix("/$deletedEntity") == true, depth == 0 else { continue }
                open = outer
                return try deletedEntity(row: row, start: start)
            case .control(let control):
                try take(control, row: row, level: level)
                isOrdered = isOrdered && !levels[level].shape.hasCasts
            case .child(let named):
                let child = composer.child(named, of: row, shape: levels[level].shape)
                isOrdered = isOrdered && child > lastChild
                lastChild = max(lastChild, child)
                try expanded(child, row: row, level: level, depth: depth)
            case .stream(let name): try stream(name, row: row)
            case .dynamic: try dynamicProperty(into: &dynamic)
            case .unknown: try cursor.skipValue(depth: depthLimit)
            case .undeclared:
                try cursor.skipValue(depth: depthLimit)
                note("\(member) is not a property of \(levels[level].shape.type.name): it is ignored.")
            }
        } while try cursor.hasMore(before: "}")
        if !dynamic.isEmpty, let slot = levels[level].shape.dynamicSlot {
            let span = composer.block.append(bytes: [UInt8(ascii: "{")] + dynamic + [UInt8(ascii: "}")])
            composer.set(slot, of: row, to: .span(.json, span))
        }
        if !isOrdered { composer.sortChildren(of: row) }
        // Not where something is thrown: the innermost entity is the one to name.
        open = outer
    }

    /// Takes the name of a member, whose opening quote has been taken.
    private mutating func meaning(level: Int, expected: inout Int) throws(JSONFault) -> VerboseMembers.Meaning {
        if members[level].take(expected, &cursor) {
            expected += 1
            let meaning = members[level].entries[expected - 1].meaning
            member = members[level].entries[expected - 1].name
            return meaning
        }
        let (entry, position) = members[level].entry(named: try string(try cursor.string()))
        member = entry.name
        expected = position + 1
        return entry.meaning
    }

    // MARK: Properties

    private mutating func property(_ slot: Int, row: Int, level: Int) throws(JSONFault) {
        let byte = try cursor.next()
        if byte == UInt8(ascii: "n") {
            try cursor.word("null")
            return composer.set(slot, of: row, to: .null)
        }
        let kind = levels[level].kinds[slot]
        let offset = cursor.position
        let found: RowSlot?
        switch kind {
        case .nested where byte == UInt8(ascii: "{") && isDeferred:
            return try passOver("not expanded")
        case .nested: found = try nested(levels[level].shape.properties[slot])
        case .geo:
            guard byte == UInt8(ascii: "{") else { throw mismatch(slot, level, offset) }
            try cursor.skipValue(depth: depthLimit)
            found = .span(.json, composer.block.append(bytes: cursor.span(offset..<cursor.position)))
        default:
            if let value = try readable(byte, kind) {
                found = value
            } else {
                found = try converted(byte, kind, at: offset, levels[level].shape.properties[slot])
            }
        }
        if let found { return composer.set(slot, of: row, to: found) }
        let null = try badValue(slot, level: level, at: offset)
        composer.set(slot, of: row, to: null)
    }

    /// A string with an invalid escape is not a value, and nothing else is broken.
    private mutating func readable(_ byte: UInt8, _ kind: SlotKind) throws(JSONFault) -> RowSlot? {
        do { return try primitive(byte, kind) } catch {
            guard error.reason == .escape else { throw error }
            return nil
        }
    }

    mutating func mismatch(_ slot: Int, _ level: Int, _ offset: Int) -> JSONFault {
        let property = levels[level].shape.properties[slot]
        (member, type) = (property.name, property.type)
        advice = LegacyLexical.advice(property, refused: composer.refused)
        isOfValue = true
        return JSONFault(reason: .type, offset: offset)
    }

    private mutating func primitive(_ byte: UInt8, _ kind: SlotKind) throws(JSONFault) -> RowSlot? {
        let start = composer.block.buffer.count
        switch byte {
        case UInt8(ascii: "\""):
            cursor.position += 1
            try append(try cursor.string())
            return composer.slot(textFrom: start, kind: kind)
        case UInt8(ascii: "t"):
            try cursor.word("true")
            return kind == .boolean ? .boolean(true) : nil
        case UInt8(ascii: "f"):
            try cursor.word("false")
            return kind == .boolean ? .boolean(false) : nil
        default:
            guard kind.takesNumbers, byte == UInt8(ascii: "-") || byte &- 0x30 < 10 else { return nil }
            let number = try cursor.number()
            composer.block.buffer.append(contentsOf: cursor.span(number.start..<number.end))
            return composer.slot(textFrom: start, kind: kind)
        }
    }

    /// Complex values and collections are read as a tree and written as V4.
    private mutating func nested(_ property: EdmProperty) throws(JSONFault) -> RowSlot? {
        let (node, bytes) = try tree()
        var decoder = VerboseValueDecoder(model: levels[0].shape.model)
        var undeclared: [(member: String, type: EdmQualifiedName)] = []
        decoder.passOver = { undeclared.append(($0, $1)) }
        guard let value = try? decoder.value(node, type: property.type, name: property.name, source: bytes[...])
        else { return nil }
        for (name, type) in undeclared { note("\(name) is not a property of \(type): it is ignored.") }
        if value.isNull { return .null }
        return .span(.json, composer.block.append(bytes: value.jsonText))
    }

    private mutating func dynamicProperty(into dynamic: inout [UInt8]) throws(JSONFault) {
        let node = try tree()
        // Links to what is not expanded are no values.
        if node.node["__deferred"] != nil || node.node["__mediaresource"] != nil { return }
        let value = VerboseValueDecoder(model: levels[0].shape.model).untyped(node.node)
        if !dynamic.isEmpty { dynamic.append(UInt8(ascii: ",")) }
        JSONText.append(quoted: member, to: &dynamic)
        dynamic.append(UInt8(ascii: ":"))
        value.appendJSON(to: &dynamic)
    }

    private mutating func tree() throws(JSONFault) -> (node: JSONNode, bytes: [UInt8]) {
        _ = try cursor.next()
        let start = cursor.position
        try cursor.skipValue(depth: depthLimit)
        let bytes = Array(cursor.span(start..<cursor.position))
        do {
            return (try JSONParser.parse(bytes[...], maxDepth: depthLimit), bytes)
        } catch {
            throw JSONFault(reason: .unexpected, offset: start + error.offset)
        }
    }

    // MARK: Text

    private mutating func append(_ span: StringSpan) throws(JSONFault) {
        if span.hasEscapes {
            try cursor.appendUnescaped(span, to: &composer.block.buffer)
        } else {
            composer.block.buffer.append(contentsOf: cursor.span(span.range))
        }
    }

    func string(_ span: StringSpan) throws(JSONFault) -> String {
        guard span.hasEscapes else { return cursor.text(span.range) }
        var text: [UInt8] = []
        try cursor.appendUnescaped(span, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// A string; nil for anything else.
    mutating func optionalText() throws(JSONFault) -> String? {
        guard try cursor.next() == UInt8(ascii: "\"") else {
            try passOver("control information")
            return nil
        }
        cursor.position += 1
        return try string(try cursor.string())
    }

    /// A string, appended to the buffer; nothing for other values.
    mutating func span() throws(JSONFault) -> RowSpan {
        guard try cursor.next() == UInt8(ascii: "\"") else {
            try passOver("control information")
            return .none
        }
        cursor.position += 1
        let start = composer.block.buffer.count
        try append(try cursor.string())
        return RowSpan(
            offset: UInt32(truncatingIfNeeded: start),
            length: UInt32(truncatingIfNeeded: composer.block.buffer.count - start))
    }

    /// `"15"` or `15`; nil for other values.
    mutating func count() throws(JSONFault) -> Int64? {
        let byte = try cursor.next()
        let offset = cursor.position
        let start = composer.block.buffer.count
        if let slot = try primitive(byte, .integer(.min ... .max)), slot.kind == .integer { return slot.bits }
        composer.block.buffer.removeLast(composer.block.buffer.count - start)
        cursor.position = offset
        try passOver("a count")
        return nil
    }
}

extension SlotKind {
    fileprivate var takesNumbers: Bool {
        switch self {
        case .integer, .double, .decimal, .enumeration: true
        case .boolean: true
        default: false
        }
    }
}
