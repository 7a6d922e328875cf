import Foundation
import OData
import Testing
import ToolSupport

@Suite("The example of an app for inspectors", .enabled(if: Example.isWanted, Example.absence))
struct InspectTests {
    /// The service, from a file that stays when it stops.
    private func serve(_ scratch: borrowing Scratch) throws -> ServedSample {
        try ServedSample(scratch.folder + "/field.db", ["--sample", "field-service"])
    }

    private func inspect(
        _ arguments: String..., at root: String, in scratch: borrowing Scratch, status: Int32 = 0
    ) async throws -> String {
        let place = ["--folder", scratch.store, "--service", root]
        return try await Example.run("inspect", arguments + place, status: status)
    }

    /// The number of the first inspection of the list.
    private func first(of list: String) throws -> Int64 {
        try #require(list.split(whereSeparator: \.isWhitespace).first.flatMap { Int64($0) })
    }

    @Test("Lists and changes need no network, and a sync sends each change once")
    func wholeWay() async throws {
        let scratch = try Scratch()
        let service = try serve(scratch)
        #expect(try await inspect("sync", at: service.root, in: scratch).contains("0 requests sent, 0 refused\n"))
        #expect(await service.stop().status == 0)

        let id = try first(of: await inspect("list", at: service.root, in: scratch))
        let photo = scratch.folder + "/seal.png"
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: photo))
        let noted = try await inspect("note", "\(id)", "failed", "--remarks", "Worn", at: service.root, in: scratch)
        #expect(noted == "1 requests wait\n")
        let added = try await inspect("photo", "\(id)", photo, "--caption", "Seal", at: service.root, in: scratch)
        #expect(added.hasSuffix("3 requests wait\n"))
        let list = try await inspect("list", at: service.root, in: scratch)
        let line = try #require(list.split(separator: "\n").first)
        #expect(line.hasPrefix("* \(id)  ") && line.contains("  failed  Worn  ") && line.hasSuffix(" Seal"))
        let queue = try await inspect("queue", at: service.root, in: scratch).split(separator: "\n")
        #expect(queue.count == 3 && queue.allSatisfy { $0.contains(" waiting ") })
        _ = try await inspect("sync", at: service.root, in: scratch, status: 1)

        let again = try serve(scratch)
        let sent = try await inspect("sync", at: again.root, in: scratch)
        #expect(sent.hasPrefix("3 requests sent, 0 refused\n"), "\(sent)")
        #expect(try await inspect("sync", at: again.root, in: scratch).hasPrefix("0 requests sent"))
        #expect(try await inspect("queue", at: again.root, in: scratch) == "")
        let client = try FieldClient(again.root)
        #expect(try await client.captions(among: ["Seal"]) == ["Seal"])
        #expect(try await client.value("Result", of: id, in: "Inspections") == .string("failed"))
        #expect(await again.stop().status == 0)
    }

    @Test("What somebody else has changed meanwhile is shown, and decided", arguments: ["mine", "theirs"])
    func conflicts(side: String) async throws {
        let scratch = try Scratch()
        let service = try serve(scratch)
        _ = try await inspect("sync", at: service.root, in: scratch)
        let id = try first(of: await inspect("list", at: service.root, in: scratch))
        _ = try await inspect("note", "\(id)", "here", at: service.root, in: scratch)
        let client = try FieldClient(service.root)
        try await client.change("Result", to: "there", of: id, in: "Inspections")

        let refused = try await inspect("sync", at: service.root, in: scratch, status: 3)
        #expect(refused.hasPrefix("0 requests sent, 1 refused\n"), "\(refused)")
        let shown = try await inspect("conflicts", at: service.root, in: scratch)
        #expect(shown.contains(" Inspections(\(id))\n") && shown.contains("    Result: here here, there there, "))
        let request = "\(try first(of: shown))"
        _ = try await inspect("decide", request, side, at: service.root, in: scratch)
        _ = try await inspect("sync", at: service.root, in: scratch)
        #expect(try await inspect("conflicts", at: service.root, in: scratch) == "")
        let wanted = side == "mine" ? "here" : "there"
        #expect(try await client.value("Result", of: id, in: "Inspections") == .string(wanted))
        #expect(try await inspect("list", at: service.root, in: scratch).contains("  \(wanted)  "))
        #expect(await service.stop().status == 0)
    }

    @Test("A conflict is merged property by property")
    func merging() async throws {
        let scratch = try Scratch()
        let service = try serve(scratch)
        _ = try await inspect("sync", at: service.root, in: scratch)
        let id = try first(of: await inspect("list", at: service.root, in: scratch))
        _ = try await inspect("note", "\(id)", "here", "--remarks", "Mine", at: service.root, in: scratch)
        let client = try FieldClient(service.root)
        try await client.change("Result", to: "there", of: id, in: "Inspections")
        try await client.change("Remarks", to: "Theirs", of: id, in: "Inspections")
        _ = try await inspect("sync", at: service.root, in: scratch, status: 3)

        let request = "\(try first(of: await inspect("conflicts", at: service.root, in: scratch)))"
        _ = try await inspect("merge", request, "Remarks", at: service.root, in: scratch)
        _ = try await inspect("sync", at: service.root, in: scratch)
        #expect(try await client.value("Result", of: id, in: "Inspections") == .string("there"))
        #expect(try await client.value("Remarks", of: id, in: "Inspections") == .string("Mine"))
        #expect(try await inspect("conflicts", at: service.root, in: scratch) == "")
        #expect(try await inspect("list", at: service.root, in: scratch).contains("  there  Mine  "))
        #expect(await service.stop().status == 0)
    }

    @Test("A list that is watched shows what another process changes")
    func watching() async throws {
        let scratch = try Scratch()
        let service = try serve(scratch)
        _ = try await inspect("sync", at: service.root, in: scratch)
        let place = ["--folder", scratch.store, "--service", service.root]
        let watching = try RunningTool(["list", "--watch", "--count", "1"] + place, of: "inspect")
        defer { watching.send(SIGKILL) }
        let id = try first(of: try #require(watching.nextLine()))
        _ = try await inspect("note", "\(id)", "seen", at: service.root, in: scratch)
        let line = try #require(watching.nextLine())
        #expect(line.hasPrefix("* \(id)  ") && line.contains("  seen  "))
        #expect(await service.stop().status == 0)
    }
}
