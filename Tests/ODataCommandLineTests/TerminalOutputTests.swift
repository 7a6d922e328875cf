import Foundation
import HTTPTypes
import ODataService
import Testing
import ToolSupport

@testable import ODataCommandLine

/// What the tool shows on a terminal of responses of a service.
@Suite("Results on a terminal", .timeLimit(.minutes(5)))
struct TerminalOutputTests {
    /// What is shown of a response, without the line that names the host.
    private func shown(
        _ body: String, _ options: [String] = [], columns: Int = 80, environment: [String: String] = ["NO_COLOR": "1"]
    ) async throws -> String {
        try await RespondingService.run { request in
            var response = ServiceResponse.text(body)
            response.head.headerFields[HTTPField.Name("OData-Version")!] = "4.0"
            return response
        } _: { root in
            let terminal = try PseudoTerminal(
                ["get", root + "Things", "-q"] + options, columns: columns, showsOutput: true, environment: environment)
            return await terminal.finish().standardError.replacing("\r\n", with: "\n")
        }
    }

    private static let json = #"{"a":[1,"x\u001b"],"b":null}"#
    private static let laid = "{\n  \"a\": [\n    1,\n    \"x\\u001b\"\n  ],\n  \"b\": null\n}\n"

    @Test(
        "JSON has lines, and colours where the terminal has them",
        arguments: [["-f", "json"], ["-f", "json", "--all"]])
    func json(options: [String]) async throws {
        #expect(try await shown(Self.json, options) == Self.laid)
        #expect(try await shown(Self.json, options, environment: ["TERM": "dumb"]) == Self.laid)
        let coloured = try await shown(Self.json, options, environment: [:])
        #expect(coloured.contains("\u{1B}[36m\"a\"\u{1B}[0m: ["), "\(coloured)")
        #expect(coloured.replacing(try Regex("\u{1B}\\[[0-9]+m"), with: "") == Self.laid)
        // A control character that stands in the JSON itself is none on the terminal.
        #expect(try await shown("[\"\u{9B}31m\"]", options) == "[\n  \" 31m\"\n]\n" || options.contains("--all"))
    }

    @Test("Elsewhere JSON is what the service sent")
    func elsewhere() async throws {
        let output = try await RespondingService.run { _ in
            .text(Self.json)
        } _: { root in
            try await Tool.run(["get", root, "-f", "json"], environment: ["CLICOLOR_FORCE": "1"])
        }
        #expect(output.standardOutput == Self.json + "\n")
    }

    @Test("One entity is a list of names and values, one row of a collection is a table")
    func entity() async throws {
        #expect(try await shown(#"{"ID":1,"Name":"Pump","At":null}"#) == "ID    1\nName  Pump\nAt    null\n")
        #expect(try await shown(#"{"value":[{"ID":1,"Name":"Pump"}]}"#) == "ID  Name\n--  ----\n 1  Pump\n")
    }

    @Test("Columns that have no room are counted, and dates stay whole")
    func columns() async throws {
        let (date, text) = ("2023-10-13T01:18:56Z", "a text that is longer than the room that there is for it")
        let row = #"{"ID":1,"Text":"\#(text)","At":"\#(date)","Until":"\#(date)","Note":"x"}"#
        let body = #"{"value":[\#(row),\#(row)]}"#
        let wide = try await shown(body, columns: 60)
        #expect(wide.contains("\(date)  \(date)") && wide.contains("…"), "\(wide)")
        let narrow = try await RespondingService.run { _ in
            .text(body)
        } _: { root in
            try await PseudoTerminal(
                ["get", root], columns: 34, showsOutput: true, environment: ["NO_COLOR": "1"]
            ).finish().standardError
        }
        #expect(narrow.contains(date) && !narrow.contains("\(date)  \(date)"), "\(narrow)")
        #expect(narrow.contains("notice: No room for 2 columns: Until, Note; --format csv or json"), "\(narrow)")
    }

    @Test("A URL that is refused is shown with a mark below the position")
    func mark() async throws {
        let scratch = try Scratch()
        let file = scratch.folder + "/lines"
        try Data("Products?$top=x\n\"Products?$top=x\"\nProducts(1)\n".utf8).write(to: URL(fileURLWithPath: file))
        let terminal = try PseudoTerminal(
            ["url", "parse"], inputFile: file, showsOutput: true, environment: ["NO_COLOR": "1"])
        let output = await terminal.finish()
        let lines = output.standardError.split(whereSeparator: \.isNewline).map(String.init)
        #expect(output.status == 0)
        #expect(lines.prefix(2) == ["  Products?$top=x", "                ^"], "\(lines)")
        #expect(lines.dropFirst(2).first?.hasPrefix("  Position 14: found 'x', expected ") == true, "\(lines)")
        #expect(lines.dropFirst(3).prefix(3) == lines.prefix(3))
        #expect(lines.dropFirst(6).prefix(2) == ["{", "  \"accepted\": true,"], "\(lines)")
    }
}
