import ODataModel

extension RowParser {
    /// Reads the value of a property.
    @inline(__always)
    mutating func value(_ kind: MemberTable.Kind) throws(JSONFault) -> RowSlot {
        let byte = try cursor.next()
        if byte == UInt8(ascii: "n") {
            try cursor.word("null")
            return .null
        }
        switch kind {
        case .string:
            guard byte == UInt8(ascii: "\"") else { throw mismatch }
            cursor.position &+= 1
            return try text(try cursor.string())
        case .int16: return try integer(byte, -32_768...32_767)
        case .int32: return try integer(byte, -2_147_483_648...2_147_483_647)
        case .int64: return try integer(byte, .min ... .max)
        case .byte: return try integer(byte, 0...255)
        case .sByte: return try integer(byte, -128...127)
        case .decimal: return try decimal(byte)
        case .double: return try double(byte)
        case .boolean: return try boolean(byte)
        case .guid, .date, .dateTimeOffset, .timeOfDay, .duration: return try checkedText(byte, kind)
        case .enumeration: return try enumeration(byte)
        case .binary: return try binary(byte)
        case .object: return try json(byte, "{")
        case .array: return try json(byte, "[")
        case .untyped: return try untyped()
        case .geo: return try geo(byte)
        }
    }

    private var mismatch: JSONFault { JSONFault(reason: .type, offset: cursor.position) }

    @inline(__always)
    func slot(_ kind: RowSlot.Kind, _ start: Int, _ end: Int) -> RowSlot {
        .span(
            kind, RowSpan(offset: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: end &- start)))
    }

    /// The span of what was appended to ``extra`` from `start` on.
    func extraSpan(from start: Int) -> RowSpan {
        RowSpan(
            offset: UInt32(truncatingIfNeeded: cursor.bytes.count + start),
            length: UInt32(truncatingIfNeeded: extra.count - start))
    }

    @inline(__always)
    private mutating func text(_ span: StringSpan) throws(JSONFault) -> RowSlot {
        guard span.hasEscapes else { return slot(.text, span.start, span.end) }
        return .span(.text, try unescaped(span))
    }

    mutating func unescaped(_ span: StringSpan) throws(JSONFault) -> RowSpan {
        let start = extra.count
        try cursor.appendUnescaped(span, to: &extra)
        return extraSpan(from: start)
    }

    @inline(__always)
    private mutating func boolean(_ byte: UInt8) throws(JSONFault) -> RowSlot {
        switch byte {
        case UInt8(ascii: "t"):
            try cursor.word("true")
            return .boolean(true)
        case UInt8(ascii: "f"):
            try cursor.word("false")
            return .boolean(false)
        default: throw mismatch
        }
    }

    /// Dates and times, GUIDs and durations: checked, and stored in their usual spelling.
    @inline(__always)
    private mutating func checkedText(_ byte: UInt8, _ kind: MemberTable.Kind) throws(JSONFault) -> RowSlot {
        guard byte == UInt8(ascii: "\"") else { throw mismatch }
        let offset = cursor.position
        cursor.position &+= 1
        let span = try cursor.string()
        let bytes = cursor.span(span.range)
        let isUsual =
            switch kind {
            case .guid: Lexical.isGuid(bytes)
            case .date: Lexical.isDate(bytes)
            case .dateTimeOffset: Lexical.isDateTimeOffset(bytes)
            case .timeOfDay: Lexical.isTimeOfDay(bytes)
            default: false
            }
        if isUsual { return slot(.text, span.start, span.end) }
        return try unusualText(span, kind, offset: offset)
    }

    @inline(never)
    private mutating func unusualText(
        _ span: StringSpan, _ kind: MemberTable.Kind, offset: Int
    ) throws(JSONFault) -> RowSlot {
        let text = try string(span)
        let usual: String? =
            switch kind {
            case .guid: EdmGuid(text)?.description
            case .date: EdmDate(text)?.description
            case .dateTimeOffset: EdmDateTimeOffset(text)?.description
            case .timeOfDay: EdmTimeOfDay(text)?.description
            default: EdmDuration(text)?.description
            }
        guard let usual else { throw JSONFault(reason: .type, offset: offset) }
        let start = extra.count
        extra.append(contentsOf: usual.utf8)
        return .span(.text, extraSpan(from: start))
    }

    /// `"Red"`, `"Red,Blue"`, `1`
    private mutating func enumeration(_ byte: UInt8) throws(JSONFault) -> RowSlot {
        if byte == UInt8(ascii: "\"") {
            cursor.position += 1
            return try text(try cursor.string())
        }
        guard byte == UInt8(ascii: "-") || byte &- 0x30 < 10 else { throw mismatch }
        let number = try cursor.number()
        return slot(.text, number.start, number.end)
    }

    private mutating func binary(_ byte: UInt8) throws(JSONFault) -> RowSlot {
        guard byte == UInt8(ascii: "\"") else { throw mismatch }
        let offset = cursor.position
        cursor.position += 1
        let span = try cursor.string()
        let start = extra.count
        let isDecoded: Bool
        if span.hasEscapes {
            var text: [UInt8] = []
            try cursor.appendUnescaped(span, to: &text)
            isDecoded = text.withUnsafeBufferPointer { EdmValue.append(base64: $0, to: &extra) }
        } else {
            isDecoded = EdmValue.append(base64: cursor.span(span.range), to: &extra)
        }
        guard isDecoded else { throw JSONFault(reason: .type, offset: offset) }
        return .span(.bytes, extraSpan(from: start))
    }

    private mutating func untyped() throws(JSONFault) -> RowSlot {
        let start = cursor.position
        try skip()
        return slot(.json, start, cursor.position)
    }

    private mutating func geo(_ byte: UInt8) throws(JSONFault) -> RowSlot {
        let slot = try json(byte, "{")
        let shape = table.levels[Int(table.entries[Int(entry)].shape)].shape
        let index = Int(table.entries[Int(entry)].index)
        guard case .primitive(let type) = shape.properties[index].type,
            let node = try? JSONParser.parse(Array(cursor.span(slot.span.range))[...]),
            GeoJSON.isValue(node, of: type)
        else { throw JSONFault(reason: .type, offset: slot.span.range.lowerBound) }
        return slot
    }

    private mutating func json(_ byte: UInt8, _ opening: Unicode.Scalar) throws(JSONFault) -> RowSlot {
        guard byte == UInt8(ascii: opening) else { throw mismatch }
        let start = cursor.position
        try skip()
        return slot(.json, start, cursor.position)
    }
}
