import OData
import Testing

/// The table of `Documentation/Transfers.md`: what the upload of a stream makes of each response.
@Suite("Table of responses to an upload", .timeLimit(.minutes(5)))
struct UploadTableTests {
    enum End: Hashable, Sendable {
        case comes
        /// Into the error archive, with this code; other requests are sent.
        case fails(String)
        /// The upload ends, and the request waits.
        case stops(ODataError.Code)
        /// The upload ends, and it is to be found out whether the request was executed.
        case doubts

        var state: QueueEntry.State? {
            switch self {
            case .comes: nil
            case .fails: .failed
            case .stops: .waiting
            case .doubts: .unconfirmed
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var way: UploadTableDesk.Way
        var name: String
        var steps: [UploadScript.Step]
        /// What happens to the file before.
        var source: UploadScript.SourceFault?
        /// The requests, as the script tells them.
        var sent: [String]
        var end: End
        /// Those of the next upload, where this one did not bring the stream: `ask` for one that goes on.
        var next: [String]
        var waits: [Duration]?

        var testDescription: String { "\(way.rawValue), \(name)" }

        init(
            _ way: UploadTableDesk.Way, _ name: String, _ steps: UploadScript.Step...,
            source: UploadScript.SourceFault? = nil, sent: [String], _ end: End = .comes, next: [String] = [],
            waits: [Duration]? = nil
        ) {
            (self.way, self.name, self.steps, self.source) = (way, name, steps, source)
            (self.sent, self.end, self.next, self.waits) = (sent, end, next, waits)
        }
    }

    @Test(
        "What is sent then, what becomes of the request, and where the next upload goes on",
        arguments: plain + resumable + beginnings + others)
    func row(_ row: Row) async throws {
        let desk = try await UploadTableDesk(row.way)
        if let fault = row.source { try desk.spoil(fault) }
        desk.script.play(row.steps)
        #expect(await end(desk) == row.end)
        if row.end == .fails("mediaNotInStore") { await desk.script.waitForLines(row.sent.count) }
        #expect(desk.script.lines == row.sent)
        if let waits = row.waits { #expect(desk.waits == waits) }
        #expect(try await desk.store.queueEntries().map(\.state) == [row.end.state].compactMap(\.self))
        if row.end != .comes {
            try desk.restore()
            desk.script.play([])
            #expect(await end(desk) == .comes)
            #expect(desk.script.lines == row.next)
        }
        #expect(try await desk.isServedOnce())
        try await desk.stop()
    }

    private func end(_ desk: UploadTableDesk) async -> End {
        do {
            let report = try await desk.store.upload()
            #expect(report.isComplete || report.failed.count == 1)
            return report.failed.first.map { End.fails($0.code) } ?? .comes
        } catch let error as ODataError {
            let states = try? await desk.store.queueEntries().map(\.state)
            return states == [.unconfirmed] ? .doubts : .stops(error.code)
        } catch {
            Issue.record(error)
            return .comes
        }
    }

    @Test("A service that knows no resumable uploads is asked once, and sent each stream whole")
    func unsupported() async throws {
        let desk = try await UploadTableDesk(.resumable, isResumable: false)
        #expect(await end(desk) == .comes)
        #expect(desk.script.lines == ["begin", "whole"])
        try await desk.replace(9002)
        #expect(await end(desk) == .comes)
        #expect(desk.script.lines == ["begin", "whole", "whole"])
        #expect(try await desk.isServedOnce())
        try await desk.stop()
    }
}

extension UploadTableTests {
    private static let wait = ["Retry-After": "7"]
    private static let longWait = ["Retry-After": "7000"]
    private static let login = ["Location": "/login"]
    private static let whole = ["whole"]

    static let plain: [Row] = [
        Row(.plain, "401: again with a fresh token", .status(401), sent: ["whole", "whole (t1)"]),
        Row(
            .plain, "401 for the fresh token too", .status(401), .status(401), sent: ["whole", "whole (t1)"],
            .stops(.unauthorized), next: ["whole (t1)"]),
        Row(.plain, "307: the body goes there", .redirect(307, toOtherHost: false), sent: ["whole", "whole"]),
        Row(
            .plain, "308 to another host: the body, and nothing of who asks", .redirect(308, toOtherHost: true),
            sent: ["whole", "whole (nobody)"]),
        Row(.plain, "301", .status(301, login), sent: whole, .fails("invalidResponse"), next: whole),
        Row(.plain, "302", .status(302, login), sent: whole, .fails("invalidResponse"), next: whole),
        Row(.plain, "303: it may be done", .status(303, login), sent: whole, .doubts, next: whole),
        Row(.plain, "403", .status(403), sent: whole, .fails("forbidden"), next: whole),
        Row(.plain, "404", .status(404), sent: whole, .fails("notFound"), next: whole),
        Row(.plain, "408", .status(408), sent: whole, .doubts, next: whole),
        Row(.plain, "409", .status(409), sent: whole, .fails("conflict"), next: whole),
        Row(.plain, "410", .status(410), sent: whole, .fails("gone"), next: whole),
        Row(.plain, "412", .status(412), sent: whole, .fails("preconditionFailed"), next: whole),
        Row(.plain, "413", .status(413), sent: whole, .fails("tooLarge"), next: whole),
        Row(.plain, "415", .status(415), sent: whole, .fails("unsupportedMediaType"), next: whole),
        Row(.plain, "429", .status(429, wait), sent: whole, .stops(.unreachable), next: whole),
        Row(.plain, "429 with a long wait", .status(429, longWait), sent: whole, .stops(.unreachable), next: whole),
        Row(.plain, "500", .status(500), sent: whole, .fails("internalError"), next: whole),
        Row(.plain, "501", .status(501), sent: whole, .fails("notImplemented"), next: whole),
        Row(.plain, "502", .status(502), sent: whole, .doubts, next: whole),
        Row(.plain, "503", .status(503), sent: whole, .doubts, next: whole),
        Row(.plain, "503 with a wait", .status(503, wait), sent: whole, .stops(.unreachable), next: whole),
        Row(.plain, "504", .status(504), sent: whole, .doubts, next: whole),
        Row(.plain, "507", .status(507), sent: whole, .fails("internalError"), next: whole),
        Row(.plain, "cut in the middle", .cut(after: 100_000), sent: whole, .doubts, next: whole),
        Row(.plain, "stall in the middle", .stall(after: 100_000), sent: whole, .doubts, next: whole),
        Row(.plain, "lost response: the condition tells", .lost, sent: whole, .doubts, next: whole),
        Row(
            .plain, "another byte in the file", source: .changed, sent: whole, .fails("mediaNotInStore"), next: whole),
        Row(.plain, "a shorter file", source: .shorter, sent: whole, .fails("mediaNotInStore"), next: whole),
        Row(.plain, "no file", source: .gone, sent: [], .fails("mediaNotInStore"), next: whole),
    ]

    /// Before the second of three parts.
    private static let begun = ["begin", "append 0", "append 100000"]
    private static let all = begun + ["append 200000"]
    private static let rest = ["ask", "append 100000", "append 200000"]

    static let resumable: [Row] = [
        Row(
            .resumable, "401: on with a fresh token", .pass, .pass, .status(401),
            sent: begun + ["append 100000 (t1)", "append 200000 (t1)"]),
        Row(
            .resumable, "401 for the fresh token too", .pass, .pass, .status(401), .status(401),
            sent: begun + ["append 100000 (t1)"], .stops(.unauthorized), next: rest.map { $0 + " (t1)" }),
        Row(
            .resumable, "307: the part goes there", .pass, .pass, .redirect(307, toOtherHost: false),
            sent: begun + ["append 100000", "append 200000"]),
        Row(
            .resumable, "308 to another host: the part, and nothing of who asks", .pass, .pass,
            .redirect(308, toOtherHost: true), sent: begun + ["append 100000 (nobody)", "append 200000"]),
        Row(
            .resumable, "301", .pass, .pass, .status(301, login), sent: begun, .fails("invalidResponse"), next: all),
        Row(
            .resumable, "303", .pass, .pass, .status(303, login), sent: begun, .fails("invalidResponse"), next: all),
        Row(.resumable, "403", .pass, .pass, .status(403), sent: begun, .fails("forbidden"), next: all),
        Row(
            .resumable, "408: later", .pass, .pass, .status(408), sent: begun + rest, waits: [.milliseconds(500)]),
        Row(
            .resumable, "409 with the offset: from there", .pass, .pass, .status(409, ["Upload-Offset": "100000"]),
            sent: begun + ["append 100000", "append 200000"]),
        Row(.resumable, "409 without", .pass, .pass, .status(409), sent: begun, .fails("conflict"), next: all),
        Row(
            .resumable, "412 of the change", .pass, .pass, .pass, .status(412, ["Upload-Complete": "?1"]), sent: all,
            .fails("preconditionFailed"), next: all),
        Row(.resumable, "413", .pass, .pass, .status(413), sent: begun, .fails("tooLarge"), next: all),
        Row(
            .resumable, "413 with a limit: smaller parts", .pass, .pass,
            .status(413, ["Upload-Limit": "max-append-size=60000"]),
            sent: begun + ["append 100000", "append 160000", "append 220000"]),
        Row(.resumable, "415", .pass, .pass, .status(415), sent: begun, .fails("unsupportedMediaType"), next: all),
        Row(.resumable, "416", .pass, .pass, .status(416), sent: begun, .fails("rangeNotSatisfiable"), next: all),
        Row(
            .resumable, "429: later", .pass, .pass, .status(429, wait), sent: begun + rest, waits: [.seconds(7)]),
        Row(
            .resumable, "429 with a long wait: the next upload", .pass, .pass, .status(429, longWait), sent: begun,
            .stops(.unreachable), next: rest, waits: []),
        Row(
            .resumable, "500: later", .pass, .pass, .status(500), sent: begun + rest, waits: [.milliseconds(500)]),
        Row(
            .resumable, "500 again and again", .pass, .pass, .status(500), .status(500), .status(500), .status(500),
            .status(500), sent: begun + ["ask", "ask", "ask", "ask"], .fails("internalError"), next: rest,
            waits: [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)]),
        Row(
            .resumable, "503 again and again", .pass, .pass, .status(503), .status(503), .status(503), .status(503),
            .status(503), sent: begun + ["ask", "ask", "ask", "ask"], .stops(.unreachable), next: rest),
        Row(.resumable, "501", .pass, .pass, .status(501), sent: begun, .fails("notImplemented"), next: all),
        Row(
            .resumable, "507: at once, and kept", .pass, .pass, .status(507), sent: begun, .fails("internalError"),
            next: rest, waits: []),
        Row(
            .resumable, "502: later", .pass, .pass, .status(502), sent: begun + rest, waits: [.milliseconds(500)]),
        Row(
            .resumable, "504 to the last part: asked first", .pass, .pass, .pass, .status(504),
            sent: all + ["ask", "append 200000"], waits: [.milliseconds(500)]),
        Row(
            .resumable, "cut in the middle: from the byte reached", .pass, .pass, .cut(after: 30_000),
            sent: begun + ["ask", "append 130000", "append 230000"]),
        Row(
            .resumable, "stall in the middle", .pass, .pass, .stall(after: 30_000),
            sent: begun + ["ask", "append 130000", "append 230000"]),
        Row(
            .resumable, "cut at the end", .pass, .pass, .pass, .cut(after: 10_000),
            sent: all + ["ask", "append 210000"]),
        Row(
            .resumable, "lost last response: asked for", .pass, .pass, .pass, .lost,
            sent: all + ["ask", "append 250000"]),
        Row(.resumable, "404: anew", .pass, .pass, .status(404), sent: begun + all),
        Row(.resumable, "410: anew", .pass, .pass, .status(410), sent: begun + all),
        Row(
            .resumable, "404 after a lost last response: looked at", .pass, .pass, .pass, .lost, .status(404),
            sent: all + ["ask"], .doubts),
        Row(
            .resumable, "410 after a cut at the end: looked at, and anew", .pass, .pass, .pass, .cut(after: 10_000),
            .status(410), sent: all + ["ask"], .doubts, next: all),
        Row(
            .resumable, "another byte in the file", source: .changed, sent: begun, .fails("mediaNotInStore"), next: all),
        Row(.resumable, "a shorter file", source: .shorter, sent: begun, .fails("mediaNotInStore"), next: all),
        Row(.resumable, "no file", source: .gone, sent: [], .fails("mediaNotInStore"), next: all),
        Row(
            .resumable, "another byte in the file meanwhile", .pass, .pass, .spoil(.changed), sent: begun,
            .fails("mediaNotInStore"), next: all),
        Row(
            .resumable, "a shorter file meanwhile", .pass, .pass, .spoil(.shorter), sent: begun,
            .fails("mediaNotInStore"), next: all),
        Row(
            .resumable, "no file meanwhile", .pass, .pass, .spoil(.gone), sent: begun, .fails("mediaNotInStore"),
            next: ["ask", "append 200000"]),
    ]

    private static let sentWhole = ["begin", "whole"]

    static let beginnings: [Row] = [
        Row(.resumable, "501 to the begin: whole", .status(501), sent: sentWhole),
        Row(.resumable, "404 to the begin, not by OData: whole", .status(404), sent: sentWhole),
        Row(.resumable, "405 to the begin, not by OData: whole", .status(405), sent: sentWhole),
        Row(.resumable, "415 to the begin, not by OData: whole", .status(415), sent: sentWhole),
        Row(.resumable, "404 to the begin, by OData", .refusal(404), sent: ["begin"], .fails("refused"), next: all),
        Row(.resumable, "413 to the begin", .status(413), sent: ["begin"], .fails("tooLarge"), next: all),
        Row(
            .resumable, "501 to the begin, and the whole is refused: not remembered", .status(501), .status(413),
            sent: sentWhole, .fails("tooLarge"), next: all),
        Row(
            .resumable, "501 to the begin, and the whole is cut: looked at, and begun", .status(501),
            .cut(after: 100_000), sent: sentWhole, .doubts, next: all),
        Row(.resumable, "401 to the begin", .status(401), sent: ["begin"] + all.map { $0 + " (t1)" }),
        Row(.resumable, "307 to the begin", .redirect(307, toOtherHost: false), sent: ["begin"] + all),
        Row(.resumable, "503 to the begin: later", .status(503), sent: ["begin"] + all),
        Row(.resumable, "lost response to the begin: once more", .lost, sent: ["begin"] + all),
        Row(
            .resumable, "a success that names no place: looked at, and whole", .status(204), sent: ["begin"], .doubts,
            next: whole),
        Row(.tus, "404 to the begin: whole", .status(404), sent: sentWhole),
        Row(.tus, "another version of tus: whole", .status(412, ["Tus-Version": "0.2.2"]), sent: sentWhole),
        Row(.graph, "405 to the begin: whole", .status(405), sent: sentWhole),
        Row(.graph, "404 to the begin, by OData: whole", .refusal(404), sent: sentWhole),
        Row(.dataverse, "404 to the begin: whole", .status(404), sent: sentWhole),
        Row(
            .dataverse, "a success that names no place: looked at, and whole", .status(204), sent: ["begin"], .doubts,
            next: whole),
    ]

    private static let part = ["begin", "append 0"]
    /// The place of an upload session is told nothing of who asks.
    private static let session = ["begin", "append 0 (nobody)"]
    private static let again = ["ask (nobody)", "append 0 (nobody)"]

    static let others: [Row] = [
        Row(.tus, "401: on with a fresh token", .pass, .status(401), sent: part + ["append 0 (t1)"]),
        Row(.tus, "409: asked where", .pass, .status(409), sent: part + ["ask", "append 0"]),
        Row(.tus, "413", .pass, .status(413), sent: part, .fails("tooLarge"), next: part),
        Row(.tus, "429: later", .pass, .status(429, wait), sent: part + ["ask", "append 0"], waits: [.seconds(7)]),
        Row(
            .tus, "507: at once, and kept", .pass, .status(507), sent: part, .fails("internalError"),
            next: ["ask", "append 0"]),
        Row(.tus, "cut in the middle", .pass, .cut(after: 100_000), sent: part + ["ask", "append 100000"]),
        Row(.tus, "stall in the middle", .pass, .stall(after: 100_000), sent: part + ["ask", "append 100000"]),
        Row(.tus, "lost last response: asked", .pass, .lost, sent: part + ["ask"]),
        Row(.tus, "404: anew", .pass, .status(404), sent: part + part),
        Row(
            .tus, "another byte in the file: nothing is gone on with", source: .changed, sent: part,
            .fails("mediaNotInStore"), next: part),
        Row(
            .graph, "401 at another host", .pass, .status(401), sent: session, .fails("forbidden"), next: session),
        Row(.graph, "416: asked where", .pass, .status(416), sent: session + again),
        Row(.graph, "503: later", .pass, .status(503, wait), sent: session + again, waits: [.seconds(7)]),
        Row(.graph, "cut: the part again", .pass, .cut(after: 100_000), sent: session + again),
        Row(.graph, "404: anew", .pass, .status(404), sent: session + session),
        Row(.graph, "lost last response: looked at", .pass, .lost, sent: session + ["ask (nobody)"], .doubts),
        Row(
            .dataverse, "500 at the end: the part again", .pass, .pass, .pass, .status(500),
            sent: all + ["append 200000"]),
        Row(
            .dataverse, "cut: the part again", .pass, .pass, .cut(after: 30_000),
            sent: begun + ["append 100000", "append 200000"]),
        Row(.dataverse, "416: anew", .pass, .pass, .status(416), sent: begun + all),
        Row(.dataverse, "lost last response: looked at", .pass, .pass, .pass, .lost, sent: all, .doubts),
    ]
}
