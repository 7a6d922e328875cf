import ArgumentParser
import Foundation
import Testing
import ToolSupport

@testable import ODataCommandLine

@Suite struct CompletionTests {
    /// The names of all commands that are shown.
    private static func names(_ command: any ParsableCommand.Type) -> [String] {
        command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.flatMap { child in
            [child._commandName] + names(child)
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func theScriptNamesAllCommands(shell: String) async throws {
        let output = try await Tool.run("--generate-completion-script", shell)
        #expect(output.status == 0)
        for name in Self.names(ODataCommand.self) {
            #expect(output.standardOutput.contains(name), "\(name)")
        }
        for word in ["json", "mermaid", "not-executed"] { #expect(output.standardOutput.contains(word), "\(word)") }
    }

    private static let hasBash = FileManager.default.isExecutableFile(atPath: "/bin/bash")

    /// Runs bash with the tool's script as a file.
    private func bash(_ arguments: [String], _ scratch: borrowing Scratch) async throws -> (
        output: String, errors: String
    ) {
        let script = scratch.folder + "/odata.bash"
        let text = try await Tool.run("--generate-completion-script", "bash").standardOutput
        try Data(text.utf8).write(to: URL(fileURLWithPath: script))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = arguments.map { $0 == "SCRIPT" ? script : $0 }
        let (output, errors) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput, process.standardError) = (FileHandle.nullDevice, output, errors)
        try process.run()
        let shown = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let wrong = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (shown, wrong)
    }

    /// What bash offers for the last of `words`.
    private func offers(_ words: [String], _ scratch: borrowing Scratch) async throws -> [String] {
        let ask = """
            . "$1"; tool=$2; shift 2
            odata() { "$tool" "$@"; }
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
            _odata odata "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let output = try await bash(["-c", ask, "bash", "SCRIPT", try Tool.path(), "odata"] + words, scratch)
        #expect(output.errors == "")
        return output.output.split(separator: "\n").map(String.init)
    }

    @Test(.enabled(if: hasBash))
    func bashReadsItsScript() async throws {
        let scratch = try Scratch()
        #expect(try await bash(["-n", "SCRIPT"], scratch).errors == "")
        #expect(try await offers(["metadata", "x", "--diagram", ""], scratch) == ["mermaid", "svg"])
    }

    @Test(.enabled(if: hasBash))
    func aStoreKnowsItsSetsAndQueries() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        let key = scratch.folder + "/key"
        try Data(repeating: 7, count: 32).write(to: URL(fileURLWithPath: key))
        let path = scratch.store
        let made = try await Tool.run("store", "init", path, "--service", served.root, "--key-file", key)
        #expect(made.status == 0)
        let add = ["store", "query", "add", path, "orders", "SalesOrders", "--key-file", key]
        #expect(try await Tool.run(add).status == 0)

        let sets = try await offers(["store", "create", "--key-file", key, path, "SalesOrder"], scratch)
        #expect(sets == ["SalesOrderItems", "SalesOrders"])
        #expect(try await offers(["store", "query", "remove", "--key-file", key, path, ""], scratch) == ["orders"])
        // Without the key, and without a store, nothing is offered and nothing is said.
        #expect(try await offers(["store", "create", path, "SalesOrder"], scratch) == [])
        #expect(try await offers(["store", "create", "no", "SalesOrder"], scratch) == [])
    }
}
