import Testing

@testable import ODataCommandLine

@Suite struct ValueFormTests {
    private static let whole = [
        "0", "-20.5", "+7", "1e-7", "12345678901234567890.123456789", "2023-10-13", "2023-10-13T01:18:56Z",
        "2023-10-13T01:18:56.123456789012+02:00", "-0044-03-15", "01:18:56", "PT1H", "-P1DT2H0.5S", "true", "false",
        "01234567-89ab-CDEF-0123-456789abcdef", "abcdef01-89ab-cdef-0123-456789abcdef", "Products('P-0001')",
        "Order_Details(OrderID=10248,ProductID=11)", "W2(1)",
    ]
    private static let text = [
        "", "-", "P", "a", "Chai", "1 piece", "http://127.0.0.1/a", "P-0001", "PUMP", "Products(1)/Name", "say (so)",
        "(1)", "()", "{\"a\":1}", "01234567-89ab-cdef-0123-456789abcdeg", "1.2.3x", "4 entities",
        "geography'POINT(1 2)'",
        String(repeating: "1", count: 49),
    ]

    @Test(arguments: whole) func valuesAreNotCut(text: String) { #expect(ValueForm.isWhole(text)) }
    @Test(arguments: text) func otherTextMayBe(text: String) { #expect(!ValueForm.isWhole(text)) }

    @Test(arguments: [
        ("1", true), ("-1.5", true), ("1e5", true), ("1.", false), (".5", false), ("1e", false), ("1-2", false),
        ("-", false),
    ])
    func numbers(text: String, isNumber: Bool) { #expect(ValueForm.isNumber(text) == isNumber) }

    private static let rows: [[String?]] = [
        ["P-0000000001", "2023-10-13T01:18:56Z", "a rather long text of words", "-1234567.89", nil],
        ["P-2", "1999-01-01T00:00:00Z", "b", "5", "01234567-89ab-cdef-0123-456789abcdef"],
    ]
    private static let columns = ["ID", "At", "Name", "Price", "Token"]

    @Test("At any width values are there as a whole or not at all", arguments: 1...120)
    func cuts(limit: Int) throws {
        let terminal = Terminal(isTerminal: true, environment: ["TERM": "dumb"])
        var table = TableText(columns: Self.columns, keys: ["ID"], limit: limit, on: terminal)
        let lines = table.lines(Self.rows).split(separator: "\n").map(String.init)
        let shown = Self.columns.filter { !table.hidden.contains($0) && !table.empty.contains($0) }
        #expect(!shown.isEmpty && lines.count == 4)
        for (row, line) in zip(Self.rows, lines.dropFirst(2)) {
            for (name, value) in zip(Self.columns, row) where name != "Name" && value != nil {
                #expect(line.contains(value ?? "") == shown.contains(name), "\(name): \(line)")
            }
        }
        // One column alone is not left out.
        #expect(shown.count == 1 || lines.allSatisfy { $0.columns <= limit }, "\(lines)")
        #expect(table.hidden.count == Self.columns.count - shown.count - table.empty.count)
    }

    @Test("Rows that come later are not cut either: their lines are longer")
    func later() {
        let terminal = Terminal(isTerminal: true, environment: ["TERM": "dumb"])
        var table = TableText(columns: ["n", "text"], limit: 12, on: terminal)
        _ = table.lines([["1", "abc"]])
        #expect(table.lines([["1234567890123", "some words"]]).hasPrefix("1234567890123  "))
    }

    private static let records: [([String?], kept: String, safe: String)] = [
        (["=1+1"], "=1+1\r\n", "'=1+1\r\n"), (["+49 30 1"], "+49 30 1\r\n", "'+49 30 1\r\n"),
        (["-5", "-x", "+5"], "-5,-x,+5\r\n", "-5,'-x,+5\r\n"), (["@SUM(A1)"], "@SUM(A1)\r\n", "'@SUM(A1)\r\n"),
        (["\tx"], "\tx\r\n", "'\tx\r\n"), (["=\"a\",1"], "\"=\"\"a\"\",1\"\r\n", "\"'=\"\"a\"\",1\"\r\n"),
        (["\r=1"], "\"\r=1\"\r\n", "\"'\r=1\"\r\n"),
        (["＝1", nil, "", "a=b", "'x"], "＝1,,\"\",a=b,'x\r\n", "'＝1,,\"\",a=b,'x\r\n"),
    ]

    @Test("Text is kept, and safe CSV has none that is a formula", arguments: records)
    func formulas(fields: [String?], kept: String, safe: String) {
        #expect(CSVText.record(fields) == kept)
        #expect(CSVText.record(fields, isSafe: true) == safe)
    }
}
