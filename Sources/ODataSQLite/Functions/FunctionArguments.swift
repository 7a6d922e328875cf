import GRDBSQLite
import ODataModel
import ODataSQL

/// The arguments of a call of an SQL function, and the place of its result.
struct SQLFunctionCall {
    let context: OpaquePointer?
    let count: Int
    let values: UnsafeMutablePointer<OpaquePointer?>?

    init(_ context: OpaquePointer?, _ count: CInt, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
        self.context = context
        self.count = Int(count)
        self.values = values
    }

    // MARK: Arguments

    /// The storage class; that of null for an argument that is not there.
    func kind(_ index: Int) -> CInt { value(index).map { sqlite3_value_type($0) } ?? SQLITE_NULL }

    private func value(_ index: Int) -> OpaquePointer? { index < count ? values?[index] : nil }

    func bytes(_ index: Int) -> UnsafeRawBufferPointer {
        guard let argument = value(index) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let isBlob = sqlite3_value_type(argument) == SQLITE_BLOB
        let start =
            isBlob
            ? sqlite3_value_blob(argument) : UnsafeRawPointer(sqlite3_value_text(argument))
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(argument)))
    }

    /// Numbers as their text; nil for null and BLOBs.
    func text(_ index: Int) -> String? {
        switch kind(index) {
        case SQLITE_NULL, SQLITE_BLOB: nil
        default: String(decoding: bytes(index), as: UTF8.self)
        }
    }

    func integer(_ index: Int) -> Int64? {
        kind(index) == SQLITE_INTEGER ? sqlite3_value_int64(value(index)) : nil
    }

    func double(_ index: Int) -> Double? {
        switch kind(index) {
        case SQLITE_INTEGER, SQLITE_FLOAT: sqlite3_value_double(value(index))
        case SQLITE_TEXT where bytes(index).elementsEqual("NaN".utf8): .nan
        default: nil
        }
    }

    func decimal(_ index: Int) -> EdmDecimal? {
        switch kind(index) {
        case SQLITE_INTEGER: EdmDecimal(sqlite3_value_int64(value(index)))
        case SQLITE_FLOAT: EdmDecimal(sqlite3_value_double(value(index)))
        case SQLITE_TEXT: EdmDecimal(utf8: Array(bytes(index))[...])
        default: nil
        }
    }

    func instant(_ index: Int) -> EdmDateTimeOffset? {
        text(index).flatMap { EdmDateTimeOffset(storedText: $0) ?? TemporalText.instant($0) }
    }

    func duration(_ index: Int) -> EdmDuration? { text(index).flatMap { EdmDuration($0) } }

    func binding(_ index: Int) -> SQLBinding {
        switch kind(index) {
        case SQLITE_INTEGER: .integer(sqlite3_value_int64(value(index)))
        case SQLITE_FLOAT: .real(sqlite3_value_double(value(index)))
        case SQLITE_TEXT: .text(String(decoding: bytes(index), as: UTF8.self))
        case SQLITE_BLOB: .blob(Array(bytes(index)))
        default: .null
        }
    }

    // MARK: Result

    func setResult(_ text: String?) {
        guard var text else { return sqlite3_result_null(context) }
        text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else {
                    return sqlite3_result_text(context, "", 0, transientBytes)
                }
                sqlite3_result_text64(context, start, UInt64(characters.count), transientBytes, UInt8(SQLITE_UTF8))
            }
        }
    }

    func setResult(_ value: Int64?) {
        guard let value else { return sqlite3_result_null(context) }
        sqlite3_result_int64(context, value)
    }

    func setResult(_ value: Double?) {
        guard let value else { return sqlite3_result_null(context) }
        // SQLite does not have NaN and would store null.
        guard !value.isNaN else { return setResult("NaN") }
        sqlite3_result_double(context, value)
    }

    /// 1 or 0.
    func setResult(condition: Bool?) { setResult(condition.map { Int64($0 ? 1 : 0) }) }

    func setResult(_ value: EdmDecimal?) { setResult(value?.description) }

    func setResult(_ value: SQLBinding) {
        switch value {
        case .integer(let value): setResult(value)
        case .real(let value): setResult(value)
        case .text(let text): setResult(text)
        case .blob(let bytes): setResult(bytes: bytes)
        case .null: sqlite3_result_null(context)
        }
    }

    private func setResult(bytes: [UInt8]) {
        guard !bytes.isEmpty else { return sqlite3_result_zeroblob(context, 0) }
        bytes.withUnsafeBytes {
            sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), transientBytes)
        }
    }

    /// Ends the statement with an error.
    ///
    /// - Parameter isUnsupported: whether the standard defines the requested operation.
    func fail(_ message: String, isUnsupported: Bool = false) {
        let start = isUnsupported ? SQLiteFunctions.unsupported : SQLiteFunctions.argumentFault
        sqlite3_result_error(context, "\(start) \(message)", -1)
    }
}
