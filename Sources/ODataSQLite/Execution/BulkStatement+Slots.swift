import GRDBSQLite
import ODataModel
import ODataSQL

/// The facts of a ``ColumnCodec`` without references, so that no value costs a reference count.
package enum BulkForm: UInt8, Sendable {
    case integer, boolean, real, text, blob, decimal, guid, instant, time, duration, json

    package init(_ codec: ColumnCodec) {
        switch codec {
        case .integer, .enumeration: self = .integer
        case .boolean: self = .boolean
        case .real, .decimalNumber: self = .real
        case .text, .guidText, .date, .instant: self = .text
        case .blob: self = .blob
        case .decimalText: self = .decimal
        case .guidBlob: self = .guid
        case .instantText: self = .instant
        case .timeOfDay: self = .time
        case .durationText: self = .duration
        case .json: self = .json
        }
    }

    /// The codec and type of values whose text must be converted for the column.
    var conversion: (codec: ColumnCodec, type: EdmPrimitiveType)? {
        switch self {
        case .decimal: (.decimalText, .decimal)
        case .instant: (.instantText, .dateTimeOffset)
        case .time: (.timeOfDay, .timeOfDay)
        case .duration: (.durationText, .duration)
        default: nil
        }
    }
}

extension BulkStatement {
    /// Binds a slot of a block, whose buffer starts at `base`, for a column of `form`. The buffer must live until
    /// the statement has run.
    ///
    /// - Returns: False if the slot holds nothing that such a column can keep.
    package func bind(_ index: Int32, _ slot: RowSlot, base: UnsafePointer<UInt8>, form: BulkForm) throws -> Bool {
        switch slot.kind {
        case .absent, .null: try statement.bindNull(at: index)
        case .boolean, .integer: return try bind(index, number: slot, form)
        case .double: return try bind(index, double: slot.doubleValue, form)
        case .bytes:
            guard form == .blob else { return false }
            try statement.bind(blob: slot.span.bytes(base), at: index, nil)
        case .json:
            guard form == .json else { return false }
            try bind(index, slot.span, base: base)
        case .text: return try bind(index, lexical: slot.span, base: base, form: form)
        }
        return true
    }

    private func bind(_ index: Int32, double value: Double, _ form: BulkForm) throws -> Bool {
        switch form {
        case .real where value.isNaN: try bind(index, text: "NaN")
        case .real: try statement.bind(value, at: index)
        case .decimal:
            guard let decimal = EdmDecimal(value) else { return false }
            try bind(index, text: decimal.description)
        default: return false
        }
        return true
    }

    private func bind(_ index: Int32, number slot: RowSlot, _ form: BulkForm) throws -> Bool {
        switch (form, slot.kind) {
        case (.integer, .integer), (.boolean, .boolean): try statement.bind(slot.bits, at: index)
        case (.real, .integer): try statement.bind(Double(slot.bits), at: index)
        case (.decimal, .integer): try bind(index, text: "\(slot.bits)")
        default: return false
        }
        return true
    }

    /// Binds text in the lexical form of JSON, which is converted if the column has another form.
    private func bind(_ index: Int32, lexical span: RowSpan, base: UnsafePointer<UInt8>, form: BulkForm) throws -> Bool
    {
        let bytes = UnsafeBufferPointer(start: base + Int(span.offset), count: Int(span.length))
        switch form {
        case .text, .json: try bind(index, span, base: base)
        case .decimal where LexicalForm.isCanonicalDecimal(bytes): try bind(index, span, base: base)
        case .instant where LexicalForm.isCanonicalInstant(bytes):
            try bind(index, RowSpan(offset: span.offset, length: span.length - 1), base: base)
        case .time where LexicalForm.isCanonicalTime(bytes): try bind(index, span, base: base)
        case .guid:
            var guid: LexicalForm.Guid = (0, 0)
            guard LexicalForm.guid(bytes, into: &guid) else { return false }
            try withUnsafeBytes(of: &guid) { try statement.bind(blob: $0, at: index) }
        default: return try bind(index, converted: String(decoding: bytes, as: UTF8.self), form)
        }
        return true
    }

    private func bind(_ index: Int32, converted text: String, _ form: BulkForm) throws -> Bool {
        guard let (codec, type) = form.conversion, let value = EdmValue(lexical: text, type: .primitive(type)),
            case .text(let stored)? = try? codec.binding(for: value)
        else { return false }
        try bind(index, text: stored)
        return true
    }
}
