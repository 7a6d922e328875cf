import ByteStreams
import Foundation
import ODataStores
import Testing

@Suite("Stream handle")
struct StreamHandleTests {
    private static let bytes = StreamDownloaderTests.bytes
    private static let digest = StreamDownloaderTests.digest
    private static let down = StreamStore.Fault.error(ODataError(.unreachable, "down"))

    struct Course: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var faults: [StreamStore.Fault]
        var etag: String? = "\"1\""
        var digest: String?
        var range: Range<Int64>?
        /// Instead of the bytes.
        var error: ODataError.Code?
        var requests: [String]
    }

    private static let courses = [
        Course(testDescription: "nothing happens", faults: [], requests: ["1 from 0"]),
        Course(
            testDescription: "cut after cut is continued", faults: [.cut(after: 6), .cut(after: 3)],
            requests: ["1 from 0", "1 from 6 if \"1\"", "1 from 9 if \"1\""]),
        Course(
            testDescription: "of the whole that comes again the rest is given", faults: [.cut(after: 6), .whole],
            requests: ["1 from 0", "1 from 6 if \"1\""]),
        Course(
            testDescription: "an end that comes early is continued", faults: [.short(by: 8)],
            requests: ["1 from 0", "1 from 12 if \"1\""]),
        Course(
            testDescription: "a store that cannot be reached is asked again", faults: [.cut(after: 6), down, down],
            requests: ["1 from 0", "1 from 6 if \"1\"", "1 from 6 if \"1\"", "1 from 6 if \"1\""]),
        Course(testDescription: "but not at first", faults: [down], error: .unreachable, requests: ["1 from 0"]),
        Course(
            testDescription: "nor for ever", faults: [.cut(after: 6)] + Array(repeating: down, count: 5),
            error: .unreachable, requests: ["1 from 0"] + Array(repeating: "1 from 6 if \"1\"", count: 4)),
        Course(
            testDescription: "without a strong tag a cut is the reader's", faults: [.cut(after: 6)], etag: "W/\"1\"",
            error: .unreachable, requests: ["1 from 0"]),
        Course(
            testDescription: "unless nothing was given", faults: [.cut(after: 0)], etag: nil,
            requests: ["1 from 0", "1 from 0"]),
        Course(
            testDescription: "another version is not mixed in",
            faults: [.cut(after: 6), .change(to: bytes.reversed(), etag: "\"2\"")], error: .preconditionFailed,
            requests: ["1 from 0", "1 from 6 if \"1\""]),
        Course(
            testDescription: "the digest is that of all pieces", faults: [.cut(after: 6)], digest: digest,
            requests: ["1 from 0", "1 from 6 if \"1\""]),
        Course(
            testDescription: "a wrong digest is an error", faults: [.cut(after: 6), .damage], digest: digest,
            error: .invalidResponse, requests: ["1 from 0", "1 from 6 if \"1\""]),
        Course(
            testDescription: "so it is of a range that is all", faults: [.damage], digest: digest, range: 0..<20,
            error: .invalidResponse, requests: ["1 from 0 count 20"]),
        Course(
            testDescription: "a range is continued", faults: [.cut(after: 6)], range: 5..<15,
            requests: ["1 from 5 count 10", "1 from 11 count 4 if \"1\""]),
        Course(
            testDescription: "a range is taken out of the whole", faults: [.whole], range: 5..<15,
            requests: ["1 from 5 count 10"]),
    ]

    @Test("Each byte is given once, of one version", arguments: courses)
    func course(_ course: Course) async throws {
        let stream = StreamStore.Stream(
            bytes: Self.bytes, etag: course.etag, digest: course.digest, faults: course.faults)
        let store = try StreamStore([1: stream])
        var request = StreamRequest(store.path(1))
        if let range = course.range { (request.offset, request.count) = (range.lowerBound, Int64(range.count)) }
        let handle = StreamHandle(request, from: store) { _ in }
        var given: [UInt8] = []
        do {
            for try await chunk in try handle.chunks() { given += chunk }
            #expect(course.error == nil)
            let expected = course.range.map { Self.bytes[Int($0.lowerBound)..<Int($0.upperBound)] } ?? Self.bytes[...]
            #expect(given == Array(expected))
        } catch let error as ODataError {
            #expect(error.code == course.error, "\(error)")
            #expect(given.count < Self.bytes.count)
            // That bytes are wrong shows at the end.
            if course.digest == nil { #expect(given == Array(Self.bytes.prefix(given.count))) }
        }
        #expect(store.requests == course.requests)
    }

    @Test("Events tell what happens; of progress that nobody has seen the last")
    func events() async throws {
        let store = try StreamStore([1: .init(bytes: Self.bytes, faults: [.cut(after: 6)])])
        let handle = StreamHandle(StreamRequest(store.path(1)), from: store) { _ in }
        for try await _ in try handle.chunks() {}
        let events = await Self.texts(handle.events)
        #expect(
            events == ["started", "response 0 20", "progress 6 20", "response 6 20", "progress 20 20", "finished"])
        let error = #expect(throws: ODataError.self) { try handle.chunks() }
        #expect(error?.code == .badRequest)
    }

    @Test("Who takes events meanwhile sees the progress grow")
    func progress() async throws {
        let store = try StreamStore([1: .init(bytes: Self.bytes)])
        let handle = StreamHandle(StreamRequest(store.path(1)), from: store) { _ in }
        let chunks = try handle.chunks().makeAsyncIterator()
        var events = handle.events.makeAsyncIterator()
        var seen: [String] = []
        while try await chunks.next() != nil {
            while let event = await events.next() {
                seen.append(Self.text(event))
                if case .progress = event { break }
            }
        }
        while let event = await events.next() { seen.append(Self.text(event)) }
        let steps = (1...7).map { "progress \(min(20, $0 * 3)) 20" }
        #expect(seen == ["started", "response 0 20"] + steps + ["finished"])
    }

    @Test("A cancelled read ends, waiting or not", arguments: [true, false])
    func cancelled(isWaiting: Bool) async throws {
        let store = try StreamStore([1: .init(bytes: Self.bytes, faults: [.stall(after: 6)])])
        let handle = StreamHandle(StreamRequest(store.path(1)), from: store) { _ in }
        let chunks = try handle.chunks().makeAsyncIterator()
        for _ in 0..<2 { #expect(try await chunks.next()?.count == 3) }
        let waiting = Task { try await isWaiting ? chunks.next() : nil }
        if !isWaiting { _ = try await waiting.value }
        handle.cancel()
        if isWaiting { await #expect(throws: ODataError.self) { try await waiting.value } }
        let error = await #expect(throws: ODataError.self) { try await chunks.next() }
        #expect(error?.code == .cancelled)
        #expect(await Self.texts(handle.events).last == "failed cancelled")
    }

    @Test("A file is there when all its bytes are; else what was there stays", arguments: [true, false])
    func file(isWhole: Bool) async throws {
        let folder = NSTemporaryDirectory() + "handles-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data([7]).write(to: URL(fileURLWithPath: folder + "/a"))
        let faults: [StreamStore.Fault] = isWhole ? [] : [.cut(after: 6), .error(ODataError(.forbidden, "no"))]
        let store = try StreamStore([1: .init(bytes: Self.bytes, faults: faults)])
        let handle = StreamHandle(StreamRequest(store.path(1)), from: store) { _ in }
        if isWhole {
            try await handle.file(at: folder + "/a")
        } else {
            let error = await #expect(throws: ODataError.self) { try await handle.file(at: folder + "/a") }
            #expect(error?.code == .forbidden)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a"])
        let content = try Data(contentsOf: URL(fileURLWithPath: folder + "/a"))
        #expect(content == Data(isWhole ? Self.bytes : [7]))
        let failing = StreamHandle(StreamRequest(store.path(1)), from: store)
        let error = await #expect(throws: ODataError.self) { try await failing.file(at: folder + "/none/a") }
        #expect(error?.code == .storage)
        #expect(await Self.texts(failing.events) == ["failed cancelled"])
    }

    private static func texts(_ events: StreamEvents) async -> [String] {
        var texts: [String] = []
        for await event in events { texts.append(text(event)) }
        return texts
    }

    private static func text(_ event: StreamEvent) -> String {
        switch event {
        case .started: "started"
        case .cacheResponse(let response): "cache \(response.offset)"
        case .serverResponse(let response): "response \(response.offset) \(response.totalLength ?? -1)"
        case .progress(let bytes, let total): "progress \(bytes) \(total ?? -1)"
        case .finished: "finished"
        case .failed(let error): "failed \(error.code.name)"
        }
    }
}
