import ArgumentParser
import Testing
import ToolSupport

@testable import ODataCommandLine

@Suite struct HelpTests {
    /// The paths of all commands that are shown, those that only have subcommands too.
    private static func paths(_ command: any ParsableCommand.Type = ODataCommand.self, _ path: [String] = [])
        -> [[String]]
    {
        [path]
            + command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.flatMap {
                paths($0, path + [$0._commandName])
            }
    }

    /// What each command prints for `--help` on a terminal of 80 columns. The tool's processes print the same:
    /// ``theToolPrintsIt(path:)``.
    private static let helps = Dictionary(
        uniqueKeysWithValues: paths().map { path in
            do {
                var command = try ODataCommand.parseAsRoot(path + ["--help"])
                // That of the help throws the text.
                try command.run()
                return (path, "")
            } catch { return (path, ODataCommand.fullMessage(for: error, columns: 80)) }
        })

    @Test(arguments: paths())
    func everyCommandHasHelpWithAnExample(path: [String]) throws {
        let help = try #require(Self.helps[path])
        #expect(help.contains("EXAMPLE:"), "\(help)")
        #expect(help.contains(" odata "), "\(help)")
        #expect(help.contains("USAGE: \((["odata"] + path).joined(separator: " ")) "), "\(help)")
    }

    @Test("The tool prints it, whatever has subcommands", arguments: [[], ["store"], ["store", "errors", "undo"]])
    func theToolPrintsIt(path: [String]) async throws {
        let output = try await Tool.run(path + ["--help"], environment: ["COLUMNS": "80"])
        #expect(output.status == 0)
        #expect(output.standardOutput == Self.helps[path].map { $0 + "\n" })
        #expect(output.standardError == "")
    }

    /// What the help says of the command, between its first line and how it is used.
    private static func discussion(_ path: [String]) throws -> String {
        let help = try #require(helps[path])
        return String(help.prefix(upTo: help.range(of: "\nUSAGE: ")?.lowerBound ?? help.endIndex))
    }

    @Test("Lines of examples stand as they are to be typed", arguments: paths())
    func examplesAreNotFolded(path: [String]) throws {
        let shown = try Self.discussion(path).components(separatedBy: "\n")
        for line in HelpExamples.lines(of: path) {
            #expect(shown.contains(line), "\(line)")
            #expect(line.count <= 80, "\(line)")
        }
    }

    @Test("A line of prose ends only where the next word has no room", arguments: paths())
    func proseIsNotRagged(path: [String]) throws {
        for paragraph in try Self.discussion(path).components(separatedBy: "\n\n") {
            let lines = paragraph.components(separatedBy: "\n").filter {
                !$0.isEmpty && !$0.contains("EXAMPLE:")
            }
            for (line, next) in zip(lines, lines.dropFirst()) where !line.hasPrefix(" ") && !next.hasPrefix(" ") {
                let word = next.prefix { $0 != " " }
                #expect(line.count + 1 + word.count >= 80, "\(line)")
            }
        }
    }

    @Test("Options that few need stand under titles of their own")
    func titles() async throws {
        let help = try await Tool.run("store", "download", "--help").standardOutput
        for title in ["MEDIA:", "CONNECTION:"] { #expect(help.contains("\n\(title)\n"), "\(help)") }
        let options = help.components(separatedBy: "OPTIONS:").last ?? ""
        #expect(!(options.components(separatedBy: "\n\n").first ?? "").contains("--media-folder"), "\(help)")
    }

    @Test func helpTellsTheExitStatus() async throws {
        let help = try await Tool.run("--help").standardOutput
        for part in ["0 success", "1 failure", "2 wrong usage", "3 done in part", "NO_COLOR"] {
            #expect(help.contains(part), "\(part)")
        }
    }

    private static let errors: [([String], status: Int32, lines: [String])] = [
        (["frob"], 2, ["error: Unexpected argument 'frob'", "See 'odata --help' for more information."]),
        (
            ["store", "init", "x", "--service", "y", "--user", "z"], 2,
            ["error: --user takes name:password.", "See 'odata store init --help' for more information."]
        ),
        (
            ["serve", "--port", "99999", "x"], 2,
            ["error: --port takes 0 to 65535.", "See 'odata serve --help' for more information."]
        ),
        (
            ["store", "raed", "field"], 2,
            [
                "error: 'odata store raed' is not a command: did you mean 'odata store read'?",
                "See 'odata store --help' for more information.",
            ]
        ),
        (
            ["store", "errors", "lst", "field"], 2,
            [
                "error: 'odata store errors lst' is not a command: did you mean 'odata store errors list'?",
                "See 'odata store errors --help' for more information.",
            ]
        ),
        (
            ["store", "media", "put", "field", "Photos(1)", "v.png", "--type", "png"], 2,
            [
                "error: The value 'png' is invalid for '--type <type>': Give it as type/subtype: image/png",
                "See 'odata store media put --help' for more information.",
            ]
        ),
        (
            ["url", "parse", "--rule", "nope"], 2,
            ["error: The grammar has no rule 'nope'.", "See 'odata url parse --help' for more information."]
        ),
        (["metadata", "/nonexistent.xml"], 1, ["error: There is no file /nonexistent.xml."]),
        (
            ["metadata", "/"], 1,
            ["error: / is a folder, but that of no store: name a file, or the folder of a store."]
        ),
        (
            ["get", "http://127.0.0.1:1/"], 1,
            [
                "error: No connection to 127.0.0.1:1: Connection refused. It was tried 4 times.",
                "Look whether the service runs and the network is there, then give the command again.",
            ]
        ),
    ]

    @Test(arguments: errors)
    func errorsAreOneOrTwoLines(arguments: [String], status: Int32, lines: [String]) async throws {
        let output = try await Tool.run(arguments)
        #expect(output.status == status)
        #expect(output.standardOutput == "")
        #expect(output.standardError == lines.map { $0 + "\n" }.joined())
    }
}
