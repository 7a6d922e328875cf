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

    /// What the tool prints for each shell, asked once: a debug build needs seconds for it.
    private static let scripts = Task {
        var scripts: [String: Tool.Output] = [:]
        for shell in ["bash", "zsh", "fish"] {
            scripts[shell] = try await Tool.run("--generate-completion-script", shell)
        }
        return scripts
    }

    private static func script(_ shell: String) async throws -> Tool.Output {
        try #require(try await scripts.value[shell])
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func theScriptNamesAllCommands(shell: String) async throws {
        let output = try await Self.script(shell)
        #expect(output.status == 0)
        for name in Self.names(ODataCommand.self) {
            #expect(output.standardOutput.contains(name), "\(name)")
        }
        for word in ["json", "mermaid", "not-executed"] { #expect(output.standardOutput.contains(word), "\(word)") }
    }

    /// Where the shells are that are installed.
    private static let shells = Dictionary(
        uniqueKeysWithValues: ["bash", "zsh", "fish"].compactMap { name in Tool.installed(name).map { (name, $0) } })

    /// Runs a shell with the tool's script for it as a file.
    private func run(_ shell: String, _ arguments: [String], _ scratch: borrowing Scratch) async throws -> Tool.Output {
        let script = scratch.folder + "/odata.\(shell)"
        let text = try await Self.script(shell).standardOutput
        try Data(text.utf8).write(to: URL(fileURLWithPath: script))
        let program = try #require(Self.shells[shell])
        return try await Tool.run(arguments.map { $0 == "SCRIPT" ? script : $0 }, of: program)
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
        let arguments = ["-c", ask, "bash", "SCRIPT", try Tool.path(), "odata"]
        let output = try await run("bash", arguments + words, scratch)
        #expect(output.standardError == "")
        return output.standardOutput.split(separator: "\n").map(String.init)
    }

    /// That its script is one of its language.
    private func expectReads(_ shell: String, _ option: String, _ scratch: borrowing Scratch) async throws {
        let output = try await run(shell, [option, "SCRIPT"], scratch)
        #expect(output.status == 0)
        #expect(output.standardError == "")
    }

    @Test(.enabled(if: shells["zsh"] != nil, "skipped: zsh is not installed"))
    func zshReadsItsScript() async throws {
        let scratch = try Scratch()
        try await expectReads("zsh", "-n", scratch)
    }

    @Test(.enabled(if: shells["fish"] != nil, "skipped: fish is not installed"))
    func fishReadsItsScript() async throws {
        let scratch = try Scratch()
        try await expectReads("fish", "--no-execute", scratch)
    }

    @Test(.enabled(if: shells["bash"] != nil, "skipped: bash is not installed"))
    func bashReadsItsScript() async throws {
        let scratch = try Scratch()
        try await expectReads("bash", "-n", scratch)
        #expect(try await offers(["metadata", "x", "--diagram", ""], scratch) == ["dot", "mermaid", "svg"])
        #expect(try await offers([""], scratch).first == "demo")
        #expect(try await offers(["store", "--"], scratch).contains("--help"))
        #expect(try await offers(["help", "me"], scratch) == ["metadata"])
        #expect(try await offers(["help", "store", "q"], scratch) == ["query", "queue"])
    }

    @Test(.enabled(if: shells["bash"] != nil, "skipped: bash is not installed"))
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

    /// The folder of a store of the sample.
    private func store(_ scratch: borrowing Scratch) async throws -> String {
        let served = try ServedSample(try scratch.sample())
        #expect(try await Tool.run("store", "init", scratch.store, "--service", served.root).status == 0)
        return scratch.store
    }

    @Test("A name that stands for the tool is completed as it is", .enabled(if: shells["bash"] != nil))
    func aliases() async throws {
        let scratch = try Scratch()
        let path = try await store(scratch)
        let ask = """
            shopt -s expand_aliases
            . "$1"; alias o="$2" od=odata; tool=$2; shift 2
            odata() { "$tool" "$@"; }
            for name in o od unknown; do
                COMP_WORDS=("$name" "$@"); COMP_CWORD=$#; COMP_LINE="$name $*"; COMP_POINT=${#COMP_LINE}
                COMPREPLY=(); _odata "$name" "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
            done
            """
        let words = ["store", "create", path, "SalesOrderI"]
        let output = try await run("bash", ["-c", ask, "bash", "SCRIPT", try Tool.path()] + words, scratch)
        #expect(output.standardError == "")
        #expect(output.standardOutput == String(repeating: "SalesOrderItems\n", count: 3))
    }

    @Test(.enabled(if: shells["bash"] != nil, "skipped: bash is not installed"))
    func aStoreKnowsTheIdsOfItsRequests() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        let path = scratch.store
        #expect(try await Tool.run("store", "init", path, "--service", served.root).status == 0)
        #expect(try await Tool.run("store", "query", "add", path, "all", "Products").status == 0)
        #expect(try await Tool.run("store", "download", path).status == 0)
        #expect(try await Tool.run("store", "delete", path, "Products('P-0001')").status == 0)
        let id = try #require(try await Tool.run("store", "queue", path).rows.first?["id"] as? Int)
        #expect(try await offers(["store", "undo", path, ""], scratch).contains("\(id)"))
        for command in [["decide"], ["errors", "retry"], ["conflicts", "mine"]] {
            #expect(try await offers(["store"] + command + [path, ""], scratch) == [], "\(command)")
        }
    }

    /// What stands for the tool in fish, which is not in its path.
    private static let fishNames: [(definition: String, words: String)] = [
        ("true", "TOOL store create"), ("alias o=TOOL", "o store create"), ("alias o='TOOL store'", "o create"),
        ("alias odata=TOOL", "odata store create"), ("alias odata=TOOL; alias o=odata", "o store create"),
        ("function o --wraps TOOL; TOOL $argv; end", "o store create"),
        ("function odata; TOOL $argv; end; function o --wraps odata; odata $argv; end", "o store create"),
    ]

    @Test("fish completes a path and an alias of the tool as the tool", .enabled(if: shells["fish"] != nil))
    func fishAliases() async throws {
        let scratch = try Scratch()
        let path = try await store(scratch)
        let tool = try Tool.path()
        for (definition, words) in Self.fishNames {
            let ask = "set PATH /bin /usr/bin; source $argv[1]; \(definition); complete -C $argv[2]"
                .replacing("TOOL", with: tool)
            for (last, expected) in [(" \(path) SalesOrderI", "SalesOrderItems"), ("", "create")] {
                let line = words.replacing("TOOL", with: tool) + last
                let output = try await run("fish", ["--no-config", "-c", ask, "SCRIPT", line], scratch)
                let offers = output.standardOutput.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
                #expect(offers.map(String.init) == [expected], "\(definition): \(line): \(output)")
                #expect(output.standardError == "", "\(definition)")
            }
        }
    }

    @Test(.enabled(if: shells["fish"] != nil, "skipped: fish is not installed"))
    func fishOffersTheTopicsOfHelp() async throws {
        let scratch = try Scratch()
        let ask = "source $argv[1]; complete -C $argv[2]"
        for (line, expected) in [("odata help store q", ["query", "queue"]), ("odata help me", ["metadata"])] {
            let output = try await run("fish", ["--no-config", "-c", ask, "SCRIPT", line], scratch)
            let words = output.standardOutput.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
            #expect(words.map(String.init) == expected, "\(line): \(output)")
        }
    }
}
