import ByteStreams
import EncryptionKeys
import Foundation
import MediaFiles
import ODataMedia
import ODataStores
import Synchronization
import Testing

@Suite("Stream downloader")
struct StreamDownloaderTests {
    static let bytes = (0..<20).map { UInt8($0) }
    static let digest = "e7aebf577f60412f0312d442c70a1fa6148c090bf5bab404caec29482ae779e8"

    struct Course: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var stream: StreamStore.Stream
        var requests: [String]

        init(
            _ name: String, _ faults: [StreamStore.Fault], etag: String? = "\"1\"", digest: String? = nil,
            _ requests: [String]
        ) {
            testDescription = name
            stream = .init(bytes: bytes, etag: etag, digest: digest, faults: faults)
            self.requests = requests
        }
    }

    private static var otherRange: ODataError {
        var error = ODataError(.invalidResponse, "Bytes from 6 on were asked for; the service sent bytes 0-4/20.")
        error.status = 206
        return error
    }

    static let courses = [
        Course("nothing happens", [], ["1 from 0"]),
        Course("a cut is continued", [.cut(after: 6)], ["1 from 0", "1 from 6 if \"1\""]),
        Course(
            "cut after cut is continued", [.cut(after: 6), .cut(after: 6), .cut(after: 3)],
            ["1 from 0", "1 from 6 if \"1\"", "1 from 12 if \"1\"", "1 from 15 if \"1\""]),
        Course("a cut without a tag begins anew", [.cut(after: 6)], etag: nil, ["1 from 0", "1 from 0"]),
        Course("a response that ends early is continued", [.short(by: 8)], ["1 from 0", "1 from 12 if \"1\""]),
        Course(
            "200 instead of 206 is taken from its start", [.cut(after: 6), .whole], ["1 from 0", "1 from 6 if \"1\""]),
        Course(
            "412 begins anew", [.cut(after: 6), .error(ODataError(.preconditionFailed, "412"))],
            ["1 from 0", "1 from 6 if \"1\"", "1 from 0"]),
        Course(
            "416 begins anew", [.cut(after: 6), .error(ODataError(.rangeNotSatisfiable, "416"))],
            ["1 from 0", "1 from 6 if \"1\"", "1 from 0"]),
        Course(
            "206 for another range begins anew", [.cut(after: 6), .error(otherRange)],
            ["1 from 0", "1 from 6 if \"1\"", "1 from 0"]),
        Course(
            "a service that cannot be reached is asked again",
            [.error(ODataError(.unreachable, "down")), .error(ODataError(.unreachable, "down"))],
            ["1 from 0", "1 from 0", "1 from 0"]),
        Course("the right digest is not new", [.cut(after: 6)], digest: digest, ["1 from 0", "1 from 6 if \"1\""]),
        Course("a wrong digest begins anew", [.damage], digest: digest, ["1 from 0", "1 from 0"]),
        Course(
            "a rest that makes the digest of the whole wrong begins anew", [.cut(after: 6), .damage], digest: digest,
            ["1 from 0", "1 from 6 if \"1\"", "1 from 0"]),
        Course(
            "a part with a wrong digest of its own begins anew", [.cut(after: 6), .damage],
            ["1 from 0", "1 from 6 if \"1\"", "1 from 0"]),
    ]

    @Test("A stream comes whole", arguments: courses)
    func course(_ course: Course) async throws {
        let run = try Run([1: course.stream])
        let results = try await run.download([1])
        let stream = try #require(results.first).outcome.get()
        #expect(stream.media.length == 20)
        #expect(stream.contentType == "image/png")
        #expect(stream.etag == course.stream.etag)
        #expect(run.store.requests == course.requests)
        #expect(try await run.content(stream.media) == Self.bytes)
    }

    @Test("A stream that changes on the way comes in its new version")
    func changed() async throws {
        let new = Self.bytes.map { $0 + 100 }
        let run = try Run([1: .init(bytes: Self.bytes, faults: [.cut(after: 6), .change(to: new, etag: "\"2\"")])])
        let stream = try #require(try await run.download([1]).first).outcome.get()
        #expect(try await run.content(stream.media) == new)
        #expect(stream.etag == "\"2\"")
    }

    @Test("The next run continues what an earlier one left")
    func nextRun() async throws {
        let cuts = StreamStore.Fault.cut(after: 6)
        let down = StreamStore.Fault.error(ODataError(.unreachable, "down"))
        let run = try Run([1: .init(bytes: Self.bytes, faults: [cuts, down, down, down])])
        let failure = try #require(try await run.download([1]).first)
        let error = #expect(throws: StreamDownloadError.self) { try failure.outcome.get() }
        let message = try #require(error?.storeError.message)
        #expect(message.hasPrefix("down The stream was tried "))
        #expect(message.hasSuffix(" times; the next download tries it again."))
        let stream = try #require(try await run.download([1]).first).outcome.get()
        #expect(stream.transferred == 14)
        #expect(run.store.requests.last == "1 from 6 if \"1\"")
        #expect(try await run.content(stream.media) == Self.bytes)
    }

    @Test("One broken stream fails alone, at once if it makes no sense to ask again")
    func alone() async throws {
        var streams: [Int64: StreamStore.Stream] = [:]
        for number in Int64(1)...5 { streams[number] = .init(bytes: Self.bytes + [UInt8(number)]) }
        streams[3] = nil
        streams[4]?.faults = [.error(ODataError(.forbidden, "no"))]
        let run = try Run(streams)
        let results = try await run.download([1, 2, 3, 4, 5])
        let failed = results.filter { (try? $0.outcome.get()) == nil }.map(\.request.name).sorted()
        #expect(failed == ["3", "4"])
        #expect(run.store.requests.count == 5)
        #expect(run.progress.last?.finished == 3)
        #expect(run.progress.last?.failed == 2)
        #expect(run.progress.last?.transferred == 63)
        for result in results where result.request.name == "3" {
            guard case .failure(let error) = result.outcome else { continue }
            #expect(error.isMissing)
            #expect(error.storeError.code == .notFound)
        }
    }

    @Test("A length that is never reached is an error")
    func lyingLength() async throws {
        let run = try Run([1: .init(bytes: Self.bytes, announcedLength: 25)])
        let result = try #require(try await run.download([1]).first)
        #expect(throws: StreamDownloadError.self) { try result.outcome.get() }
    }

    @Test("A digest that is never right is an error that names it, and nothing of the bytes stays")
    func wrongDigest() async throws {
        let run = try Run([1: .init(bytes: Self.bytes, digest: Self.digest, faults: [.damage, .damage])])
        let result = try #require(try await run.download([1]).first)
        let error = #expect(throws: StreamDownloadError.self) { try result.outcome.get() }
        #expect(error?.storeError.code == .invalidResponse)
        #expect(error?.storeError.message.contains(Self.digest) == true)
        #expect(run.store.requests == ["1 from 0", "1 from 0"])
        _ = try #require(try await run.download([1]).first).outcome.get()
        #expect(run.store.requests.last == "1 from 0")
    }

    @Test("What came in an earlier run and cannot be read any more comes anew", arguments: [1, 2])
    func damagedPartial(limit: Int) async throws {
        let old = [UInt8](repeating: 7, count: 65_560)
        let faults: [StreamStore.Fault] = [.cut(after: 9), .change(to: Self.bytes, etag: "\"2\"")]
        let run = try Run([1: .init(bytes: old, faults: faults)], key: EncryptionKey.random())
        func leave() throws {
            let partial = try run.folder.partial(named: "1")
            try partial.restart(origin: PartialOrigin(etag: "\"1\"", totalLength: 65_560))
            try partial.append(Array(old.prefix(65_550)))
        }
        try leave()
        // Within the first of two chunks: that is seen when the next bytes come.
        let name = try #require(try run.partials.first { !$0.hasSuffix(".json") })
        let handle = try #require(FileHandle(forUpdatingAtPath: run.folder.path + "/partial/" + name))
        try handle.seek(toOffset: 1_000)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 8))
        try handle.close()
        let stream = try #require(try await run.download([1], limit: limit).first).outcome.get()
        #expect(try await run.content(stream.media) == Self.bytes)
        #expect(run.store.requests == ["1 from 65550 if \"1\"", "1 from 0"])
    }

    @Test("No more than the limit are open at a time", arguments: [1, 3])
    func limit(limit: Int) async throws {
        let streams = Dictionary(
            uniqueKeysWithValues: (1...12).map { (Int64($0), StreamStore.Stream(bytes: Self.bytes)) })
        let run = try Run(streams)
        #expect(try await run.download(Array(1...12), limit: limit).count == 12)
        #expect(run.store.mostOpen <= limit)
    }

    @Test("The greatest priority comes first, equal ones in their order, a name once")
    func priority() async throws {
        let streams = Dictionary(uniqueKeysWithValues: (1...4).map { (Int64($0), StreamStore.Stream(bytes: [1])) })
        let run = try Run(streams)
        var requests = [2, 1, 3, 4, 1].map { run.request($0) }
        requests[2].priority = 5
        requests[3].priority = -1
        _ = try await run.download(requests, limit: 1)
        #expect(run.store.requests == ["3 from 0", "2 from 0", "1 from 0", "4 from 0"])
    }

    @Test("What is cancelled is continued")
    func cancelled() async throws {
        let run = try Run([1: .init(bytes: Self.bytes, faults: [.stall(after: 6)])])
        await #expect(throws: CancellationError.self) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                let (started, signal) = AsyncStream.makeStream(of: Void.self)
                group.addTask {
                    _ = try await run.download([run.request(1)], limit: 1) { progress in
                        if progress.transferred == 6 { signal.yield() }
                    }
                }
                for await _ in started { break }
                group.cancelAll()
                try await group.next()
            }
        }
        _ = try await run.download([1])
        #expect(run.store.requests.last == "1 from 6 if \"1\"")
    }

    @Test("An error of the handler ends the download")
    func handler() async throws {
        let run = try Run([1: .init(bytes: [1]), 2: .init(bytes: [2])])
        await #expect(throws: ODataError.self) {
            try await run.downloader(limit: 1).download([run.request(1), run.request(2)]) { _ in
                throw ODataError(.storage, "full")
            }
        }
    }
}

/// A store, a media folder that goes afterwards, and what was reported.
final class Run: Sendable {
    let store: StreamStore
    let folder: MediaFolder
    private let segments: SegmentPlan?
    private let reports = Mutex<[StreamDownloadProgress]>([])

    init(
        _ streams: [Int64: StreamStore.Stream], segments: SegmentPlan? = nil, key: EncryptionKey? = nil
    ) throws {
        store = try StreamStore(streams)
        folder = try MediaFolder(path: NSTemporaryDirectory() + "downloads-\(UUID().uuidString)", key: key)
        self.segments = segments
    }

    deinit { try? FileManager.default.removeItem(atPath: folder.path) }

    /// The names of what is there of incomplete streams.
    var partials: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path + "/partial").sorted() }
    }

    var progress: [StreamDownloadProgress] { reports.withLock { $0 } }

    func request(_ number: Int64) -> StreamDownloadRequest {
        StreamDownloadRequest(name: "\(number)", path: store.path(number))
    }

    func downloader(limit: Int) -> StreamDownloader { downloader(TransferBoard(limit: limit)) }

    func downloader(_ board: TransferBoard) -> StreamDownloader {
        var plan = RetryPlan()
        plan.limit = 2
        // Nobody waits for it.
        plan.firstDelay = plan.longestDelay
        return StreamDownloader(store: store, folder: folder, board: board, plan: plan, segments: segments) { _ in }
    }

    func download(_ numbers: [Int64], limit: Int = 2) async throws -> [StreamDownloadResult] {
        try await download(numbers.map(request), limit: limit)
    }

    func download(
        _ requests: [StreamDownloadRequest], limit: Int,
        progress: @escaping @Sendable (StreamDownloadProgress) -> Void = { _ in }
    ) async throws -> [StreamDownloadResult] {
        var results: [StreamDownloadResult] = []
        let note: @Sendable (StreamDownloadProgress) -> Void = { [self] report in
            reports.withLock { $0.append(report) }
            progress(report)
        }
        try await downloader(limit: limit).download(requests, progress: note) { results.append($0) }
        return results
    }

    func content(_ media: StoredMedia) async throws -> [UInt8] {
        try await ByteContent(folder.source(digest: media.digest)).collect(upTo: 1_000)
    }
}
