import ArgumentParser
import Foundation
import Testing
import ToolSupport

@testable import ODataCommandLine

@Suite("Examples in the help", .timeLimit(.minutes(5)))
struct HelpExampleTests {
    private static let bash = Tool.installed("bash")

    private static func paths(_ command: any ParsableCommand.Type = ODataCommand.self, _ path: [String] = [])
        -> [[String]]
    {
        [path] + command.configuration.subcommands.flatMap { paths($0, path + [$0._commandName]) }
    }

    @Test("Each is a command line that the tool takes", .enabled(if: bash != nil, "skipped: bash is not installed"))
    func parsed() async throws {
        let scratch = try Scratch()
        let commands = Self.paths().flatMap(HelpExamples.commands)
        let script = """
            odata() { local IFS=$'\\x1f'; printf '%s\\n' "$*" >> asked; }
            \(commands.joined(separator: "\n"))
            """
        let output = try await Tool.run(["-c", script], of: try #require(Self.bash), in: scratch.folder)
        #expect(output.status == 0, "\(output.standardError)")
        let asked = try String(contentsOfFile: scratch.folder + "/asked", encoding: .utf8).split(separator: "\n")
        #expect(asked.count > 80)
        for line in asked {
            let arguments = line.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
            #expect(throws: Never.self, "\(arguments)") { try ODataCommand.parseAsRoot(arguments) }
        }
    }

    /// Commands in an order in which each finds what it needs.
    private static let chapters: [[String]] = [
        ["get"], ["post"], ["patch"], ["put"], ["store", "init"], ["store"], ["store", "query"],
        ["store", "query", "add"],
        ["store", "query", "list"], ["store", "download"], ["metadata"], ["store", "read"], ["store", "create"],
        ["store", "update"], ["store", "delete"], ["store", "queue"], ["store", "media"], ["store", "media", "get"],
        ["store", "media", "put"], ["store", "media", "create"], ["store", "media", "list"],
        ["store", "media", "delete"], ["store", "media", "pin"], ["store", "media", "unpin"],
        ["store", "media", "gc"], ["store", "media", "verify"], ["attachments", "add"], ["attachments"],
        ["store", "upload"], ["store", "sync"], ["store", "undo"], ["store", "status"], ["store", "events"],
        ["store", "send"],
        ["store", "check"], ["store", "conflicts", "list"], ["store", "errors", "list"], ["store", "rekey"],
        ["store", "query", "remove"], ["store", "query", "set"], ["store", "rebuild"], ["url"], ["url", "parse"],
        ["store", "clear"],
    ]

    /// What does not end by itself, asks services that are not here, or needs a program that is not installed.
    private static func runs(_ command: String) -> Bool {
        if command.contains("--diagram svg"), Tool.installed("dot") == nil { return false }
        return !["--watch", "--follow", "example.org"].contains(where: command.contains)
    }

    @Test(
        "They work, one after the other, with the field service sample",
        .enabled(if: bash != nil, "skipped: bash is not installed"))
    func run() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(scratch.folder + "/field.db", ["--sample", "field-service"])
        let steps = Self.chapters.flatMap { path -> [String] in
            let commands = HelpExamples.commands(of: path).filter(Self.runs)
            // Both make a store.
            return path == ["store"] ? ["rm -r field"] + commands : commands
        }
        let script = """
            set -e
            odata() { "\(try Tool.path())" "$@" || { echo "FAILED: odata $*" >&2; return 1; }; }
            \(steps.joined(separator: "\n").replacing("http://127.0.0.1:8080/", with: served.root))
            """
        let output = try await Tool.run(["-c", script], of: try #require(Self.bash), in: scratch.folder)
        #expect(output.status == 0, "\(output.standardError)")
        #expect(!output.standardError.contains("FAILED"), "\(output.standardError)")
    }
}
