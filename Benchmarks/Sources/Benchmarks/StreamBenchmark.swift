import ArgumentParser
import Foundation
import GRDB
import OData
import ODataServer
import ODataService

/// A stream up and down over real HTTP, with the largest resident size of both processes.
struct StreamBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "stream")

    @Option(help: "The stream's length in MiB.") var size = 512

    func run() async throws {
        let folder = NSTemporaryDirectory() + "odata-stream-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = Process()
        server.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        server.arguments = ["serve", folder + "/media.db"]
        let output = Pipe()
        server.standardOutput = output
        server.standardInput = Pipe()
        try server.run()
        defer {
            server.terminate()
            server.waitUntilExit()
        }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let root = line.trimmingCharacters(in: .whitespacesAndNewlines)
        try await measure(root, file: folder + "/upload")
        print(
            "peak of the client: \(PeakMemory.megabytes(of: "self")) MB, of the service: \(PeakMemory.megabytes(of: "\(server.processIdentifier)")) MB"
        )
    }

    private func measure(_ root: String, file: String) async throws {
        try writeFile(file)
        let transport = AsyncHTTPTransport()
        let store = try OnlineStore(serviceRoot: root, transport: transport)
        let path = try QueryParser(model: try await store.model()).path("Files(1)")
        let clock = ContinuousClock()
        let up = try await clock.measure {
            let content = MediaContent(ByteContent(try FileSource(path: file)), contentType: "video/mp4")
            _ = try await store.change(ChangeRequest(path, .replaceStream(content)))
        }
        var bytes = 0
        let down = try await clock.measure {
            for try await chunk in try await store.readStream(StreamRequest(path)).content.chunks() {
                bytes += chunk.count
            }
        }
        guard bytes == size << 20 else { throw ValidationError("\(bytes) bytes came back.") }
        print("up: \(up), down: \(down) for \(size) MiB")
        try await transport.shutdown()
    }

    private func writeFile(_ path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        let megabyte = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        for _ in 0..<size { try handle.write(contentsOf: megabyte) }
        try handle.close()
    }
}

/// The service of the stream benchmark, as a process of its own.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "serve", shouldDisplay: false)

    @Argument var file: String

    func run() async throws {
        let queue = try DatabaseQueue(path: file)
        try await queue.write { db in
            try db.execute(
                sql: "CREATE TABLE Files(ID INTEGER PRIMARY KEY, Content BLOB); INSERT INTO Files VALUES (1, x'00')")
        }
        try queue.close()
        var configuration = SQLiteStore.Configuration()
        configuration.media = [MediaColumn(set: "Files", column: "Content", contentType: "video/mp4")]
        let server = try await ODataServer.start(
            service: ODataService(store: try SQLiteStore(path: file, configuration: configuration)))
        FileHandle.standardOutput.write(Data((server.rootURL + "\n").utf8))
        // The parent keeps standard input open and ends this process; if it dies, the input ends.
        while try FileHandle.standardInput.read(upToCount: 1) != nil {}
        try await server.stop()
    }
}
