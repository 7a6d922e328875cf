import Foundation
import OData
import Testing
import ToolSupport

@Suite struct ReadmeTests {
    /// The code at the top of the README, with another service and folder.
    @Test func theFirstLinesWork() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        let transport = AsyncHTTPTransport()

        let service = try OnlineStore(serviceRoot: served.root, transport: transport)
        let store = try OfflineStore(folder: scratch.store, remote: service)
        try await store.open()
        try store.addQuery(
            DefiningQuery(name: "photos", query: "Photos?$filter=PhotoID lt 9003", retrievesStreams: true))
        _ = try await store.download()
        let photos = try await store.entities(store.query("Photos?$orderby=TakenAt desc&$expand=Inspection"))
        let caption = EntityPayload(["Caption": .string("Valve")])
        _ = try await store.change(ChangeRequest(store.path("Photos(9000)"), .update(caption)))
        let report = try await store.upload()

        #expect(photos.count == 3)
        #expect(report.isComplete)
        try store.close()
        try await transport.shutdown()
    }

    /// The commands of its day in the field, with another service, which goes on.
    @Test func theCommandsOfTheToolWork() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(scratch.folder + "/field.db", ["--sample", "field-service"])
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: scratch.folder + "/valve.png"))
        let commands = try Self.commands().filter { $0.starts(with: ["odata", "store"]) }
        #expect(commands.count == 7)
        for command in commands {
            let words = command.dropFirst().map { $0 == "http://127.0.0.1:8080/" ? served.root : $0 }
            let output = try await Tool.run(words, in: scratch.folder)
            #expect(output.status == 0, "\(command): \(output.standardError)")
            if words[1] == "read" { #expect(output.rows.count == 3) }
        }
        let photo = try await Tool.run("get", served.root + "Photos(9000)", "--format", "json")
        #expect(photo.json["Caption"] as? String == "Valve")
        let stream = try await Tool.run("get", served.root + "Photos(9000)/$value", "--format", "json")
        #expect(Data(stream.standardOutput.utf8) == Data([1, 2, 3]))
    }

    /// The words of each line of the block that makes a store.
    private static func commands() throws -> [[String]] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../README.md")
        let blocks = try String(contentsOf: file.standardized, encoding: .utf8).components(separatedBy: "```")
        let block = try #require(blocks.first { $0.contains("odata store init") })
        return block.split(separator: "\n").map { line in
            let code = line.components(separatedBy: " #")[0]
            // What stands between quotes is one word.
            return code.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
                index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
            }
        }
    }
}
