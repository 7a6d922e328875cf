import ByteStreams
import MediaFiles
import ODataMedia
import ODataStores
import Testing

@Suite("Stream download, event by event")
struct StreamDownloadTests {
    static let tagged = PartialOrigin(etag: "\"1\"", totalLength: 10)

    struct Start: Sendable, CustomTestStringConvertible {
        var length: Int64
        var origin: PartialOrigin?
        var etag: String?
        var action: String

        var testDescription: String { "\(length) bytes of \(origin?.etag ?? "nothing"), \(etag ?? "-") → \(action)" }
    }

    @Test(
        "It begins where the bytes that are there end, if they are of the stream as it is now",
        arguments: [
            Start(length: 0, origin: nil, etag: nil, action: "request 0"),
            Start(length: 4, origin: tagged, etag: nil, action: "request 4 \"1\""),
            Start(length: 4, origin: tagged, etag: "\"1\"", action: "request 4 \"1\""),
            Start(length: 4, origin: tagged, etag: "\"2\"", action: "request 0"),
            Start(length: 4, origin: nil, etag: nil, action: "request 0"),
            Start(length: 4, origin: PartialOrigin(etag: "W/\"1\""), etag: nil, action: "request 0"),
            Start(length: 4, origin: PartialOrigin(totalLength: 10), etag: nil, action: "request 0"),
            Start(length: 10, origin: tagged, etag: nil, action: "finish 10"),
            Start(length: 11, origin: tagged, etag: nil, action: "request 11 \"1\""),
        ])
    func start(_ start: Start) {
        var download = StreamDownload(length: start.length, origin: start.origin, etag: start.etag)
        #expect(download.started().text == start.action)
    }

    @Test(
        "The response decides whether bytes are appended or all comes anew",
        arguments: [
            (4, tagged, "rest"), (4, PartialOrigin(), "rest"), (0, PartialOrigin(etag: "\"2\""), "all \"2\""),
            (4, PartialOrigin(etag: "\"2\""), "request 0"), (3, tagged, "request 0"),
            (4, PartialOrigin(etag: "\"1\"", totalLength: 11), "request 0"),
        ] as [(Int64, PartialOrigin, String)])
    func response(offset: Int64, origin: PartialOrigin, action: String) {
        var download = StreamDownload(length: 4, origin: Self.tagged)
        _ = download.started()
        #expect(download.received(.init(offset: offset, origin: origin)).text == action)
    }

    @Test(
        "The end is checked against the announced length",
        arguments: [(6, "finish 10"), (5, "pause 0.5 seconds"), (7, "request 0")])
    func end(count: Int, action: String) {
        var download = receiving()
        download.received(count)
        #expect(download.ended().text == action)
    }

    @Test(
        "Errors are retried, begin anew, or are the end",
        arguments: [
            (ODataError(.unreachable, "u"), "pause 0.5 seconds"), (status(503), "pause 0.5 seconds"),
            (status(500), "pause 0.5 seconds"), (status(501), "fail e"),
            (status(429, .badRequest), "pause 0.5 seconds"),
            (ODataError(.rangeNotSatisfiable, "r"), "request 0"), (ODataError(.preconditionFailed, "p"), "request 0"),
            (ODataError(.notFound, "n"), "fail n"), (ODataError(.forbidden, "f"), "fail f"),
            (ODataError(.unauthorized, "u"), "fail u"), (MediaFileError(.wrongLength, "m"), "fail m"),
            (ByteStreamError(.unreadable, "b"), "pause 0.5 seconds"), (waiting(7), "pause 7.0 seconds"),
            (waiting(300), "pause 300.0 seconds"), (waiting(7_000), "fail e"),
        ] as [(any Error, String)])
    func error(_ error: any Error, action: String) {
        var download = receiving()
        #expect(download.broke(error).text == action)
    }

    @Test("Waits double up to a limit and end after the planned number of failures")
    func backOff() {
        var plan = RetryPlan()
        plan.limit = 4
        plan.longestDelay = .seconds(3)
        var download = StreamDownload(plan: plan)
        var action = download.started()
        var actions: [String] = []
        for _ in 0..<5 {
            action = download.broke(ODataError(.unreachable, "u"))
            actions.append(action.text)
            if case .pause = action { _ = download.paused() }
        }
        #expect(
            actions == ["pause 0.5 seconds", "pause 1.0 seconds", "pause 2.0 seconds", "pause 3.0 seconds", "fail u"])
        #expect(download.state == .failed)
        #expect(download.attempts == 5)
    }

    @Test("Progress makes failures count anew; bytes that had come before do not")
    func progress() {
        var plan = RetryPlan()
        plan.limit = 2
        var download = StreamDownload(length: 4, origin: Self.tagged, plan: plan)
        _ = download.started()
        for _ in 0..<3 {
            _ = download.received(.init(offset: download.length, origin: Self.tagged))
            download.received(1)
            #expect(download.broke(ODataError(.unreachable, "u")).text == "pause 0.5 seconds")
            #expect(download.paused().text == "request \(download.length) \"1\"")
        }
        #expect(download.broke(ODataError(.unreachable, "u")).text == "pause 1.0 seconds")
        _ = download.paused()
        #expect(download.received(.init(offset: 0, origin: Self.tagged)).text == "all \"1\"")
        download.received(5)
        #expect(download.broke(ODataError(.unreachable, "u")).text == "fail u")
    }

    @Test("A stream that keeps changing is given up")
    func changing() {
        var download = StreamDownload(length: 4, origin: Self.tagged)
        var actions = [download.started().text]
        for _ in 0..<4 {
            _ = download.received(.init(offset: 0, origin: Self.tagged))
            download.received(11)
            actions.append(download.ended().text)
        }
        #expect(actions.dropLast() == ["request 4 \"1\"", "request 0", "request 0", "request 0"])
        #expect(actions.last == "fail The stream has 11 bytes where 10 were announced.")
    }

    @Test("A wrong digest begins anew once")
    func damaged() {
        let wrong = MediaFileError(.wrongDigest, "d")
        var download = receiving()
        #expect(download.broke(wrong).text == "request 0")
        _ = download.received(.init(offset: 0, origin: PartialOrigin(digest: "a")))
        #expect(download.ended().text == "finish - a")
        #expect(download.broke(wrong).text == "fail d")
    }

    @Test("A digest that comes with the rest is kept; another one is another stream's")
    func digestOfRest() {
        var download = receiving()
        for (digest, action) in [("a", "rest"), ("b", "request 0")] {
            _ = download.broke(ODataError(.unreachable, "u"))
            _ = download.paused()
            #expect(download.received(.init(offset: 4, origin: PartialOrigin(digest: digest))).text == action)
        }
    }

    @Test("Without a strong tag a cut begins anew")
    func untagged() {
        var download = StreamDownload()
        _ = download.started()
        _ = download.received(.init(offset: 0, origin: PartialOrigin(etag: "W/\"1\"", totalLength: 10)))
        download.received(4)
        _ = download.broke(ODataError(.unreachable, "u"))
        #expect(download.paused().text == "request 0")
    }

    /// Four bytes were there, and the rest begins to come.
    private func receiving() -> StreamDownload {
        var download = StreamDownload(length: 4, origin: Self.tagged)
        _ = download.started()
        _ = download.received(.init(offset: 4, origin: Self.tagged))
        return download
    }

    private static func status(_ status: Int, _ code: ODataError.Code = .internalError) -> ODataError {
        var error = ODataError(code, "e")
        error.status = status
        return error
    }

    private static func waiting(_ seconds: Int) -> ODataError {
        var error = status(503)
        error.retryAfter = seconds
        return error
    }
}

extension StreamDownload.Action {
    var text: String {
        switch self {
        case .request(let offset, let tag): "request \(offset)" + (tag.map { " \($0)" } ?? "")
        case .receiveAll(let origin): "all \(origin.etag ?? "-")"
        case .receiveRest: "rest"
        case .pause(let duration): "pause \(duration)"
        case .finish(let length, let digest):
            "finish \(length.map(String.init) ?? "-")" + (digest.map { " \($0)" } ?? "")
        case .fail(let error): "fail \((error as? ODataError)?.message ?? "\(error)")"
        }
    }
}
