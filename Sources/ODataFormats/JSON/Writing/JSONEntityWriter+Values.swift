import ODataModel

extension JSONEntityWriter {
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// Writes the properties that the row has, each followed by a comma.
    mutating func slots(_ header: RowHeader, in block: RowBlock, level: WriterLevel) {
        let slots = block.slots[Int(header.firstSlot)..<Int(header.firstSlot) + level.columns.count]
        slots.withUnsafeBufferPointer { slots in
            level.columns.withUnsafeBufferPointer { columns in
                level.names.withUnsafeBufferPointer { names in
                    block.buffer.withUnsafeBufferPointer { buffer in
                        for index in columns.indices where slots[index].kind != .absent {
                            let column = columns[index]
                            if column.omitsNull || column.omitsDefault,
                                isOmitted(slots[index], at: index, in: block, level: level)
                            {
                                continue
                            }
                            bytes.append(
                                contentsOf: UnsafeBufferPointer(rebasing: names[column.nameStart..<column.nameEnd]))
                            value(slots[index], at: index, column: column, in: buffer, level: level)
                            bytes.append(UInt8(ascii: ","))
                        }
                    }
                }
            }
        }
    }

    /// Whether a value is left out, as the options say.
    @inline(never)
    func isOmitted(_ slot: RowSlot, at index: Int, in block: RowBlock, level: WriterLevel) -> Bool {
        if slot.kind == .null { return level.columns[index].omitsNull }
        guard let standard = level.defaults[index] else { return false }
        return block.value(of: slot, type: level.shape.properties[index].type, model: level.shape.model) == standard
    }

    @inline(__always)
    mutating func value(
        _ slot: RowSlot, at index: Int, column: WriterLevel.Column, in buffer: UnsafeBufferPointer<UInt8>,
        level: WriterLevel
    ) {
        switch slot.kind {
        case .absent, .null: append("null")
        case .boolean: if slot.bits != 0 { append("true") } else { append("false") }
        case .integer:
            if column.isQuoted { append("\"") }
            integer(slot.bits)
            if column.isQuoted { append("\"") }
        case .double: EdmValue.double(slot.doubleValue).appendJSON(to: &bytes)
        case .text:
            if column.isDecimal, options.exponentialDecimals {
                decimal(Self.text(slot.span, in: buffer), isQuoted: column.isQuoted)
            } else if column.isDecimal && !column.isQuoted {
                bytes.append(contentsOf: Self.text(slot.span, in: buffer))
            } else {
                quoted(Self.text(slot.span, in: buffer))
            }
        case .bytes:
            append("\"")
            append(EdmValue.base64URL(Self.text(slot.span, in: buffer), isPadded: true))
            append("\"")
        case .json: json(Self.text(slot.span, in: buffer), at: index, level: level)
        }
    }

    private mutating func decimal(_ text: UnsafeBufferPointer<UInt8>, isQuoted: Bool) {
        let short = text.count > 20 ? EdmDecimal(utf8: Array(text)[...])?.shortDescription : nil
        if isQuoted { append("\"") }
        if let short { append(short) } else { bytes.append(contentsOf: text) }
        if isQuoted { append("\"") }
    }

    private mutating func json(_ text: UnsafeBufferPointer<UInt8>, at index: Int, level: WriterLevel) {
        let (type, model) = (level.shape.properties[index].type, level.shape.model)
        let isRight =
            options.metadata == .none
            ? !options.ieee754Compatible && !text.contains(UInt8(ascii: "@"))
            : options.metadata == .minimal && !options.ieee754Compatible
                && (!options.usesShortNames || !text.contains(UInt8(ascii: "@")))
        let isGeo = type.primitive?.isGeospatial == true
        guard !isRight, !isGeo, let value = EdmValue(jsonText: Array(text)[...], type: type, model: model) else {
            bytes.append(contentsOf: text)
            return
        }
        JSONValueWriter(style: options.style, model: model).append(value, type: type, to: &bytes)
    }

    /// The bytes of `span`; empty if it is outside the buffer, which a well-formed block does not have.
    @inline(__always)
    private static func text(_ span: RowSpan, in buffer: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        let range = span.range
        guard range.upperBound <= buffer.count else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(rebasing: buffer[range])
    }

    @inline(__always)
    private mutating func integer(_ value: Int64) {
        var magnitude = value.magnitude
        guard magnitude >= 10 else {
            if value < 0 { bytes.append(UInt8(ascii: "-")) }
            bytes.append(UInt8(truncatingIfNeeded: magnitude) + 0x30)
            return
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var start = 20
            while magnitude > 0 {
                start -= 1
                digits[start] = UInt8(truncatingIfNeeded: magnitude % 10) + 0x30
                magnitude /= 10
            }
            if value < 0 {
                start -= 1
                digits[start] = UInt8(ascii: "-")
            }
            bytes.append(contentsOf: digits[start...])
        }
    }

    /// Writes text in quotes, escaped where it must be.
    mutating func quoted(_ span: RowSpan, in block: RowBlock) {
        block.buffer.withUnsafeBufferPointer { quoted(Self.text(span, in: $0)) }
    }

    @inline(__always)
    private mutating func quoted(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        while true {
            let position = Self.nextSpecial(in: text, from: start)
            if position > start { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<position])) }
            guard position < text.count else { break }
            JSONText.append(escaped: text[position], to: &bytes)
            start = position &+ 1
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// The position of the next quote, backslash or control character, or the end.
    @inline(__always)
    private static func nextSpecial(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var position = start
        while position &+ 8 <= text.count {
            let word = ByteCursor.word(text, at: position)
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            let found =
                (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((word &- (ones &* 0x20)) & ~word))
                & (ones &* 0x80)
            if found != 0 { return position &+ found.trailingZeroBitCount / 8 }
            position &+= 8
        }
        while position < text.count {
            let byte = text[position]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            position &+= 1
        }
        return position
    }
}
