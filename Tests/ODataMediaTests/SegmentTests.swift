import EncryptionKeys
import Foundation
import MediaFiles
import ODataMedia
import ODataStores
import Testing

@Suite("Parts of a stream at a time", .timeLimit(.minutes(5)))
struct SegmentTests {
    private static let bytes = StreamDownloaderTests.bytes
    private static let two = SegmentPlan(count: 2, least: 8)
    private static let forbidden = StreamStore.Fault.error(ODataError(.forbidden, "no"))
    /// The beginning waits until the part comes.
    private static let late = StreamStore.Fault.wait(after: 6, responses: 2)

    @Test(
        "What is missing is divided evenly, into no part that is too small",
        arguments: [
            (SegmentPlan(count: 4, least: 10), 0, 40, [10, 20, 30]),
            (SegmentPlan(count: 4, least: 10), 0, 39, [13, 26]),
            (SegmentPlan(count: 4, least: 10), 25, 50, [37]), (SegmentPlan(count: 4, least: 10), 0, 19, []),
            (SegmentPlan(count: 1, least: 1), 0, 1_000, []), (SegmentPlan(count: 3, least: 0), 0, 9, [3, 6]),
            (SegmentPlan(count: 2, least: 1), 9, 9, []),
        ] as [(SegmentPlan, Int64, Int64, [Int64])])
    func plan(plan: SegmentPlan, position: Int64, total: Int64, starts: [Int64]) {
        #expect(plan.starts(from: position, to: total) == starts)
    }

    struct Course: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var faults: [StreamStore.Fault]
        var etag: String? = "\"1\""
        var digest: String?
        var plan = SegmentTests.two
        var requests: [String]
    }

    private static let courses = [
        Course(
            testDescription: "two parts come", faults: [late], requests: ["1 from 0", "1 from 10 count 10 if \"1\""]),
        Course(
            testDescription: "a cut in a part is continued, that part alone", faults: [late, .cut(after: 3)],
            requests: ["1 from 0", "1 from 10 count 10 if \"1\"", "1 from 13 count 7 if \"1\""]),
        Course(
            testDescription: "so is a part that ends early", faults: [late, .short(by: 4)],
            requests: ["1 from 0", "1 from 10 count 10 if \"1\"", "1 from 16 count 4 if \"1\""]),
        Course(
            testDescription: "what a part did not get comes with the beginning",
            faults: [late, .cut(after: 3), forbidden],
            requests: [
                "1 from 0", "1 from 10 count 10 if \"1\"", "1 from 13 count 7 if \"1\"", "1 from 13 if \"1\"",
            ]),
        Course(
            testDescription: "the digest of the whole is checked over all parts", faults: [late],
            digest: StreamDownloaderTests.digest, requests: ["1 from 0", "1 from 10 count 10 if \"1\""]),
        Course(testDescription: "without a tag there is one", faults: [], etag: nil, requests: ["1 from 0"]),
        Course(testDescription: "with a weak tag there is one", faults: [], etag: "W/\"1\"", requests: ["1 from 0"]),
        Course(
            testDescription: "a short stream comes in one", faults: [], plan: SegmentPlan(count: 4, least: 11),
            requests: ["1 from 0"]),
    ]

    @Test("The stream comes whole, and nothing is left", arguments: courses, [false, true])
    func course(_ course: Course, isEncrypted: Bool) async throws {
        let stream = StreamStore.Stream(
            bytes: Self.bytes, etag: course.etag, digest: course.digest, faults: course.faults)
        let run = try Run([1: stream], segments: course.plan, key: isEncrypted ? EncryptionKey.random() : nil)
        let result = try #require(try await run.download([1]).first).outcome.get()
        #expect(try await run.content(result.media) == Self.bytes)
        #expect(run.store.requests == course.requests)
        #expect(run.progress.last?.transferred == result.transferred)
        #expect(try run.partials.isEmpty)
    }

    @Test("A service that responds to a part with the whole is read as one")
    func whole() async throws {
        let faults = [StreamStore.Fault.wait(after: 0, responses: 1), .whole]
        let run = try Run([1: .init(bytes: Self.bytes, faults: faults)], segments: Self.two)
        let result = try #require(try await run.download([1]).first).outcome.get()
        #expect(try await run.content(result.media) == Self.bytes)
        #expect(result.transferred == 20)
        #expect(run.store.requests.count <= 2)
        #expect(try run.partials.isEmpty)
    }

    @Test("A part with a wrong digest is left to the beginning")
    func damaged() async throws {
        let run = try Run([1: .init(bytes: Self.bytes, faults: [Self.late, .damage])], segments: Self.two)
        let result = try #require(try await run.download([1]).first).outcome.get()
        #expect(try await run.content(result.media) == Self.bytes)
        // If the beginning has not come past the part meanwhile.
        let again = run.store.requests.dropFirst(2)
        #expect(again.isEmpty || again == ["1 from 10 if \"1\""])
        #expect(try run.partials.isEmpty)
    }

    @Test("The next run continues each part where it was", arguments: [false, true])
    func nextRun(isEncrypted: Bool) async throws {
        let key = isEncrypted ? EncryptionKey.random() : nil
        let run = try Run([1: .init(bytes: Self.bytes)], segments: Self.two, key: key)
        try leave(Self.bytes[..<4], of: "\"1\"", in: run)
        try leave(Self.bytes[10..<15], of: "\"1\"", part: 10, in: run)
        let result = try #require(try await run.download([1]).first).outcome.get()
        #expect(try await run.content(result.media) == Self.bytes)
        #expect(Set(run.store.requests) == ["1 from 4 if \"1\"", "1 from 15 count 5 if \"1\""])
        #expect(result.transferred == 11)
        #expect(try run.partials.isEmpty)
    }

    @Test(
        "A part of another version, or behind the beginning, is not used",
        arguments: [("\"0\"", 10), ("\"1\"", 2)] as [(String, Int64)])
    func useless(etag: String, start: Int64) async throws {
        let run = try Run([1: .init(bytes: Self.bytes)], segments: SegmentPlan(count: 2, least: 10))
        try leave(Self.bytes[..<4], of: "\"1\"", in: run)
        try leave([99, 99], of: etag, part: start, in: run)
        let result = try #require(try await run.download([1]).first).outcome.get()
        #expect(try await run.content(result.media) == Self.bytes)
        #expect(run.store.requests == ["1 from 4 if \"1\""])
        #expect(try run.partials.isEmpty)
    }

    @Test("What came of all parts stays when the download fails")
    func failing() async throws {
        let run = try Run(
            [1: .init(bytes: Self.bytes, faults: [Self.late, .cut(after: 3), Self.forbidden, Self.forbidden])],
            segments: Self.two)
        let failure = try #require(try await run.download([1]).first)
        #expect(throws: StreamDownloadError.self) { try failure.outcome.get() }
        let result = try #require(try await run.download([1]).first).outcome.get()
        #expect(result.transferred == 7)
        #expect(run.store.requests.last == "1 from 13 if \"1\"")
        #expect(try await run.content(result.media) == Self.bytes)
    }

    /// As an earlier run does.
    private func leave(_ bytes: ArraySlice<UInt8>, of etag: String, part: Int64? = nil, in run: Run) throws {
        let partial = try run.folder.partial(named: "1", part: part)
        try partial.restart(origin: PartialOrigin(etag: etag, contentType: "image/png", totalLength: 20))
        try partial.append(Array(bytes))
    }
}
