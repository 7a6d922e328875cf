import Foundation
import Testing
import ToolSupport

@Suite("The getting-started tutorial")
struct GettingStartedTests {
    /// The service of the tutorial, from a file that stays when it stops.
    private func serve(_ scratch: borrowing Scratch) throws -> ServedSample {
        try ServedSample(scratch.folder + "/field.db", ["--sample", "field-service"])
    }

    /// Runs the program as the tutorial does, and gives what it prints.
    private func run(_ arguments: String..., at root: String, in folder: String) async throws -> String {
        let output = try await Tool.run(
            arguments, of: "GettingStarted", in: folder, environment: ["FIELD_SERVICE": root])
        #expect(output.status == 0, "\(output.standardOutput)\(output.standardError)")
        return output.standardOutput
    }

    @Test("Its program downloads, reads and changes without a service, and uploads")
    func wholeWay() async throws {
        let scratch = try Scratch()
        let (folder, first) = (scratch.folder, try serve(scratch))
        let picture = try await Tool.run("get", first.root + "Photos(9000)/$value", "--format", "json")
        #expect(picture.status == 0)
        let bytes = Data([1, 2, 3, 4])
        try bytes.write(to: URL(fileURLWithPath: folder + "/valve.png"))
        let download = try await run("download", at: first.root, in: folder)
        #expect(download == "3 queries, 760 entities, 60 streams (421680 bytes)\n")
        #expect(try await run("download", at: first.root, in: folder).hasPrefix("3 queries, 0 entities, 0 streams"))
        #expect(await first.stop().status == 0)

        let before = try await run("list", at: first.root, in: folder)
        let order = try #require(before.split(separator: " ").first.map(String.init))
        let inspection = try #require(before.split(separator: "\n").dropFirst().first?.split(separator: " ").first)
        #expect(order.hasPrefix("WorkOrders(") && inspection.hasPrefix("Inspections("))
        #expect(try await run("photo", String(inspection), "valve.png", at: first.root, in: folder).contains("Photos("))
        #expect(try await run("list", at: first.root, in: folder).contains("Valve"))
        #expect(try await run("done", order, at: first.root, in: folder) == "3 changes wait\n")
        #expect(try await !run("list", at: first.root, in: folder).contains(order))

        let second = try serve(scratch)
        #expect(try await run("upload", at: second.root, in: folder) == "3 changes sent, 0 refused\n")
        let photo = try await Tool.run("get", second.root + "Photos(9060)/$value", "--format", "json")
        #expect(Data(photo.standardOutput.utf8) == bytes)
        let done = try await Tool.run("get", "\(second.root)\(order)", "--format", "json")
        #expect(done.json["State"] as? String == "done")
        #expect(await second.stop().status == 0)
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
