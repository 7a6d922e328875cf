import GRDB
import GRDBSQLite
import ODataModel
import ODataSQL

/// The anchors of many parents, as a JSON array, by which the rows of an expanded navigation property are found.
///
/// Parents of a to-one navigation property that lead to the same entity share an anchor, so that it is read once.
struct AnchorList {
    private let anchor: RowProjection.Anchor
    private let rowID: Int?
    private let isShared: Bool
    /// `[1,2,3`; `[["a",1],["b",2]` for more than one column.
    private var json: [UInt8] = [UInt8(ascii: "[")]
    private var known: [[UInt8]: Int32] = [:]
    private var knownIntegers: [Int64: Int32] = [:]
    /// How many anchors there are.
    private(set) var count: Int32 = 0
    /// The anchor of each parent; -1 where the navigation property is not set.
    private(set) var positions: [Int32] = []

    init(anchor: RowProjection.Anchor, rowID: Int?, isShared: Bool) {
        self.anchor = anchor
        self.rowID = rowID
        self.isShared = isShared
    }

    /// The JSON array.
    var text: [UInt8] { json + [UInt8(ascii: "]")] }

    /// Releases everything but the positions.
    mutating func forgetKnown() {
        json = []
        known = [:]
        knownIntegers = [:]
    }

    /// Adds the parent that `statement` is on.
    mutating func append(_ statement: SQLiteStatement) {
        switch anchor {
        case .rowID: append(statement, columns: rowID.map { [$0] } ?? [])
        case .columns(let columns): append(statement, columns: columns)
        }
    }

    private mutating func append(_ statement: SQLiteStatement, columns: [Int]) {
        if let column = columns.first, columns.count == 1,
            sqlite3_column_type(statement, CInt(column)) == SQLITE_INTEGER
        {
            append(integer: sqlite3_column_int64(statement, CInt(column)))
            return
        }
        var item: [UInt8] = []
        for column in columns {
            if !item.isEmpty { item.append(UInt8(ascii: ",")) }
            guard let value = Self.json(statement.binding(at: CInt(column))) else {
                positions.append(-1)
                return
            }
            item += value
        }
        guard !item.isEmpty else {
            positions.append(-1)
            return
        }
        append(columns.count == 1 ? item : [UInt8(ascii: "[")] + item + [UInt8(ascii: "]")])
    }

    private mutating func append(integer: Int64) {
        if isShared, let position = knownIntegers[integer] {
            positions.append(position)
            return
        }
        if isShared { knownIntegers[integer] = count }
        appendItem(String(integer).utf8)
    }

    private mutating func append(_ item: [UInt8]) {
        if isShared, let position = known[item] {
            positions.append(position)
            return
        }
        if isShared { known[item] = count }
        appendItem(item)
    }

    private mutating func appendItem(_ item: some Sequence<UInt8>) {
        if count > 0 { json.append(UInt8(ascii: ",")) }
        json.append(contentsOf: item)
        positions.append(count)
        count += 1
    }

    /// Bytes as base64url. Nil for null, and for values that a navigation property cannot start from.
    private static func json(_ value: SQLBinding) -> [UInt8]? {
        switch value {
        case .null: nil
        case .blob(let bytes): json(EdmValue.base64URL(bytes))
        case .integer(let value): Array(String(value).utf8)
        case .real(let value): value.isFinite ? Array("\(value)".utf8) : nil
        case .text(let text): json(text)
        }
    }

    private static func json(_ text: String) -> [UInt8] {
        let hex = Array("0123456789abcdef".utf8)
        var bytes = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: bytes += Array("\\u00".utf8) + [hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        return bytes + [UInt8(ascii: "\"")]
    }
}
