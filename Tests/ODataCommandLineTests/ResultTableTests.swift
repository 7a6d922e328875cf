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

    private let table = ResultTable(
        columns: ["id", "name"], rows: [["1", "Grüße aus\nBergen"], ["2", nil], ["3", "写真"]])
    private let file = Terminal(isTerminal: false, environment: [:])

    @Test func aTableHasAllOfEachValueWhereNothingLimitsIt() {
        let long = ResultTable(columns: ["text"], rows: [[String(repeating: "x", count: 500)]])
        #expect(long.table(limit: nil, on: file).text.hasSuffix(String(repeating: "x", count: 500)))
        #expect(
            table.table(limit: nil, on: file).text == """
                id  name
                --  ----------------
                1   Grüße aus Bergen
                2
                3   写真
                """)
    }

    @Test func aTableFitsTheTerminal() {
        #expect(
            table.table(limit: 12, on: file).text == """
                id  name
                --  --------
                1   Grüße a…
                2
                3   写真
                """)
    }

    @Test func namesAreBoldWhereThereAreColours() {
        let terminal = Terminal(isTerminal: true, environment: ["TERM": "xterm"])
        let lines = table.table(limit: 12, on: terminal).text.split(separator: "\n")
        #expect(lines[0] == "\u{1B}[1mid  name\u{1B}[0m")
        #expect(lines.dropFirst(2).allSatisfy { !$0.contains("\u{1B}") })
    }

    @Test func columnsOfAnAnswerAreInItsOrder() throws {
        let json = #"""
            {"@odata.context":"x","value":[{"Z":"ä\n","B@odata.type":"y","B":1.50,"C":{"D":[1,2]}},{"Z":null,"A":[1,2],"E":true}]}
            """#
        let table = try ResultTable(json: Array(json.utf8))
        #expect(table.columns == ["Z", "B", "C", "A", "E"])
        #expect(table.rows[0] == ["ä\n", "1.50", #"{"D":[1,2]}"#, nil, nil])
        #expect(table.rows[1] == [nil, nil, nil, "2 entries", "true"])
        #expect(try ResultTable(json: Array(#"{"ID":7,"A":null}"#.utf8)).columns == ["ID", "A"])
        #expect(try ResultTable(json: Array(#"{"value":[1,"x"]}"#.utf8)).rows == [["1"], ["x"]])
        #expect(throws: Failure.self) { try ResultTable(json: Array("[1]".utf8)) }
    }

    @Test func csvHasAllValuesAsTheyAre() {
        #expect(table.csv == "id,name\r\n1,\"Grüße aus\nBergen\"\r\n2,\r\n3,写真")
    }
}
