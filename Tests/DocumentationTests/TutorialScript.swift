import Foundation
import Testing
import ToolSupport

/// The commands of the tutorial as a script that needs nobody: the service is started and ended where the text says so,
/// on a port that the system chooses, and what the package manager builds has been built.
struct TutorialScript {
    /// The commands, and those that the text describes in words.
    let commands: [String]
    private let folder: String

    /// - Parameters:
    ///   - folder: An empty one, which gets a clone with the tool in it.
    ///   - program: The one that the tutorial makes.
    init(folder: String, program: String) throws {
        self.folder = folder
        let build = folder + "/swift-odata/.build/debug"
        for path in [build, folder + "/Field"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        for (name, target) in [("odata", "odata"), ("Field", program)] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(build)/\(name)", withDestinationPath: try Tool.path(of: target))
        }
        let lines = try Documents.shellBlocks(in: Documents.tutorial).flatMap(\.self)
        let upload = try #require(lines.firstIndex(of: "field upload"))
        let offline = try #require(lines.firstIndex(of: "field list"))
        let serve = try #require(lines.first { $0.hasPrefix("odata serve ") })
        commands =
            lines[..<offline] + ["field download", "Ctrl-C"] + lines[offline..<upload] + [serve]
            + lines[upload...] + ["odata get 'http://127.0.0.1:8080/Photos(9060)/$value' | cmp - ../valve.png"]
    }

    /// Runs all, and gives what each command has printed.
    func run() async throws -> [(command: String, output: String)] {
        let bash = try #require(Tool.installed("bash"))
        let output = try await Tool.run(["-c", text], of: bash, in: folder)
        #expect(output.status == 0, "\(output.standardOutput)\(output.standardError)")
        let parts = output.standardOutput.components(separatedBy: Self.mark).dropFirst()
        return zip(commands, parts.map { String($0.dropFirst()) }).map { ($0, $1) }
    }

    private static let mark = "---- next command"

    private var text: String {
        let lines = commands.flatMap { ["echo '\(Self.mark)'", line(of: $0)] }
        return """
            set -em
            shopt -s expand_aliases
            trap 'kill $(jobs -p) 2> /dev/null || true; wait' EXIT
            home=$PWD; export TMPDIR="$home"; started="$home/started"; mkfifo "$started"
            \(lines.joined(separator: "\n"))
            """
    }

    private func line(of command: String) -> String {
        if command.hasPrefix("swift build ") { return ":" }
        if command == "Ctrl-C" {
            return """
                kill -INT $service; wait $service || true
                if odata get "$root" 2> /dev/null; then echo 'The service responds.' >&2; exit 9; fi
                """
        }
        guard command.hasPrefix("odata serve ") else {
            return command.replacing("8080", with: command.contains("'http") ? "'$port'" : "$port")
        }
        let serve = command.replacing("8080", with: "0")
        return """
            pushd "$home" > /dev/null; \(serve) > "$started" & service=$!; popd > /dev/null
            read -r root < "$started"; port=${root##*:}; port=${port%/}; export FIELD_SERVICE="$root"
            """
    }
}

extension Documents {
    /// What stands between fences that say nothing: commands, and what they print.
    static func shellBlocks(in document: String) throws -> [[String]] {
        try plainBlocks(in: document).filter { !$0.contains { $0.hasPrefix(" ") } }
    }

    /// Blocks of a language, or of none, line by line.
    static func plainBlocks(in document: String) throws -> [[String]] {
        var blocks: [[String]] = []
        var fence: Substring?
        for line in try lines(of: document) {
            if line.hasPrefix("```") {
                if fence == nil, line == "```" { blocks.append([]) }
                fence = fence == nil ? line : nil
            } else if fence == "```" {
                blocks[blocks.count - 1].append(String(line))
            }
        }
        return blocks
    }
}
