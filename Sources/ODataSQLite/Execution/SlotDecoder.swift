import GRDB
import GRDBSQLite
import ODataModel
import ODataSQL

/// Decodes one column of a row into a slot. A stored value that does not fit the codec becomes absent: it does not fail
/// the read and does not appear as null.
package struct SlotDecoder: Sendable {
    private let codec: ColumnCodec?
    private let type: EdmTypeReference
    private let numberForm: NumberForm
    /// Whether a text column that holds something else is reported as one that does not fit.
    var checksTexts = false
    /// The range of a type that does not hold all integers of SQLite.
    private let range: ClosedRange<Int64>?

    /// The conversion of a stored integer.
    private enum NumberForm { case integer, boolean, double, single, text }

    /// The slots that need no conversion if a value is of the expected storage class.
    enum Form { case absent, integer, double, boolean, text, other }

    var form: Form {
        switch (codec, numberForm) {
        case (nil, _): .absent
        case (.integer, .integer): .integer
        case (.real, .double): .double
        case (.boolean, .boolean): .boolean
        case (.text, _): .text
        default: .other
        }
    }

    package init(codec: ColumnCodec?, type: EdmTypeReference) {
        self.codec = codec
        self.type = type
        range = type.primitive == .int64 ? nil : type.primitive?.integerRange
        numberForm =
            switch type.primitive {
            case .boolean: .boolean
            case .double: .double
            case .single: .single
            case .byte, .sByte, .int16, .int32, .int64: .integer
            default: .text
            }
    }

    /// The decoder for tables that other programs write: the range of each integer is checked.
    var checkedForm: Form { form == .integer && range != nil ? .other : form }

    /// Whether ``slot(_:_:_:)`` returned `slot` because the stored value does not fit.
    func isMisfit(_ slot: RowSlot) -> Bool { codec != nil && slot.kind == .absent }

    /// Appends what a slot needs to the buffer.
    func slot(_ statement: SQLiteStatement, _ column: CInt, _ buffer: inout [UInt8]) -> RowSlot {
        guard let codec else { return .absent }
        let kind = sqlite3_column_type(statement, column)
        guard kind != SQLITE_NULL else { return .null }
        switch codec {
        case .integer, .boolean, .real: return number(statement, column, kind, &buffer)
        case .text: return text(statement, column, kind, &buffer)
        case .blob:
            guard kind == SQLITE_BLOB || kind == SQLITE_TEXT else { return .absent }
            return .span(.bytes, buffer.append(raw: statement.blob(at: column)))
        case .json:
            guard kind == SQLITE_TEXT else { return .absent }
            return .span(.json, buffer.append(utf8: statement.text(at: column)))
        case .enumeration(let type):
            guard kind == SQLITE_INTEGER else { return .absent }
            return .span(.text, buffer.append(text: type.text(of: sqlite3_column_int64(statement, column))))
        case .guidText, .guidBlob: return guid(statement, column, kind, &buffer)
        case .decimalText, .decimalNumber: return decimal(statement, column, kind, &buffer)
        default: return temporal(codec, statement, column, kind, &buffer)
        }
    }

    private func number(
        _ statement: SQLiteStatement, _ column: CInt, _ kind: CInt, _ buffer: inout [UInt8]
    ) -> RowSlot {
        switch (kind, numberForm) {
        case (SQLITE_INTEGER, .integer):
            let value = sqlite3_column_int64(statement, column)
            return range?.contains(value) == false ? .absent : .integer(value)
        case (SQLITE_INTEGER, .boolean):
            let value = sqlite3_column_int64(statement, column)
            return value == 0 || value == 1 ? .boolean(value == 1) : .absent
        case (SQLITE_INTEGER, .double), (SQLITE_FLOAT, .double):
            return .double(sqlite3_column_double(statement, column))
        case (SQLITE_INTEGER, .single), (SQLITE_FLOAT, .single):
            // The shortest representation: 3.14, not 3.140000104904175.
            let value = sqlite3_column_double(statement, column)
            let single = Float(value)
            return .double(single.isFinite ? Double("\(single)") ?? value : value)
        case (SQLITE_TEXT, .double), (SQLITE_TEXT, .single):
            return statement.text(at: column).elementsEqual("NaN".utf8) ? .double(.nan) : .absent
        case (SQLITE_INTEGER, .text): return .span(.text, buffer.append(utf8: statement.text(at: column)))
        case (SQLITE_FLOAT, .integer):
            return Int64(exactly: sqlite3_column_double(statement, column)).map(RowSlot.integer) ?? .absent
        default: return .absent
        }
    }

    private func text(
        _ statement: SQLiteStatement, _ column: CInt, _ kind: CInt, _ buffer: inout [UInt8]
    ) -> RowSlot {
        if checksTexts, kind != SQLITE_TEXT { return .absent }
        guard kind != SQLITE_BLOB || String(validating: statement.blob(at: column), as: UTF8.self) != nil else {
            return .absent
        }
        return .span(.text, buffer.append(utf8: statement.text(at: column)))
    }

    private func guid(
        _ statement: SQLiteStatement, _ column: CInt, _ kind: CInt, _ buffer: inout [UInt8]
    ) -> RowSlot {
        if kind == SQLITE_BLOB {
            guard let guid = EdmGuid(bytes: statement.blob(at: column)) else { return .absent }
            return .span(.text, buffer.append(text: guid.description))
        }
        let text = statement.text(at: column)
        guard kind == SQLITE_TEXT, text.isGuid else { return .absent }
        let offset = buffer.count
        for byte in text { buffer.append(byte | (byte >= 0x41 && byte <= 0x46 ? 0x20 : 0)) }
        return .span(.text, RowSpan(offset: UInt32(offset), length: 36))
    }

    private func decimal(
        _ statement: SQLiteStatement, _ column: CInt, _ kind: CInt, _ buffer: inout [UInt8]
    ) -> RowSlot {
        switch kind {
        case SQLITE_INTEGER: return .span(.text, buffer.append(utf8: statement.text(at: column)))
        case SQLITE_FLOAT:
            let value = sqlite3_column_double(statement, column)
            if let span = buffer.append(shortDecimal: value) { return .span(.text, span) }
            guard let decimal = EdmDecimal(value) else { return .absent }
            return .span(.text, buffer.append(text: decimal.description))
        case SQLITE_TEXT:
            let text = statement.text(at: column)
            if text.isPlainDecimal { return .span(.text, buffer.append(raw: text)) }
            guard let decimal = EdmDecimal(utf8: Array(text)[...]) else { return .absent }
            return .span(.text, buffer.append(text: decimal.description))
        default: return .absent
        }
    }

    private func temporal(
        _ codec: ColumnCodec, _ statement: SQLiteStatement, _ column: CInt, _ kind: CInt, _ buffer: inout [UInt8]
    ) -> RowSlot {
        if kind == SQLITE_TEXT {
            let text = statement.text(at: column)
            if case .date = codec, text.isPlainDate { return .span(.text, buffer.append(raw: text)) }
            if codec.isInstant, text.isPlainInstant {
                let span = RowSpan(offset: UInt32(buffer.count), length: 20)
                buffer.append(contentsOf: text.prefix(10))
                buffer.append(UInt8(ascii: "T"))
                buffer.append(contentsOf: text[11..<19])
                buffer.append(UInt8(ascii: "Z"))
                return .span(.text, span)
            }
        }
        guard let lexical = TemporalText.lexical(statement.binding(at: column), codec: codec) else { return .absent }
        return .span(.text, buffer.append(text: lexical))
    }
}

extension ColumnCodec {
    fileprivate var isInstant: Bool {
        switch self {
        case .instantText, .instant(.text), .instant(.mixedText): true
        default: false
        }
    }
}
