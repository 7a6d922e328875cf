import ODataModel

/// The text that a value is shown as where a column is served as `Edm.String` but holds values of any kind.
///
/// Comparisons, orders and groups use the same text, through the SQL function ``function``.
package enum ShownText {
    /// The SQL function that returns the text of its one argument.
    package static let function = "odata_text"

    /// Numbers with all their digits; BLOBs that are UTF-8 as that text, others as SQLite's literal `x'FF00'`. Nil for
    /// null.
    package static func text(of value: SQLBinding) -> String? {
        switch value {
        case .null: nil
        case .integer(let number): String(number)
        case .real(let number): number.isInfinite ? (number < 0 ? "-INF" : "INF") : "\(number)"
        case .text(let text): text
        case .blob(let bytes): String(validating: bytes, as: UTF8.self) ?? literal(bytes)
        }
    }

    private static func literal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return "x'" + String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
            + "'"
    }

    /// A superset of the stored values that are shown as `text`, which an index finds.
    static func candidates(for text: String) -> [SQLBinding] {
        var candidates: [SQLBinding] = [.text(text), .blob(Array(text.utf8))]
        if let integer = Int64(text) { candidates.append(.integer(integer)) }
        if let real = Double(text) { candidates.append(.real(real)) }
        if let bytes = bytes(literal: text) { candidates.append(.blob(bytes)) }
        return candidates
    }

    /// `column` is the stored column.
    static func shown(_ column: SQLFragment) -> SQLFragment { .call(function, [column]) }

    /// A condition for the rows whose value of the stored column is shown as `text`.
    package static func condition(_ column: SQLFragment, is text: String) -> SQLFragment {
        let list = candidates(for: text).map(SQLFragment.bound).joined(", ")
        return (column + " IN (" + list + ") AND " + shown(column) + " = " + .bound(.text(text))).parenthesised
    }

    private static func bytes(literal text: String) -> [UInt8]? {
        guard text.hasPrefix("x'"), text.hasSuffix("'"), text.utf8.count > 2 else { return nil }
        return EdmValue.bytes(hexadecimal: text.dropFirst(2).dropLast())
    }
}
