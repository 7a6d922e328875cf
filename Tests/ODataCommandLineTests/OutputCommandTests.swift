import Foundation
import HTTPTypes
import ODataService
import Synchronization
import Testing
import ToolSupport

@testable import ODataCommandLine

@Suite("What the tool prints", .timeLimit(.minutes(5)))
struct OutputCommandTests {
    /// Runs the tool by a shell script that names it as `"$0" "$@"`.
    private func shell(_ script: String, _ arguments: [String]) async throws -> Tool.Output {
        try await Tool.run(["-c", script, try Tool.path()] + arguments, of: "/bin/sh")
    }

    private static let full = "/dev/full"

    @Test(
        "A full device is told with status 1", .enabled(if: FileManager.default.fileExists(atPath: full)),
        arguments: [
            ["--version"], ["store", "--help"], ["get"], ["get", "--format", "csv"], ["get", "--format", "table"],
        ])
    func fullDevice(arguments: [String]) async throws {
        let output = try await RespondingService.run { _ in
            .text(#"{"value":[{"ID":1}]}"#)
        } _: { root in
            try await shell(
                "exec \"$0\" \"$@\" > \(Self.full)", arguments + (arguments.first == "get" ? [root + "Things"] : []))
        }
        #expect(output.status == 1)
        let message = "error: Standard output cannot be written: No space left on device.\n"
        #expect(output.standardError == message)
    }

    @Test("A command that failed tells its own error too where the device is full")
    func failureOnFullDevice() async throws {
        let output = try await shell("exec \"$0\" \"$@\" > \(Self.full)", ["metadata", "/nonexistent.xml"])
        #expect(output.status == 1)
        #expect(output.standardError == "error: There is no file /nonexistent.xml.\n")
    }

    @Test("A reader that has seen enough ends the pages quietly")
    func closedPipe() async throws {
        let pages = Mutex(0)
        let output = try await RespondingService.run { _ in
            let page = pages.withLock { pages in
                pages += 1
                return pages
            }
            return .text(#"{"value":[{"ID":\#(page)}],"@odata.nextLink":"Things?$skiptoken=\#(page)"}"#)
        } _: { root in
            // A process that the closed pipe ends has no status of its own.
            try await shell(
                "{ \"$0\" \"$@\"; echo $? >&2; } | head -n 2", ["get", root + "Things", "--format", "csv"])
        }
        #expect(output.standardOutput == "ID\r\n1\r\n")
        #expect(["0\n", "141\n"].contains(output.standardError), "\(output.standardError)")
    }

    /// What the tool prints of pages, and the paths that it asked for.
    private func pages(
        at path: String, _ responses: [String: String], _ options: String...
    ) async throws -> (output: Tool.Output, asked: [String]) {
        let asked = Mutex<[String]>([])
        let output = try await RespondingService.run { request in
            let path = request.path ?? ""
            asked.withLock { $0.append(path) }
            let host = "http://\(request.authority ?? "")"
            guard let response = responses[path] else { return .text("{}", status: .internalServerError) }
            return .text(response.replacing("<host>", with: host))
        } _: { root in
            try await Tool.run(["get", root + path.dropFirst()] + options)
        }
        return (output, asked.withLock { $0 })
    }

    private static let links: [(at: String, link: String, next: String)] = [
        ("/svc/Things", "Things?p=2", "/svc/Things?p=2"), ("/svc/Things", "?p=2", "/svc/Things?p=2"),
        ("/svc/Things", "/svc/Things?p=2", "/svc/Things?p=2"),
        ("/svc/Things", "<host>/svc/Things?p=2", "/svc/Things?p=2"),
        ("/svc/Things", "http://inside.invalid/svc/Things?p=2", "/svc/Things?p=2"),
        ("/svc/A(1)/Things", "A(1)/Things?p=2", "/svc/A(1)/Things?p=2"),
        ("/svc/A(1)/Things", "Things?p=2", "/svc/A(1)/Things?p=2"),
        ("/svc/A(1)/Things", "<host>/svc/Others?p=2", "/svc/Others?p=2"),
    ]

    @Test("Tables and CSV have the rows of all pages", arguments: links)
    func pages(at path: String, link: String, next: String) async throws {
        let first = #"{"@odata.context":"<host>/svc/$metadata#Things","value":[{"ID":1}],"@odata.nextLink":"\#(link)"}"#
        let (output, asked) = try await pages(
            at: path, [path: first, next: #"{"value":[{"ID":22}]}"#], "--format", "csv")
        #expect(output.standardOutput == "ID\r\n1\r\n22\r\n", "\(output.standardError)")
        #expect(output.status == 0 && output.standardError.isEmpty)
        #expect(asked == [path, next])
    }

    @Test("The pages of a table have their columns in common")
    func tablePages() async throws {
        let responses = [
            "/Things": #"{"value":[],"@odata.nextLink":"Things?p=2"}"#,
            "/Things?p=2": #"{"value":[{"ID":1,"Name":"a"}],"@odata.nextLink":"Things?p=3"}"#,
            "/Things?p=3": #"{"value":[{"More":true,"ID":22}]}"#,
        ]
        let (output, _) = try await pages(at: "/Things", responses, "--format", "table")
        #expect(output.standardOutput == "ID  Name\n--  ----\n 1  a\n22  null\n")
        #expect(output.status == 0)
        #expect(output.standardError.hasPrefix("notice: The first page has no More,"), "\(output.standardError)")
    }

    @Test("The pages of version 2 are followed and unwrapped")
    func v2Pages() async throws {
        let responses = [
            "/Things":
                #"{"d":{"results":[{"__metadata":{},"ID":1,"N":{"__deferred":{}}}],"__next":"<host>/Things?p=2"}}"#,
            "/Things?p=2": #"{"d":{"results":[{"__metadata":{},"ID":2,"N":{"__deferred":{}}}]}}"#,
        ]
        let (output, asked) = try await pages(at: "/Things", responses, "--format", "csv")
        #expect(output.standardOutput == "ID\r\n1\r\n2\r\n" && output.status == 0)
        #expect(asked.count == 2)
    }

    private static let ends: [(second: String, error: String)] = [
        (#"{"value":[{"ID":2}],"@odata.nextLink":"Things?p=2"}"#, "repeats a next link"), ("", "500"),
        (
            #"{"value":[{"ID":2}],"@odata.nextLink":"http://other.invalid/x"}"#,
            "at another host, which is not requested"
        ),
        (#"{"value":[{"ID":2}],"@odata.nextLink":"ftp://x/y"}"#, "not a valid HTTP URL: ftp://x/y"),
        ("[", "JSON"),
    ]

    @Test("Pages that do not come are an error behind the rows that came", arguments: ends, ["csv", "table"])
    func missingPages(end: (second: String, error: String), format: String) async throws {
        var responses = ["/Things": #"{"value":[{"ID":1}],"@odata.nextLink":"Things?p=2"}"#]
        if !end.second.isEmpty { responses["/Things?p=2"] = end.second }
        let (output, asked) = try await pages(at: "/Things", responses, "--format", format)
        #expect(output.status == 1)
        #expect(output.standardError.hasPrefix("error: "))
        #expect(output.standardOutput.contains("ID") && output.standardOutput.contains("1"))
        #expect(end.error == "JSON" || output.standardError.contains(end.error), "\(output.standardError)")
        #expect(Set(asked) == ["/Things", "/Things?p=2"])
    }

    @Test("JSON is one page as the service sent it")
    func jsonPage() async throws {
        let first = #"{ "value":[{"ID":1}], "@odata.nextLink":"Things?p=2" }"#
        let (output, asked) = try await pages(at: "/Things", ["/Things": first], "--format", "json")
        #expect(output.standardOutput == first + "\n" && asked == ["/Things"])
    }

    @Test("CSV has nested values as JSON, and lines that end as RFC 4180 says")
    func csv() async throws {
        let json = #"{"value":[{"ID":1,"Tags":["a", "b"],"Home":{"City": "Bonn,\u0301 am Rhein"}},{"ID":2,"Tags":[]}]}"#
        let (output, _) = try await pages(at: "/Things", ["/Things": json], "--format", "csv")
        let home = #""{""City"":""Bonn,\u0301 am Rhein""}""#
        #expect(output.standardOutput == "ID,Tags,Home\r\n1,\"[\"\"a\"\",\"\"b\"\"]\",\(home)\r\n2,[],\r\n")
    }

    @Test(
        "No rows are reported on standard error, and in CSV where no metadata name the columns",
        arguments: [#"{"value":[]}"#, #"{"d":{"results":[]}}"#])
    func noRows(json: String) async throws {
        let (table, _) = try await pages(at: "/Things", ["/Things": json], "--format", "table")
        #expect(table.status == 0 && table.standardOutput.isEmpty && table.standardError == "No rows.\n")
        let (csv, _) = try await pages(at: "/Things", ["/Things": json], "--format", "csv")
        #expect(csv.status == 0 && csv.standardOutput.isEmpty)
        #expect(csv.standardError.hasPrefix("notice: The response has no rows, and the service's metadata do not name"))
    }

    /// What stays on a terminal once the line that says who is waited for has gone.
    private func printed(_ shown: Tool.Output) -> String {
        let erasing = "\r\u{1B}[J"
        return shown.standardError.range(of: erasing).map { String(shown.standardError[$0.upperBound...]) } ?? ""
    }

    private static let hostile = "a\u{1B}[31mb\u{9B}2Jc\u{202E}d\u{7F}e"

    @Test("Values are exact in a pipe and harmless on a terminal", arguments: ["text/plain", "application/json"])
    func controls(type: String) async throws {
        let isText = type == "text/plain"
        // In JSON the escape character is escaped, the others may stand as they are.
        let value = isText ? Self.hostile : #"{"value":"\#(Self.hostile.dropFirst(2))"}"#
        let formats = isText ? ["json"] : ["json", "table", "csv"]
        try await RespondingService.run { _ in
            .text(value, type: type)
        } _: { root in
            let piped = try await Tool.run("get", root + "Things(1)/Name/$value", "--format", "json")
            #expect(Array(piped.standardOutput.utf8) == Array((value + (isText ? "" : "\n")).utf8))
            for format in formats {
                let terminal = try PseudoTerminal(
                    ["get", root + "Things(1)/Name/$value", "--format", format], showsOutput: true,
                    environment: ["NO_COLOR": "1"])
                let shown = await terminal.finish()
                let text = printed(shown)
                #expect(shown.status == 0)
                #expect(text.contains("[31mb 2Jc d e") && text.unicodeScalars.last == "\n", "\(text)")
                #expect(!text.unicodeScalars.contains { ["\u{1B}", "\u{9B}", "\u{202E}", "\u{7F}"].contains($0) })
            }
        }
    }

    @Test("Tables fit narrow terminals, and one row is a list there")
    func narrowTerminals() async throws {
        let row = #"{"ID":1,"FirstName":"Anna Maria","LastName":"写真写真写真写真","City":"Frankfurt am Main","E":5}"#
        try await RespondingService.run { request in
            .text(request.path == "/Things" ? "{\"value\":[\(row),\(row)]}" : row)
        } _: { root in
            for path in ["Things", "Things(1)"] {
                let terminal = try PseudoTerminal(
                    ["get", root + path], columns: 20, showsOutput: true, environment: ["NO_COLOR": "1"])
                let shown = await terminal.finish()
                let lines = printed(shown).split(whereSeparator: \.isNewline)
                #expect(shown.status == 0)
                #expect(lines.allSatisfy { $0.columns <= 20 || $0.hasPrefix("notice: ") }, "\(lines)")
                if path == "Things" {
                    #expect(lines.contains { $0.hasPrefix("notice: No room for 2 columns: City, E; ") }, "\(lines)")
                } else {
                    #expect(lines.count == 8 && lines.last == "E".padded(to: 11) + "5", "\(lines)")
                    #expect(lines.contains("FirstName  Anna") && lines.contains("           Maria"), "\(lines)")
                }
            }
        }
    }
}
