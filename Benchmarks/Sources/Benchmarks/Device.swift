import ArgumentParser
import AsyncHTTPTransport
import Foundation
import OData

/// An offline store at work, as a process of its own: the largest size of it is that of this work alone.
struct Device: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "device", shouldDisplay: false)

    enum Work: String, ExpressibleByArgument {
        /// The streams of a query, into a new store.
        case download
        /// A file as the stream of an entity, from a new store.
        case upload
        /// A store that is there is opened.
        case open
    }

    /// What the work took, and the largest resident size in MB.
    struct Figures: Codable {
        var seconds: Double
        /// Until a stream was kept in the store, before its upload.
        var keeping = 0.0
        /// Of streams that came.
        var bytes: Int64 = 0
        var peak = 0
    }

    @Argument var work: Work
    /// The store's.
    @Argument var folder: String
    @Option var root = ""
    @Option var query = ""
    @Option var file = ""

    func run() async throws {
        var figures =
            switch work {
            case .download: try await download()
            case .upload: try await upload()
            case .open: try await open()
            }
        figures.peak = PeakMemory.megabytes()
        FileHandle.standardOutput.write(try JSONEncoder().encode(figures))
    }

    private func download() async throws -> Figures {
        try await withStore(retrievesStreams: true) { store in
            var report = DownloadReport()
            let time = try await seconds { report = try await store.download() }
            if let failed = report.failedStreams.first {
                throw ValidationError("\(failed.path) did not come: \(failed.error)")
            }
            return Figures(seconds: time, bytes: report.streamBytes)
        }
    }

    private func upload() async throws -> Figures {
        try await withStore(retrievesStreams: false) { store in
            try await store.download()
            let path = try store.path(query)
            let content = MediaContent(ByteContent(try FileSource(path: file)), contentType: "video/mp4")
            let keeping = try await seconds { _ = try await store.change(ChangeRequest(path, .replaceStream(content))) }
            let time = try await seconds {
                guard try await store.upload().isComplete else { throw ValidationError("The stream was not sent.") }
            }
            return Figures(seconds: time, keeping: keeping)
        }
    }

    private func withStore(
        retrievesStreams: Bool, _ body: (OfflineStore) async throws -> Figures
    ) async throws -> Figures {
        let transport = AsyncHTTPTransport()
        let store = try OfflineStore(
            folder: folder, remote: try OnlineStore(serviceRoot: root, transport: transport))
        try await store.open()
        try store.addQuery(DefiningQuery(name: "streams", query: query, retrievesStreams: retrievesStreams))
        let figures = try await body(store)
        try store.close()
        try await transport.shutdown()
        return figures
    }

    private func open() async throws -> Figures {
        var store: OfflineStore?
        let time = try await seconds {
            let opened = try OfflineStore(folder: folder, remote: nil)
            try await opened.open()
            store = opened
        }
        try store?.close()
        return Figures(seconds: time)
    }
}

extension Device {
    /// Lets a device do `work`.
    ///
    /// - Parameter options: `root`, `query`, `file`.
    static func figures(of work: Work, in folder: String, _ options: [String: String] = [:]) throws -> Figures {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["device", work.rawValue, folder] + options.flatMap { ["--\($0.key)", $0.value] }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ValidationError("The \(work.rawValue) failed.") }
        return try JSONDecoder().decode(Figures.self, from: data)
    }
}
