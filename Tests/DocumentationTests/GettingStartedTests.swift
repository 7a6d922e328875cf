import Foundation
import Testing
import ToolSupport

@Suite("The getting-started tutorial")
struct GettingStartedTests {
    /// The program as a target of this package, and as the package that `Scripts/build-examples` makes of the article.
    /// Where that was not built it is left out; on a machine of continuous integration it is missed then.
    static let programs: [String] = {
        let isBuilt = (try? Tool.path(of: "Field")) != nil
        let isWanted = ["1", "true"].contains(ProcessInfo.processInfo.environment["CI"])
        return ["GettingStarted"] + (isBuilt || isWanted ? ["Field"] : [])
    }()
    private static let bash = Tool.installed("bash")

    @Test(
        "Its commands do what it says, and print what it shows",
        .enabled(if: bash != nil, "skipped: bash is not installed"), arguments: programs)
    func commands(program: String) async throws {
        let scratch = try Scratch()
        let text = try Documents.lines(of: Documents.tutorial).joined(separator: " ")
        let outputs = try await TutorialScript(folder: scratch.folder, program: program).run()
        let printed = { (command: String) in outputs.filter { $0.command.hasPrefix(command) }.map(\.output) }

        let downloads = printed("field download")
        #expect(downloads.count == 2 && text.contains("`\(downloads[0].trimmingCharacters(in: .newlines))`"))
        #expect(downloads.last?.hasPrefix("3 queries, 0 entities, 0 streams") == true)
        let shown = try #require(try Documents.plainBlocks(in: Documents.tutorial).first { $0[0].contains("(5003)") })
        let lists = printed("field list").map(Self.lines)
        #expect(lists.count == 2 && lists[0].starts(with: shown) && lists[1].contains { $0.hasSuffix(" Valve") })
        let photo = try #require(printed("field photo").first?.split(separator: " ").first)
        #expect(text.contains("`\(photo)`"))
        #expect(printed("field done") == ["3 changes wait\n"])
        #expect(printed("field upload") == ["3 changes sent, 0 refused\n"])
        #expect(printed("odata get 'http://127.0.0.1:8080/WorkOrders(5003)'").first?.contains("done") == true)
        let newest = printed("odata get 'http://127.0.0.1:8080/Photos?").first
        #expect(text.contains("9060") && newest?.contains("9060") == true)
        #expect(printed("odata metadata").first?.contains("WorkOrders") == true)
    }

    private static func lines(of output: String) -> [String] {
        output.split(separator: "\n").map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    @Test("Its manifest is one")
    func manifest() async throws {
        let scratch = try Scratch()
        let manifest = try #require(try Documents.swiftBlocks(in: Documents.tutorial).first(where: \.isManifest))
        let text = manifest.lines.joined(separator: "\n")
        try text.write(toFile: scratch.folder + "/Package.swift", atomically: true, encoding: .utf8)
        #expect(await Self.dump(scratch.folder) == 0)
    }

    /// Has the package manager read a manifest, and gives its status.
    private static func dump(_ folder: String) async -> Int32 {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                let options = ["--package-path", folder, "--cache-path", folder + "/cache", "--manifest-cache", "none"]
                process.arguments = ["swift", "package"] + options + ["dump-package"]
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                guard (try? process.run()) != nil else { return continuation.resume(returning: -1) }
                process.waitUntilExit()
                continuation.resume(returning: process.terminationStatus)
            }
        }
    }
}
