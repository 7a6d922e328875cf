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

    @Test(arguments: paths())
    func everyCommandHasHelpWithAnExample(path: [String]) async throws {
        let output = try await Tool.run(path + ["--help"])
        #expect(output.status == 0)
        #expect(output.standardOutput.contains("EXAMPLE:"), "\(output.standardOutput)")
        #expect(output.standardOutput.contains(" odata "), "\(output.standardOutput)")
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
