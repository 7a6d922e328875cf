import ODataModel

extension JSONEntityWriter {
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// Writes the properties that the row has, each followed by a comma.
    mutating func slots(_ header: RowHeader, in block: RowBlock, level: WriterLevel) {
        let first = Int(header.firstSlot)
        for (index, column) in level.columns.enumerated() {
            let slot = block.slots[first + index]
            if slot.kind == .absent { continue }
            bytes.append(contentsOf: column.name)
            value(slot, column: column, in: block, model: level.shape.model)
            bytes.append(UInt8(ascii: ","))
        }
    }

    private mutating func value(
        _ slot: Slot, column: WriterLevel.Column, in block: RowBlock, model: Model
    ) {
        switch slot.kind {
        case .absent, .null: append("null")
        case .boolean: if slot.bits != 0 { append("true") } else { append("false") }
        case .integer:
            if column.isQuoted { append("\"") }
            integer(slot.bits)
            if column.isQuoted { append("\"") }
        case .double: Value.double(slot.doubleValue).appendJSON(to: &bytes)
        case .text:
            if column.isDecimal && !column.isQuoted {
                raw(slot.span, in: block)
            } else {
                quoted(slot.span, in: block)
            }
        case .bytes:
            append("\"")
            bytes.append(contentsOf: Value.base64URL(block.buffer[slot.span.range]).utf8)
            append("\"")
        case .json:
            guard options.ieee754Compatible else { return raw(slot.span, in: block) }
            let value = Value(jsonText: block.buffer[slot.span.range], type: column.type, model: model)
            guard let value else { return raw(slot.span, in: block) }
            value.appendJSON(to: &bytes, type: column.type, model: model, ieee754Compatible: true)
        }
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

    private mutating func raw(_ span: Span, in block: RowBlock) {
        block.buffer.withUnsafeBufferPointer { bytes.append(contentsOf: $0[span.range]) }
    }

    /// Writes text in quotes, escaped where it must be.
    mutating func quoted(_ span: Span, in block: RowBlock) {
        bytes.append(UInt8(ascii: "\""))
        block.buffer.withUnsafeBufferPointer { buffer in
            // The slice is checked against the buffer's bounds; reads of eight bytes stay inside it.
            let text = UnsafeBufferPointer(rebasing: buffer[span.range])
            var start = 0
            var position = 0
            while position < text.count {
                position = Self.nextSpecial(in: text, from: position)
                guard position < text.count else { break }
                bytes.append(contentsOf: text[start..<position])
                JSONText.append(escaped: text[position], to: &bytes)
                position += 1
                start = position
            }
            bytes.append(contentsOf: text[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// The position of the next quote, backslash or control character, or the end.
    @inline(__always)
    private static func nextSpecial(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var position = start
        while position &+ 8 <= text.count, let base = UnsafeRawPointer(text.baseAddress) {
            let word = base.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
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
