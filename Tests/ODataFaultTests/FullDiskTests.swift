import Foundation
import OData
import Testing
import ToolSupport

/// The tool may not write files beyond a length: what a full disk is to it.
@Suite("A full disk", .serialized)
struct FullDiskTests {
    /// Blocks of 512 bytes.
    private static let limits = [100, 250, 380]

    @Test("A download stops or leaves out streams, says so, and the next one completes it", arguments: limits)
    func download(limit: Int) async throws {
        let site = try await Site()
        try await site.prepare()
        let output = try await RunningTool(["store", "download", site.store], fileLimit: limit).finish()
        #expect([1, 3].contains(output.status), "\(output.standardError)")
        #expect(isTold(output), "\(output.standardError)")
        try await KillRun(site: site, phase: .download).complete()
        try await site.stop()
    }

    @Test("What an upload has no room to record waits, and the next one completes it, once", arguments: [1, 64])
    func upload(limit: Int) async throws {
        let site = try await Site()
        let run = KillRun(site: site, phase: .upload)
        try await run.prepare()
        let output = try await RunningTool(["store", "upload", site.store], fileLimit: limit).finish()
        #expect([1, 3].contains(output.status), "\(output.standardError)")
        #expect(isTold(output), "\(output.standardError)")
        try await site.open { store in
            let waiting = try await store.queueEntries()
            #expect(waiting.contains { $0.state == .waiting || $0.state == .unconfirmed })
            #expect(try await store.errorEntries().isEmpty)
        }
        try await run.complete()
        try await site.stop()
    }

    @Test("A stream that does not fit is not accepted, and nothing of it stays")
    func stream() async throws {
        let site = try await Site()
        try await site.prepare()
        try await site.run("download")
        let source = site.path("picture.png")
        try Data(SiteFile.picture(seed: 3, length: 5_000_000)).write(to: URL(fileURLWithPath: source))
        let arguments = ["store", "media", "put", site.store, "Photos(9003)", source, "--type", "image/png"]
        let output = try await RunningTool(arguments, fileLimit: 4_000).finish()
        #expect(output.status == 1)
        #expect(isTold(output), "\(output.standardError)")
        try await KillRun(site: site, phase: .change).compare()
        try await site.stop()
    }

    @Test("Of a series of changes, those that were printed are kept, the others not")
    func series() async throws {
        let site = try await Site()
        try await site.prepare()
        try await site.run("download")
        let lines = (0..<2_000).map { FieldWork.order("full-\($0)") }.joined(separator: "\n")
        let input = site.path("orders.txt")
        try Data(lines.utf8).write(to: URL(fileURLWithPath: input))
        let arguments = ["store", "create", site.store, "SalesOrders", "-"]
        let output = try await RunningTool(arguments, inputFile: input, fileLimit: 900).finish()
        #expect(output.status == 1)
        #expect(isTold(output), "\(output.standardError)")
        let accepted = output.standardOutput.split(separator: "\n").count
        #expect(output.standardError.contains("Line \(accepted + 1)"), "\(output.standardError)")
        try await site.open { store in
            let made = try await store.entities(try await store.query("SalesOrders?$filter=startswith(Note,'full-')"))
            #expect(made.count == accepted)
            #expect(try await store.queueEntries().count == accepted * 3)
        }
        try await site.stop()
    }

    private func isTold(_ output: Tool.Output) -> Bool {
        let text = output.standardError.lowercased()
        return ["disk", "space", "large"].contains { text.contains($0) }
    }
}
