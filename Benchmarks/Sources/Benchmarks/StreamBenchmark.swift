import ArgumentParser
import AsyncHTTPTransport
import Foundation
import OData

/// A stream up and down over real HTTP, with the largest resident size of both processes.
struct StreamBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "stream")

    @Option(help: "The stream's length in MiB.") var size = 512

    func run() async throws {
        let folder = NSTemporaryDirectory() + "odata-stream-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await StreamTables.write(folder + "/media.db", files: 1)
        let service = try ServiceProcess(folder + "/media.db")
        defer { service.stop() }
        try await measure(service.root, file: folder + "/upload")
        print("peak of the client: \(PeakMemory.megabytes()) MB, of the service: \(service.peak) MB")
    }

    private func measure(_ root: String, file: String) async throws {
        try SampleFile.write(file, megabytes: size)
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
}
