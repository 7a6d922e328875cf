import AsyncHTTPTransport
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

    private static let bash = Tool.installed("bash")

    /// Its day in the field, as it stands there but for the port, which the system chooses.
    @Test(.enabled(if: bash != nil, "skipped: bash is not installed"))
    func theDayInTheFieldWorks() async throws {
        let scratch = try Scratch()
        let build = scratch.folder + "/.build/debug"
        try FileManager.default.createDirectory(atPath: build, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: build + "/odata", withDestinationPath: try Tool.path())

        let output = try await Tool.run(["-c", try Self.script()], of: try #require(Self.bash), in: scratch.folder)

        #expect(output.status == 0, "\(output.standardError)")
        let lines = output.standardOutput.split(separator: "\n").map { Data($0.utf8) }
        let responses = lines.compactMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }
        #expect(responses.count == 2, "\(output.standardOutput)")
        #expect((responses.first?["value"] as? [Any])?.count == 3)
        #expect(responses.last?["Caption"] as? String == "Valve")
    }

    /// The block, which waits where a person does: until the service has told its URL, and until it has ended. Then
    /// no service runs there. In the end the service is asked what came. No service outlives the script.
    private static func script() throws -> String {
        let block = try block()
        #expect(block.components(separatedBy: "\nodata ").count == 11)
        #expect(block.components(separatedBy: "\nkill %1\n").count == 2)
        let lines = block.split(separator: "\n").map { line -> String in
            let line = line.replacing("8080", with: line.contains("'http") ? "'$port'" : "$port")
            if line.hasPrefix("odata serve ") {
                return """
                    \(line.replacing(" &", with: " > \"$started\" &"))
                    service=$!; read -r root < "$started"; port=${root##*:}; port=${port%/}
                    """
            }
            if line == "kill %1" {
                return
                    "\(line)\nwait $service; if odata get \"$root\"; then echo 'The service responds.' >&2; exit 9; fi"
            }
            return String(line)
        }
        return """
            set -em
            trap 'kill $(jobs -p) 2> /dev/null || true; wait' EXIT
            export TMPDIR="$PWD"; started="$PWD/started"; mkfifo "$started"; port=0
            \(lines.joined(separator: "\n"))
            odata get "${root}Photos(9000)" --format json
            odata get "${root}Photos(9000)/\\$value" | cmp - valve.png
            test -s valve.png
            """
    }

    /// The block that makes a store.
    private static func block() throws -> String {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../README.md")
        let blocks = try String(contentsOf: file.standardized, encoding: .utf8).components(separatedBy: "```")
        return try #require(blocks.first { $0.contains("odata store init") })
    }
}
