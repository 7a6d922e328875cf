import ArgumentParser
import Foundation
import HTTPTypes
import ODataService
import Synchronization
import Testing
import ToolSupport

@testable import ODataCommandLine

/// Options that all commands have in common.
@Suite("Options as people type them", .timeLimit(.minutes(5)))
struct OptionTests {
    private static func commands(
        _ command: any ParsableCommand.Type = ODataCommand.self, _ path: String = "odata"
    ) -> [(path: String, type: any ParsableCommand.Type)] {
        [(path, command)]
            + command.configuration.subcommands.flatMap { commands($0, "\(path) \($0._commandName)") }
    }

    private static let short = [
        "o": "output", "v": "verbose", "u": "user", "H": "header", "f": "format", "q": "quiet", "y": "yes", "h": "help",
    ]

    @Test("A short option means the same in all commands, and each command with the long one has it")
    func short() throws {
        var found: Set<String> = []
        for (path, type) in Self.commands() {
            let help = ODataCommand.helpMessage(for: type, columns: 400)
            let options = help.matches(
                of: try Regex(
                    "(?m)^  (?:-(\\w)(?: <[^>]*>)?, )?--([a-z-]+)", as: (Substring, Substring?, Substring).self))
            for option in options {
                let (letter, name) = (option.output.1.map(String.init), String(option.output.2))
                found.formUnion(letter.map { [$0] } ?? [])
                #expect(letter == Self.short.first { $0.value == name }?.key, "\(path) --\(name)")
            }
        }
        #expect(found == Set(Self.short.keys))
    }

    /// Runs the tool with the root of a service that responds with this.
    private func run(
        _ arguments: [String], _ response: @escaping @Sendable (HTTPRequest) -> ServiceResponse
    ) async throws -> (output: Tool.Output, requests: [HTTPRequest]) {
        let requests = Mutex<[HTTPRequest]>([])
        let output = try await RespondingService.run { request in
            requests.withLock { $0.append(request) }
            return response(request)
        } _: { root in
            try await Tool.run(arguments.map { $0.replacing("ROOT/", with: root) })
        }
        return (output, requests.withLock { $0 })
    }

    @Test("Short options do what the long ones do")
    func effects() async throws {
        let scratch = try Scratch()
        let file = scratch.folder + "/response"
        let (output, requests) = try await run(
            ["get", "ROOT/Things", "-H", "X-One: 1", "-u", "a:b", "-v", "-o", file]
        ) { _ in .text(#"{"value":[]}"#) }
        #expect(output.status == 0 && output.standardOutput.isEmpty)
        #expect(output.standardError.contains("> Authorization: (hidden)"), "\(output.standardError)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == #"{"value":[]}"#)
        let fields = try #require(requests.first?.headerFields)
        #expect(fields[HTTPField.Name("X-One")!] == "1" && fields[.authorization] == "Basic YTpi")
        let (csv, _) = try await run(["get", "ROOT/Things", "-f", "csv"]) { _ in .text(#"{"value":[{"ID":1}]}"#) }
        #expect(csv.standardOutput == "ID\r\n1\r\n")
    }

    @Test("Quiet commands print results and errors, and what was asked for")
    func quiet() async throws {
        let (empty, _) = try await run(["get", "ROOT/Things", "-f", "table", "-q"]) { _ in .text(#"{"value":[]}"#) }
        #expect(empty.status == 0 && empty.standardError.isEmpty)
        let (created, _) = try await run(["post", "ROOT/Things", "{}", "--quiet"]) { _ in .text("{}", status: .created)
        }
        #expect(created.standardOutput == "{}\n" && created.standardError.isEmpty)
        let (failed, _) = try await run(["get", "ROOT/Things", "-q"]) { _ in .text("{}", status: .notFound) }
        #expect(failed.status == 1 && failed.standardError.hasPrefix("error: The service returned 404"))
        let (verbose, _) = try await run(["get", "ROOT/Things", "-qv"]) { _ in .text("{}") }
        #expect(verbose.standardError.contains("< 200 OK"))
    }

    @Test("As many retries are made as are asked for", arguments: [(nil, 4), ("0", 1), ("1", 2), ("5", 6)])
    func retries(number: String?, requests count: Int) async throws {
        let options = number.map { ["--retries", $0] } ?? []
        let (output, requests) = try await run(["get", "ROOT/Things"] + options) { _ in
            var response = ServiceResponse.text("{}", status: .serviceUnavailable)
            response.head.headerFields[.retryAfter] = "0"
            return response
        }
        #expect(output.status == 1 && requests.count == count)
    }

    @Test(
        "Options without sense are refused",
        arguments: [["--retries", "-1"], ["--retries", "101"], ["-f", "safeCSV"], ["-f", "json", "--safe-csv"]])
    func refused(options: [String]) async throws {
        let output = try await Tool.run(["get", "http://127.0.0.1:1/"] + options)
        #expect(output.status == 2, "\(output.standardError)")
    }

    @Test("CSV can be made safe for spreadsheets")
    func safeCSV() async throws {
        for options in [["--safe-csv"], ["-f", "csv", "--safe-csv"]] {
            let (output, _) = try await run(["get", "ROOT/Things"] + options) { _ in
                .text(#"{"value":[{"ID":-1,"Name":"=1+1"}]}"#)
            }
            #expect(output.standardOutput == "ID,Name\r\n-1,'=1+1\r\n")
        }
    }

    private static let topics: [([String], String, String)] = [
        (["help", "nonsense"], "'odata nonsense' is not a command.", "odata"),
        (["help", "metdata"], "'odata metdata' is not a command: did you mean 'odata metadata'?", "odata"),
        (
            ["help", "store", "raed"], "'odata store raed' is not a command: did you mean 'odata store read'?",
            "odata store"
        ),
        (["help", "download"], "'odata download' is not a command: did you mean 'odata store download'?", "odata"),
        (["help", "get", "x"], "'odata get x' is not a command.", "odata get"),
        (["stroe", "--help"], "'odata stroe' is not a command: did you mean 'odata store'?", "odata"),
        (
            ["store", "raed", "-h"], "'odata store raed' is not a command: did you mean 'odata store read'?",
            "odata store"
        ),
    ]

    @Test("An unknown topic of the help is an error with the nearest name", arguments: topics)
    func helpTopics(arguments: [String], message: String, command: String) async throws {
        let output = try await Tool.run(arguments)
        #expect(output.status == 2 && output.standardOutput.isEmpty)
        #expect(output.standardError == "error: \(message)\nSee '\(command) --help' for more information.\n")
    }

    @Test(
        "Topics that there are have their help",
        arguments: [["help"], ["help", "store", "read"], ["get", "x", "--help"]])
    func knownTopics(arguments: [String]) async throws {
        let output = try await Tool.run(arguments)
        #expect(output.status == 0 && output.standardOutput.contains("USAGE: odata"))
    }
}
