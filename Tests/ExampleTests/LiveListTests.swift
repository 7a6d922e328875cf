import Foundation
import OData
import Testing
import ToolSupport

@Suite("The example of a live list that synchronizes by itself", .enabled(if: Example.isWanted, Example.absence))
struct LiveListTests {
    /// The lines of the program up to the first one for which `isLast` holds.
    private func lines(of program: RunningTool, to isLast: (String) -> Bool) throws -> [String] {
        var lines: [String] = []
        while let line = program.nextLine() {
            lines.append(line)
            if isLast(line) { return lines }
        }
        Issue.record("The program has ended: \(lines)")
        return lines
    }

    @Test("The list follows an edit, a photo and a download; both are sent once through a network that comes and goes")
    func wholeWay() async throws {
        let scratch = try Scratch()
        let service = try ServedSample(scratch.folder + "/field.db", ["--sample", "field-service"])
        let relay = try await Relay.start()
        let port = try #require(URL(string: service.root)?.port)
        relay.lead(to: port)
        let client = try FieldClient(service.root)
        try await client.change("Result", to: "begun", of: 7001, in: "Inspections")

        let program = try RunningTool([scratch.store, relay.root], of: "LiveList")
        defer { program.send(SIGKILL) }
        _ = try lines(of: program) { $0.hasPrefix("7001 begun") }
        _ = try lines(of: program) { $0 == "status connected 0 waiting" }

        // Without a network: the change is in the list at once, and waits.
        relay.hangUp()
        program.write("result 7003 passed\n")
        _ = try lines(of: program) { $0 == "7003 passed 0 photos" }
        let photo = scratch.folder + "/seal.png"
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: photo))
        program.write("photo 7003 \(photo)\n")
        _ = try lines(of: program) { $0 == "7003 passed 1 photos" }
        _ = try lines(of: program) { $0.hasPrefix("status not connected") }

        // The network returns, and the first response is lost; then it stays.
        relay.arm(.responseBytes(1))
        relay.lead(to: port)
        _ = try lines(of: program) { $0 == "status connected 0 waiting" }
        #expect(await relay.disarm())
        #expect(try await client.value("Result", of: 7003, in: "Inspections") == .string("passed"))
        #expect(try await client.captions(among: ["Seal"]) == ["Seal"])

        // The other client changes what is changed here.
        relay.hangUp()
        program.write("result 7001 passed\n")
        _ = try lines(of: program) { $0.hasPrefix("7001 passed") }
        try await client.change("Result", to: "failed", of: 7001, in: "Inspections")
        relay.lead(to: port)
        _ = try lines(of: program) { $0 == "conflict Inspections(7001) theirs: failed" }
        _ = try lines(of: program) { $0 == "status connected 0 waiting" }
        #expect(try await client.value("Result", of: 7001, in: "Inspections") == .string("passed"))

        program.write("?\n")
        program.closeInput()
        let output = await program.finish()
        #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
        #expect(output.standardOutput.contains("? result <inspection> <text>"))
        try await relay.stop()
        #expect(await service.stop().status == 0)
    }

    @Test("A program that is killed while a change waits, or while it is sent, sends it once")
    func kill() async throws {
        let scratch = try Scratch()
        let service = try ServedSample(scratch.folder + "/field.db", ["--sample", "field-service"])
        let relay = try await Relay.start()
        let port = try #require(URL(string: service.root)?.port)
        relay.lead(to: port)
        let client = try FieldClient(service.root)
        try await client.change("Result", to: "begun", of: 7002, in: "Inspections")
        let photo = scratch.folder + "/seal.png"
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: photo))

        let first = try RunningTool([scratch.store, relay.root], of: "LiveList")
        defer { first.send(SIGKILL) }
        _ = try lines(of: first) { $0.hasPrefix("7002 begun") }
        _ = try lines(of: first) { $0 == "status connected 0 waiting" }
        relay.hangUp()
        first.write("photo 7002 \(photo)\n")
        _ = try lines(of: first) { $0 == "7002 begun 1 photos" }
        first.send(SIGKILL)
        _ = await first.finish()

        // Killed when the service has got the photo, before its response: the metadata are the first request.
        let second = try RunningTool([scratch.store, relay.root], of: "LiveList")
        defer { second.send(SIGKILL) }
        _ = try lines(of: second) { $0 == "7002 begun 1 photos" }
        relay.arm(.turn(3)) { second.send(SIGKILL) }
        relay.lead(to: port)
        _ = await second.finish()
        #expect(await relay.disarm())

        let third = try RunningTool([scratch.store, relay.root], of: "LiveList")
        defer { third.send(SIGKILL) }
        _ = try lines(of: third) { $0 == "status connected 0 waiting" }
        third.closeInput()
        #expect(await third.finish().status == 0)
        #expect(try await client.captions(among: ["Seal"]) == ["Seal"])
        try await relay.stop()
        #expect(await service.stop().status == 0)
    }

    @Test("The program is short: fewer than 60 lines, empty ones not counted")
    func length() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Examples/LiveList/main.swift")
        #expect(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count < 60)
    }

    @Test("A wrong call is an error with the usage")
    func usage() async throws {
        let output = try await Example.run("LiveList", [], status: 2)
        #expect(output == "Usage: LiveList <folder of the store> <URL of the service>\n")
    }
}
