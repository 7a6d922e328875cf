import Testing

@testable import ODataCommandLine

@Suite struct ResultTableTests {
    private static let layouts: [([Int], Int?, [Int], hidden: Int)] = [
        ([10, 20], nil, [10, 20], 0), ([10, 20], 32, [10, 20], 0), ([10, 20], 31, [10, 19], 0),
        ([10, 20], 22, [10, 10], 0), ([10, 20], 21, [10, 9], 0), ([3, 100, 100], 47, [3, 20, 20], 0),
        ([100, 100, 100], 20, [9, 9], 1), ([50], 4, [4], 0), ([50, 50], 3, [3], 1), ([], 10, [], 0),
    ]

    @Test(arguments: layouts)
    func columnsFitTheLine(natural: [Int], limit: Int?, widths: [Int], hidden: Int) {
        let layout = TableLayout(natural: natural, limit: limit)
        #expect(layout.widths == widths)
        #expect(layout.hidden == hidden)
    }

    @Test func laterRowsMakeNoColumnMoreOrLess() {
        #expect(TableLayout(natural: [10, 10, 10], limit: 8, shown: 3).widths == [2, 1, 1])
        #expect(TableLayout(natural: [10, 10, 10], limit: 80, shown: 2).hidden == 1)
        #expect(TableLayout(natural: [1_000_000_000], limit: 5).widths == [5])
    }

    private let rows = [["1", "Grüße aus\nBergen"], ["2", nil], ["3", "写真"]]
    private let file = Terminal(isTerminal: false, environment: [:])

    private func table(limit: Int? = nil, on terminal: Terminal? = nil) -> TableText {
        TableText(columns: ["id", "name"], limit: limit, on: terminal ?? file)
    }

    @Test func aTableHasAllOfEachValueWhereNothingLimitsIt() {
        var long = TableText(columns: ["text"], limit: nil, on: file)
        #expect(long.lines([[String(repeating: "x", count: 500)]]).hasSuffix(String(repeating: "x", count: 500)))
        var table = table()
        #expect(
            table.lines(rows) == """
                id  name
                --  ----------------
                1   Grüße aus Bergen
                2   null
                3   写真
                """)
        #expect(table.lines([["400", "x"]]) == "400  x")
        #expect(table.lines([["4", "y"]]) == "4    y")
    }

    @Test func aTableFitsTheTerminal() {
        var table = table(limit: 12)
        #expect(
            table.lines(rows) == """
                id  name
                --  --------
                1   Grüße a…
                2   null
                3   写真
                """)
    }

    /// A line with one number alone may be longer than a terminal of fewer columns.
    @Test(arguments: 10...40)
    func noLineIsLongerThanItMayBe(limit: Int) throws {
        let rows = [["1", "写真写真写真", "कार्यकर्ता", nil], ["22222222", "b\tc", "👩‍🔧👩‍🔧👩‍🔧", "x"]]
        let later = ["9999999999", "yyyyyyyyyyyy", "zzzzzzzzzzzz", "wwwwwwwwwwww"]
        let columns = ["ID", "Name of it", "कार्य", ""]
        var table = TableText(columns: columns, limit: limit, on: file)
        let text = [table.lines(rows), table.lines([later]), table.list(later) ?? ""].joined(separator: "\n")
        #expect(text.split(separator: "\n").allSatisfy { $0.columns <= limit }, "\(text)")
    }

    @Test func oneRowThatHasNoRoomIsAListOfNamesAndValues() {
        let columns = ["ProductID", "Name", "Price"]
        let row = ["P-0001", "A pump of cast iron", nil]
        #expect(
            TableText(columns: columns, limit: 24, on: file).list(row) == """
                ProductID  P-0001
                Name       A pump of
                           cast iron
                Price      null
                """)
        #expect(TableText(columns: columns, limit: 80, on: file).list(row) == nil)
        #expect(TableText(columns: columns, limit: nil, on: file).list(row) == nil)
        #expect(TableText(columns: columns, limit: 3, on: file).list(row) == nil)
    }

    @Test func idsLoseTheirMiddleAndTextItsEnd() {
        var table = TableText(columns: ["a", "b"], limit: 24, on: file)
        let lines = table.lines([["Products('P-0001')/Name", "all that it is called"]]).split(separator: "\n")
        #expect(lines.last == "Produ…/Name  all that i…")
        #expect("Products('P-0001')".fittedAtEnds(to: 11) == "Produ…001')")
        #expect("写真写真写真".fittedAtEnds(to: 7) == "写真…真")
    }

    @Test func numbersStandAtTheRight() {
        var table = TableText(columns: ["n", "name"], numbers: ["n"], limit: nil, on: file)
        #expect(
            table.lines([["1", "a"], ["-20.5", "b"], [nil, "c"]]) == """
                    n  name
                -----  ----
                    1  a
                -20.5  b
                 null  c
                """)
    }

    @Test func columnsOfNullsAreLeftOutWhereNotAllHasRoom() {
        let rows = [["1", nil, "a text of words"], ["2", nil, "b"]]
        var wide = TableText(columns: ["id", "changeSet", "text"], limit: 80, on: file)
        #expect(wide.lines(rows).hasPrefix("id  changeSet  text"))
        #expect(wide.empty.isEmpty)
        var narrow = TableText(columns: ["id", "changeSet", "text"], limit: 24, on: file)
        #expect(narrow.lines(rows).hasPrefix("id  text\n"))
        #expect(narrow.empty == ["changeSet"] && narrow.hidden.isEmpty)
        // Later rows may have values there all the same.
        _ = narrow.lines([["3", "7", "c"]])
        #expect(narrow.empty.isEmpty && narrow.hidden == ["changeSet"])
    }

    private static let wrapped: [(String, Int, [String])] = [
        ("", 5, [""]), ("a b", 5, ["a b"]), ("ab cd ef", 5, ["ab cd", "ef"]), ("abcdefg h", 3, ["abc", "def", "g h"]),
        ("写真帳", 4, ["写真", "帳"]), ("写", 1, ["…"]),
    ]

    @Test(arguments: wrapped)
    func valuesOfOneEntityAreWrapped(text: String, limit: Int, lines: [String]) {
        #expect(text.wrapped(to: limit) == lines)
    }

    @Test func namesAreBoldWhereThereAreColours() {
        var table = table(limit: 12, on: Terminal(isTerminal: true, environment: ["TERM": "xterm"]))
        let lines = table.lines(rows).split(separator: "\n")
        #expect(lines[0] == "\u{1B}[1mid  name\u{1B}[0m")
        #expect(lines.dropFirst(2).filter { $0.contains("\u{1B}") } == ["2   \u{1B}[2mnull\u{1B}[0m"])
    }

    private func page(
        _ json: String, isVersion4: Bool = false, nested: ResultTable.Nested = .summary
    ) throws -> ResponsePage {
        try ResponsePage(Array(json.utf8), isVersion4: isVersion4, nested: nested)
    }

    @Test func columnsOfAResponseAreInItsOrder() throws {
        let json = #"""
            {"@odata.context":"x","value":[{"Z":"ä\n","B@odata.type":"y","B":1.50,"C": {"D": [1, 2]}},{"Z":null,"A":[1,2],"E":true}]}
            """#
        let table = try page(json).table
        #expect(table.columns == ["Z", "B", "C", "A", "E"])
        #expect(table.rows[0] == ["ä\n", "1.50", #"{"D":[1,2]}"#, nil, nil])
        #expect(table.rows[1] == [nil, nil, nil, "2 entries", "true"])
        #expect(try page(json, nested: .json).table.rows[1] == [nil, nil, nil, "[1,2]", "true"])
        #expect(try page(#"{"ID":7,"A":null}"#).table.columns == ["ID", "A"])
        #expect(try page(#"{"value":[1,"x"]}"#).table.rows == [["1"], ["x"]])
        #expect(throws: Failure.self) { try page("[1]") }
    }

    private static let v2: [(String, columns: [String], rows: [[String?]])] = [
        (
            #"{"d":{"results":[{"__metadata":{"uri":"u"},"ID":1,"Items":{"__deferred":{"uri":"v"}},"N":null}]}}"#,
            ["ID", "N"], [["1", nil]]
        ),
        (#"{"d":[{"__metadata":{"uri":"u"},"ID":1},{"ID":2}]}"#, ["ID"], [["1"], ["2"]]),
        (#"{"d":{"__metadata":{"uri":"u"},"ID":1,"Photo":{"__mediaresource":{}}}}"#, ["ID"], [["1"]]),
        (
            #"{"d":{"ID":1,"Items":{"results":[{"ID":2}]},"Home":{"City":"Bonn"}}}"#, ["ID", "Items", "Home"],
            [["1", "1 entry", #"{"City":"Bonn"}"#]]
        ),
        (
            #"{"d":{"At":"/Date(1697159936000+0000)/","On":"/Date(0)/","No":"/Date(x)/"}}"#, ["At", "On", "No"],
            [["2023-10-13T01:18:56Z", "1970-01-01T00:00:00Z", "/Date(x)/"]]
        ),
        (#"{"d":{"Name":"x"}}"#, ["Name"], [["x"]]), (#"{"d":{"results":[1,2]}}"#, ["value"], [["1"], ["2"]]),
        (#"{"d":{"results":[]}}"#, [], []), (#"{"d":5}"#, ["d"], [["5"]]),
    ]

    @Test(arguments: v2)
    func theEnvelopeOfV2IsRemoved(json: String, columns: [String], rows: [[String?]]) throws {
        let table = try page(json).table
        #expect(table.columns == columns)
        #expect(table.rows == rows)
    }

    @Test func aPropertyNamedLikeTheEnvelopeIsOneInVersion4() throws {
        #expect(try page(#"{"d":{"a":1}}"#, isVersion4: true).table.columns == ["d"])
        #expect(try page(#"{"d":{"a":1},"e":2}"#).table.columns == ["d", "e"])
    }

    private static let links: [(String, String?)] = [
        (#"{"value":[],"@odata.nextLink":"n"}"#, "n"), (#"{"value":[],"@nextLink":"n"}"#, "n"),
        (#"{"odata.metadata":"m","value":[],"odata.nextLink":"n"}"#, "n"), (#"{"d":{"results":[],"__next":"n"}}"#, "n"),
        (#"{"value":[{"@odata.nextLink":"n"}]}"#, nil), (#"{"d":[]}"#, nil),
    ]

    @Test(arguments: links)
    func thePageTellsTheNextOne(json: String, link: String?) throws {
        #expect(try page(json).nextLink == link)
    }

    @Test func referencesHaveTheirIds() throws {
        let table = try page(#"{"value":[{"@odata.id":"Things(1)"}]}"#).table
        #expect(table.columns == ["@odata.id"])
        #expect(table.rows == [["Things(1)"]])
    }

    private static let records: [([String?], String)] = [
        (["1", "Grüße aus\nBergen", nil], "1,\"Grüße aus\nBergen\",\r\n"), (["a\rb"], "\"a\rb\"\r\n"),
        (["a\r\nb", " c "], "\"a\r\nb\", c \r\n"), (["say \"x\"", "y"], "\"say \"\"x\"\"\",y\r\n"),
        (["a,\u{301}b"], "\"a,\u{301}b\"\r\n"), (["a\"\u{301}b"], "\"a\"\"\u{301}b\"\r\n"),
        ([nil], "\"\"\r\n"), ([""], "\"\"\r\n"), ([nil, nil], ",\r\n"), (["", nil], "\"\",\r\n"),
    ]

    @Test(arguments: records)
    func recordsOfCSVHaveAllValuesAsTheyAre(fields: [String?], record: String) {
        #expect(Array(CSVText.record(fields).utf8) == Array(record.utf8))
    }
}
