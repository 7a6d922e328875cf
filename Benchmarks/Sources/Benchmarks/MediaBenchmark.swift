import ArgumentParser
import Foundation

/// Streams of an offline store beside curl, in turns, with the same service; the largest resident size of each process.
///
/// The service keeps in its media folder what is sent to it; its pictures lie in its database.
struct MediaBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "media")

    enum Part: String, CaseIterable, ExpressibleByArgument {
        case download, upload, small, opening, readers
    }

    private static let pictureLength = 10 * 1024

    @Argument(help: "download, upload, small, opening, readers; without any all are measured.")
    var parts: [Part] = Part.allCases
    @Option(help: "The large stream's length in MiB.") var size = 1024
    @Option(help: "How many small streams there are, of 10 KiB.") var pictures = 10_000
    @Option(help: "How many streams a store has that is opened.") var streams = 100_000
    @Option(help: "How many read a stream at once.") var readers = 100
    @Option(help: "For how many seconds they read.") var seconds = 10
    @Option(help: "How often each way is measured; the median counts.") var rounds = 3

    func validate() throws {
        guard min(size, pictures, streams, readers, seconds, rounds) > 0 else {
            throw ValidationError("All numbers are above zero.")
        }
    }

    func run() async throws {
        for part in parts {
            try await withTemporaryFolder { folder in
                switch part {
                case .download: try await download(in: folder)
                case .upload: try await upload(in: folder)
                case .small: try await downloadPictures(in: folder)
                case .opening: try await openStore(in: folder)
                case .readers: try await readSlowly(in: folder)
                }
            }
        }
    }

    private func download(in folder: String) async throws {
        let service = try await service(in: folder)
        defer { service.stop() }
        try await fill(service, in: folder)
        let (store, file) = (folder + "/store", folder + "/file")
        var (turns, peak) = (Turns(), 0)
        for _ in 0..<rounds {
            let figures = try Device.figures(of: .download, in: store, ["root": service.root, "query": "Files(1)"])
            try check(figures.bytes, "the store", expected: Int64(size) << 20)
            try FileManager.default.removeItem(atPath: store)
            let time = try await Curl.time(Curl.download, service.root + "Files(1)/$value", file)
            try check(length(of: file), "curl", expected: Int64(size) << 20)
            try FileManager.default.removeItem(atPath: file)
            turns.add(store: figures.seconds, curl: time)
            peak = max(peak, figures.peak)
        }
        report("download of \(size) MiB, beside curl | tee | sha256sum", turns, peak, service)
    }

    private func upload(in folder: String) async throws {
        let service = try await service(in: folder)
        defer { service.stop() }
        let (store, file) = (folder + "/store", folder + "/file")
        try SampleFile.write(file, megabytes: size)
        var (turns, peak, keeping) = (Turns(), 0, [Double]())
        for _ in 0..<rounds {
            let figures = try Device.figures(
                of: .upload, in: store, ["root": service.root, "query": "Files(1)", "file": file])
            try FileManager.default.removeItem(atPath: store)
            let time = try await Curl.time(Curl.upload, file, service.root + "Files(2)/$value")
            turns.add(store: figures.seconds, curl: time)
            peak = max(peak, figures.peak)
            keeping.append(figures.keeping)
        }
        report("upload of \(size) MiB, beside curl -T", turns, peak, service)
        print(String(format: "  before that, until the store has the stream: %.2f s", keeping.quantile(0.5)))
    }

    private func downloadPictures(in folder: String) async throws {
        let service = try await service(in: folder, pictures: pictures)
        defer { service.stop() }
        let (store, files, list) = (folder + "/store", folder + "/files", folder + "/list")
        let lines = (1...pictures).map {
            "url = \"\(service.root)Pictures(\($0))/$value\"\noutput = \"\(files)/\($0)\"\n"
        }
        try lines.joined().write(toFile: list, atomically: true, encoding: .utf8)
        var (turns, peak) = (Turns(), 0)
        for _ in 0..<rounds {
            let figures = try Device.figures(of: .download, in: store, ["root": service.root, "query": "Pictures"])
            try check(figures.bytes, "the store", expected: Int64(pictures * Self.pictureLength))
            try FileManager.default.removeItem(atPath: store)
            try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: false)
            let time = try await Curl.time(Curl.sequence, list)
            try check(length(of: "\(files)/\(pictures)"), "curl", expected: Int64(Self.pictureLength))
            try FileManager.default.removeItem(atPath: files)
            turns.add(store: figures.seconds, curl: time)
            peak = max(peak, figures.peak)
        }
        report("download of \(pictures) streams of 10 KiB, beside curl one by one", turns, peak, service)
    }

    /// The first opening writes the streams into the folder's index.
    private func openStore(in folder: String) async throws {
        try await StoredStreams.make(streams, in: folder)
        let first = try Device.figures(of: .open, in: folder + "/store")
        let others = try (0..<rounds).map { _ in try Device.figures(of: .open, in: folder + "/store") }
        print(
            String(
                format: "opening with %d streams: %.2f s, at most %d MB; the first time %.2f s, %d MB",
                streams, others.map(\.seconds).quantile(0.5), others.map(\.peak).max() ?? 0, first.seconds, first.peak))
    }

    private func readSlowly(in folder: String) async throws {
        let filled = try await service(in: folder)
        do {
            defer { filled.stop() }
            try await fill(filled, in: folder)
        }
        let service = try ServiceProcess(folder + "/service.db", mediaFolder: folder + "/media")
        defer { service.stop() }
        let before = service.peak
        let bytes = try await SlowReaders(root: service.root, count: readers, duration: .seconds(seconds))
            .read("Files(1)")
        print(
            "\(readers) slow readers at once, \(bytes >> 20) MiB in \(seconds) s: service \(before) MB before, "
                + "at most \(service.peak) MB")
    }
}

extension MediaBenchmark {
    private func service(in folder: String, pictures: Int = 0) async throws -> ServiceProcess {
        let database = folder + "/service.db"
        try await StreamTables.write(database, files: 2, pictures: pictures, length: Self.pictureLength)
        return try ServiceProcess(database, mediaFolder: folder + "/media")
    }

    /// Gives the service its large stream.
    private func fill(_ service: ServiceProcess, in folder: String) async throws {
        let file = folder + "/sample"
        try SampleFile.write(file, megabytes: size)
        _ = try await Curl.time(Curl.upload, file, service.root + "Files(1)/$value")
        try FileManager.default.removeItem(atPath: file)
    }

    private func length(of file: String) throws -> Int64 {
        let length = try FileManager.default.attributesOfItem(atPath: file)[.size] as? NSNumber
        return length?.int64Value ?? 0
    }

    private func check(_ bytes: Int64, _ who: String, expected: Int64) throws {
        guard bytes == expected else { throw ValidationError("\(who) got \(bytes) bytes, not \(expected).") }
    }

    private func report(_ what: String, _ turns: Turns, _ peak: Int, _ service: ServiceProcess) {
        print("\(what): \(turns.summary); the store at most \(peak) MB, the service \(service.peak) MB")
    }
}
