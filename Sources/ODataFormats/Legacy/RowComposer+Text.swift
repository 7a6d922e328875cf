import ODataModel

extension RowComposer {
    /// Turns the text that was appended to the buffer from `start` on into a slot; nil if it is not a value of the
    /// kind.
    ///
    /// An element without text is null unless the type knows an empty value.
    mutating func slot(textFrom start: Int, kind: SlotKind) -> RowSlot? {
        let count = block.buffer.count - start
        switch kind {
        case .string: return span(from: start)
        case .enumeration: return count == 0 ? .null : span(from: start)
        default: break
        }
        if count == 0, kind != .binary { return .null }
        if let slot = usualSlot(from: start, kind: kind) { return slot }
        let text = String(decoding: block.buffer[start...], as: UTF8.self)
        block.buffer.removeLast(count)
        guard let slot = unusualSlot(text, kind: kind) else {
            refused = text
            return nil
        }
        return slot
    }

    private func span(from start: Int, _ kind: RowSlot.Kind = .text) -> RowSlot {
        .span(
            kind,
            RowSpan(
                offset: UInt32(truncatingIfNeeded: start),
                length: UInt32(truncatingIfNeeded: block.buffer.count - start)))
    }

    /// Reads the usual spellings without making a string.
    private mutating func usualSlot(from start: Int, kind: SlotKind) -> RowSlot? {
        switch kind {
        case .integer(let range):
            guard let value = integer(from: start), range.contains(value) else { return nil }
            block.buffer.removeLast(block.buffer.count - start)
            return .integer(value)
        case .decimal: return isDecimal(from: start) ? span(from: start) : nil
        case .guid: return check(from: start, Lexical.isGuid)
        case .dateTimeOffset:
            if let slot = check(from: start, Lexical.isDateTimeOffset) { return slot }
            block.buffer.append(UInt8(ascii: "Z"))
            if let slot = check(from: start, Lexical.isDateTimeOffset) { return slot }
            block.buffer.removeLast()
            return nil
        default: return nil
        }
    }

    private func check(from start: Int, _ test: (UnsafeBufferPointer<UInt8>) -> Bool) -> RowSlot? {
        block.buffer.withUnsafeBufferPointer { test(UnsafeBufferPointer(rebasing: $0[start...])) }
            ? span(from: start) : nil
    }

    /// Up to 18 digits, which cannot overflow.
    private func integer(from start: Int) -> Int64? {
        block.buffer.withUnsafeBufferPointer { buffer in
            var position = start
            let isNegative = buffer[position] == UInt8(ascii: "-")
            if isNegative { position += 1 }
            guard (1...18).contains(buffer.count - position) else { return nil }
            var value: Int64 = 0
            for byte in buffer[position...] {
                guard byte &- 0x30 < 10 else { return nil }
                value = value &* 10 &+ Int64(byte &- 0x30)
            }
            return isNegative ? -value : value
        }
    }

    /// `-12.50`: digits, perhaps a point with digits on both sides.
    private func isDecimal(from start: Int) -> Bool {
        block.buffer.withUnsafeBufferPointer { buffer in
            var (digits, points) = (0, 0)
            let first = buffer[start] == UInt8(ascii: "-") ? start + 1 : start
            for byte in buffer[first...] {
                if byte == UInt8(ascii: "."), digits > 0, points == 0 {
                    points = 1
                    digits = 0
                } else if byte &- 0x30 < 10 {
                    digits += 1
                } else {
                    return false
                }
            }
            // Leading zeros go the slow way, which takes them off.
            return digits > 0 && (buffer[first] != 0x30 || first + 1 == buffer.count || buffer[first + 1] == 0x2E)
        }
    }

    private mutating func unusualSlot(_ text: String, kind: SlotKind) -> RowSlot? {
        let value: EdmValue? =
            switch kind {
            case .boolean: LegacyLexical.value(text, .boolean)
            case .integer(let range):
                if case .integer(let value)? = LegacyLexical.value(text, .int64), range.contains(value) {
                    .integer(value)
                } else {
                    nil
                }
            case .double: LegacyLexical.value(text, .double)
            case .decimal: LegacyLexical.value(text, .decimal)
            case .guid: LegacyLexical.value(text, .guid)
            case .dateTimeOffset: LegacyLexical.received(text, .dateTimeOffset)
            case .other(let primitive): LegacyLexical.received(text, primitive)
            case .binary: LegacyLexical.value(text, .binary)
            case .string, .enumeration, .geo, .nested: nil
            }
        return value.map { slot(of: $0) }
    }

    /// Appends what `value` needs to the buffer.
    mutating func slot(of value: EdmValue) -> RowSlot {
        block.append(value)
        return block.slots.removeLast()
    }
}
