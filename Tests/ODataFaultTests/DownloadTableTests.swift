import Foundation
import HTTPTypes
import OData
import ODataTesting
import Synchronization
import Testing

/// The table of `Documentation/Transfers.md`: what the download of a stream makes of each response.
@Suite("Table of responses to a download")
struct DownloadTableTests {
    /// What happens to one request for the stream.
    enum Step: Sendable {
        case fault(TransportFault)
        /// Nothing more comes after so many bytes, until the transport gives up.
        case stall(after: Int)
        /// 200 with all bytes of the same version, where a part was asked for.
        case whole
        /// The digest of other bytes is told.
        case wrongDigest
        /// Before the request the service gets another stream.
        case change
    }

    enum End: Hashable, Sendable {
        case comes
        /// Without this stream; the others come.
        case fails(ODataError.Code)
        /// At once, for all streams.
        case stops(ODataError.Code)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Then all goes well.
        var steps: [Step]
        /// Of the requests for the stream.
        var ranges: [String?]
        var end: End
        /// What the next download asks for, where this one did not bring the stream.
        var next: String?

        init(_ name: String, _ steps: Step..., ranges: [String?], _ end: End = .comes, next: String? = nil) {
            (testDescription, self.steps, self.ranges, self.end, self.next) = (name, steps, ranges, end, next)
        }
    }

    private static let cut = Step.fault(.cut(after: 60_000))
    private static let rest = "bytes=60000-"

    private static func status(_ code: Int, _ headers: HTTPFields = [:]) -> Step {
        .fault(.status(code, headers: headers))
    }

    private static let rows = [
        Row("cut: the rest", cut, ranges: [nil, rest]),
        Row("stall: the rest", .stall(after: 60_000), ranges: [nil, rest]),
        Row("200 for a part: all of it", cut, .whole, ranges: [nil, rest]),
        Row("another version: all of it", cut, .change, ranges: [nil, rest]),
        Row(
            "shorter than announced: from its end, and where there is nothing (416) all anew",
            .fault(.contentLength(500_000)), ranges: [nil, "bytes=200000-", nil]),
        Row("wrong digest: all anew, once", cut, .wrongDigest, ranges: [nil, rest, nil]),
        Row(
            "wrong digest again: nothing stays", cut, .wrongDigest, .wrongDigest, ranges: [nil, rest, nil],
            .fails(.invalidResponse)),
        Row("307: followed", cut, .fault(.redirect(to: "/Photos(9000)/$value?hop=1")), ranges: [nil, rest]),
        Row("401 in the middle: stops", cut, status(401), ranges: [nil, rest], .stops(.unauthorized), next: rest),
        Row("403 in the middle", cut, status(403), ranges: [nil, rest], .fails(.forbidden), next: rest),
        Row("408: later", cut, status(408), ranges: [nil, rest, rest]),
        Row("412: all anew", cut, status(412), ranges: [nil, rest, nil]),
        Row("413", cut, status(413), ranges: [nil, rest], .fails(.tooLarge), next: rest),
        Row("416: all anew", cut, status(416), ranges: [nil, rest, nil]),
        Row("429: later", cut, status(429), ranges: [nil, rest, rest]),
        Row("500: later", cut, status(500), ranges: [nil, rest, rest]),
        Row("501", cut, status(501), ranges: [nil, rest], .fails(.notImplemented), next: rest),
        Row("502: later", cut, status(502), ranges: [nil, rest, rest]),
        Row("503 with a wait: later", cut, status(503, [.retryAfter: "7"]), ranges: [nil, rest, rest]),
        Row(
            "503 with a long wait: the next download", cut, status(503, [.retryAfter: "7000"]), ranges: [nil, rest],
            .fails(.unreachable), next: rest),
        Row("504: later", cut, status(504), ranges: [nil, rest, rest]),
        Row(
            "503 again and again", cut, status(503), status(503), status(503), status(503),
            ranges: [nil, rest, rest, rest, rest], .fails(.unreachable), next: rest),
        Row(
            "a page to log in with 200", cut,
            .fault(.body(Array("<html>Log in</html>".utf8), contentType: "text/html")), ranges: [nil, rest],
            .fails(.invalidResponse), next: rest),
    ]

    @Test("What is asked for then, what becomes of the download, and where the next one goes on", arguments: rows)
    func row(_ row: Row) async throws {
        let desk = try await Desk()
        let script = Script(row.steps, desk.file)
        desk.connection.breaking({ script.fault(for: $0) }, altering: { try script.altered($1, of: $0) })
        var end = End.comes
        do {
            let report = try await desk.store.download()
            if let failure = report.failedStreams.first { end = .fails(failure.error.code) }
            #expect(report.failedStreams.count <= 1)
        } catch let error as ODataError {
            end = .stops(error.code)
        }
        #expect(end == row.end)
        #expect(ranges(desk) == row.ranges)
        desk.connection.mend()
        #expect(try await desk.store.download().failedStreams.isEmpty)
        if row.end != .comes {
            let asked = try #require(desk.connection.requests.first(where: Script.isStream))
            #expect(asked.headerFields[.range] == row.next)
        }
        #expect(try await desk.differences() == [])
        let left = try FileManager.default.contentsOfDirectory(atPath: desk.storeFolder + "/media/partial")
        #expect(left.isEmpty)
        try desk.close()
    }

    private func ranges(_ desk: Desk) -> [String?] {
        desk.connection.requests.filter(Script.isStream).map { $0.headerFields[.range] }
    }

    /// Carries out one step for each request.
    private final class Script: Sendable {
        private let steps: [Step]
        private let file: SiteFile
        private let count = Mutex(0)

        init(_ steps: [Step], _ file: SiteFile) {
            (self.steps, self.file) = (steps, file)
        }

        static func isStream(_ request: HTTPRequest) -> Bool { request.path == "/Photos(9000)/$value" }

        func fault(for request: HTTPRequest) -> TransportFault? {
            guard Self.isStream(request) else { return nil }
            count.withLock { $0 += 1 }
            switch step {
            case .fault(let fault): return fault
            case .change:
                do { try file.execute("UPDATE Photos SET Content = x'01' WHERE PhotoID = 9000") } catch {
                    Issue.record(error)
                }
                return nil
            default: return nil
            }
        }

        func altered(_ response: TransportResponse, of request: HTTPRequest) throws -> TransportResponse {
            guard Self.isStream(request) else { return response }
            var response = response
            switch step {
            case .stall(let limit): response.body = try stalling(response.body, after: limit)
            case .whole:
                let picture = SiteFile.picture(seed: 0, length: 200_000)
                response.head.status = .ok
                response.head.headerFields[.contentRange] = nil
                response.head.headerFields[.contentLength] = "\(picture.count)"
                response.body = ByteContent(picture)
            case .wrongDigest:
                let name = try #require(HTTPField.Name("Repr-Digest"))
                response.head.headerFields[name] = "sha-256=:\(Data(count: 32).base64EncodedString()):"
            default: break
            }
            return response
        }

        private var step: Step? {
            let index = count.withLock { $0 } - 1
            return steps.indices.contains(index) ? steps[index] : nil
        }

        private func stalling(_ body: ByteContent, after limit: Int) throws -> ByteContent {
            let chunks = try body.chunks().makeAsyncIterator()
            let left = Mutex(limit)
            let stalled = ByteChunks {
                let room = left.withLock { $0 }
                guard room > 0, let chunk = try await chunks.next() else {
                    throw TransportError(.timeout, "Nothing came for a while.")
                }
                left.withLock { $0 -= min(room, chunk.count) }
                return Array(chunk.prefix(room))
            }
            return ByteContent(stalled, length: body.length)
        }
    }
}
