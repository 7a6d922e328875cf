import ODataModel
import ODataQuery
import Testing

@testable import ODataSQL

@Suite struct PageTokenTests {
    static let tokens: [PageToken] = [
        PageToken(values: [], remaining: nil, order: 0),
        PageToken(
            values: [.integer(-5), .null, .real(0.1), .text("ä'\u{0}"), .blob([0, 255])], remaining: 7, order: 99),
        PageToken(values: [.integer(.min), .real(.infinity), .text("")], remaining: 0, order: .max),
    ]

    @Test("A token reads back as it was written", arguments: tokens)
    func roundTrip(_ token: PageToken) throws {
        #expect(try PageToken(token.text) == token)
    }

    @Test("Every changed or shortened token is refused", arguments: tokens)
    func damage(_ token: PageToken) {
        let text = Array(token.text)
        for position in text.indices.dropLast() {
            var changed = text
            changed[position] = changed[position] == "A" ? "B" : "A"
            #expect(throws: QueryError.self) { try PageToken(String(changed)) }
            #expect(throws: QueryError.self) { try PageToken(String(text[..<position])) }
        }
    }
}

@Suite struct KeysetTests {
    private static func term(_ name: String, isDescending: Bool = false, isNullable: Bool = false) -> OrderTerm {
        OrderTerm(expression: SQLFragment(name), isDescending: isDescending, isNullable: isNullable)
    }

    static let conditions: [([OrderTerm], [SQLBinding], String)] = [
        ([term("a")], [.integer(1)], "a > ?"),
        ([term("a"), term("b")], [.integer(1), .integer(2)], "(a, b) > (?, ?)"),
        (
            [term("a", isDescending: true), term("b")], [.integer(1), .integer(2)],
            "(a <= ? AND (a < ? OR (a = ? AND b > ?)))"
        ),
        ([term("a", isNullable: true), term("b")], [.null, .integer(2)], "(a IS NOT NULL OR (a IS NULL AND b > ?))"),
        (
            [term("a", isNullable: true), term("b")], [.integer(1), .integer(2)],
            "(a >= ? AND (a > ? OR (a = ? AND b > ?)))"
        ),
        (
            [term("a", isDescending: true, isNullable: true), term("b")], [.integer(1), .integer(2)],
            "((a < ? OR a IS NULL) OR (a = ? AND b > ?))"
        ),
        (
            [term("a", isDescending: true, isNullable: true), term("b")], [.null, .integer(2)],
            "(0 OR (a IS NULL AND b > ?))"
        ),
    ]

    @Test("The rows after a row", arguments: conditions)
    func after(_ order: [OrderTerm], _ values: [SQLBinding], _ sql: String) {
        let condition = order.after(values)
        #expect(condition.text == sql)
        #expect(condition.bindings.count == sql.count { $0 == "?" })
    }
}

@Suite struct BindingTests {
    private static func instant(_ text: String) -> EdmValue {
        EdmDateTimeOffset(text).map(EdmValue.dateTimeOffset) ?? .null
    }

    static let stored: [(ColumnCodec, EdmValue, SQLBinding)] = [
        (.boolean, .boolean(true), .integer(1)),
        (.decimalNumber, .decimal(EdmDecimal(18)), .integer(18)),
        (.decimalText, .integer(18), .text("18")),
        (.instantText, instant("2024-01-02T05:04:05.50+02:00"), .text("2024-01-02T03:04:05.5 +02:00")),
        (.instantText, instant("2024-01-02T03:04:05Z"), .text("2024-01-02T03:04:05")),
        (
            .instant(.text(separator: " ", fractionDigits: 3, zone: true)), instant("2024-01-02T03:04:05.5Z"),
            .text("2024-01-02 03:04:05.500Z")
        ),
        (.instant(.unixMilliseconds), instant("1969-12-31T23:59:59.999Z"), .integer(-1)),
        (.instant(.unixSeconds), instant("1970-01-01T00:00:01.5Z"), .real(1.5)),
        (.instant(.dateText), instant("2024-01-02T00:00:00Z"), .text("2024-01-02")),
        (.instant(.julianDay), instant("1970-01-01T12:00:00Z"), .real(2_440_588)),
        (.guidBlob, .guid(EdmGuid(high: 1, low: 2)), .blob([0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2])),
        (.text, .enumeration(EdmQualifiedName("M.Color"), "Red"), .text("Red")),
        (.integer, .null, .null),
    ]

    @Test("Stored forms", arguments: stored)
    func binding(_ codec: ColumnCodec, _ value: EdmValue, _ binding: SQLBinding) throws {
        #expect(try codec.binding(for: value) == binding)
    }

    static let texts = ["2024-01-02T03:04:05.5 +02:00", "2024-01-02T03:04:05", "0001-01-01T00:00:00 -05:30"]

    @Test("An instant reads back from the text it is stored as", arguments: texts)
    func instant(_ text: String) {
        #expect(EdmDateTimeOffset(storedText: text)?.storedText == text)
    }

    @Test("What a column cannot hold exactly is not compared in the column's form")
    func comparands() {
        let seconds = ColumnCodec.instant(.text(separator: " ", fractionDigits: 0, zone: false))
        #expect(seconds.comparand(for: Self.instant("2024-01-02T03:04:05.5Z")) == nil)
        #expect(ColumnCodec.instant(.julianDay).comparand(for: Self.instant("2024-01-02T00:00:00Z")) == nil)
        let long = EdmDecimal("12345678901234567890.125").map(EdmValue.decimal) ?? .null
        #expect(ColumnCodec.decimalNumber.comparand(for: long) == nil)
    }
}
