import ByteStreams
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataOnline

/// Whole exchanges of the other methods: each step with the response of the service and what it comes to.
@Suite("Uploads by tus, in chunks of Dataverse and in sessions of Graph")
struct OtherUploadTests {
    enum Step: Sendable {
        case begin
        case append(Int64, Int64)
        case resume
        case probe
        case abort
    }

    struct Exchange: Sendable, CustomTestStringConvertible {
        var name: String
        var method: StreamUploadMethod
        /// With the response, what it comes to, and what was sent.
        var steps: [(step: Step, response: ScriptedService.Response, outcome: String, sent: String)]

        var testDescription: String { name }
    }

    private static let tusFields = ["Tus-Resumable": "1.0.0"]

    private static func tus(_ fields: [String: String]) -> [String: String] {
        tusFields.merging(fields) { _, new in new }
    }

    static let tusExchanges: [Exchange] = [
        Exchange(
            name: "tus, cut once", method: .tus(endpoint: "files"),
            steps: [
                (.begin, .response(201, tus(["Location": "/files/1"])), "0", "POST http://h/root/files -"),
                (.append(0, 4), .response(204, tus(["Upload-Offset": "4"])), "4", "PATCH http://h/files/1 abcd"),
                (.resume, .response(200, tus(["Upload-Offset": "3"])), "3", "HEAD http://h/files/1 -"),
                (
                    .append(3, 10), .response(204, tus(["Upload-Offset": "10"])), "executed",
                    "PATCH http://h/files/1 defghij"
                ),
                (.probe, .response(200, tus(["Upload-Offset": "10"])), "executed", "HEAD http://h/files/1 -"),
                (.abort, .response(204, tusFields), "aborted", "DELETE http://h/files/1 -"),
            ]),
        Exchange(
            name: "tus, forgotten", method: .tus(),
            steps: [
                (
                    .begin, .response(201, tus(["Location": "http://h/files/1"])), "0",
                    "POST http://h/root/Photos(1)/$value -"
                ),
                (.append(0, 4), .response(404), "gone", "PATCH http://h/files/1 abcd"),
                (.resume, .response(410), "gone", "HEAD http://h/files/1 -"),
                (.resume, .response(503), "error 503", "HEAD http://h/files/1 -"),
                (.append(0, 4), .response(413), "error 413", "PATCH http://h/files/1 abcd"),
            ]),
        Exchange(
            name: "tus, unknown", method: .tus(endpoint: "files"),
            steps: [
                (
                    .begin, .response(404, [:], #"{"error":{"message":"x"}}"#), "unsupported",
                    "POST http://h/root/files -"
                ),
                (.begin, .response(405), "unsupported", "POST http://h/root/files -"),
                (.begin, .response(412, ["Tus-Version": "0.2.2"]), "unsupported", "POST http://h/root/files -"),
                (.begin, .response(412), "error 412", "POST http://h/root/files -"),
            ]),
        Exchange(
            name: "no tus", method: .tus(),
            steps: [
                (
                    .begin, .response(201, ["Location": "http://h/root/Photos(2)"]), "completed",
                    "POST http://h/root/Photos(1)/$value -"
                ),
                (.begin, .response(204), "completed", "POST http://h/root/Photos(1)/$value -"),
            ]),
        Exchange(
            name: "no tus at a place of its own", method: .tus(endpoint: "files"),
            steps: [
                (.begin, .response(201, ["Location": "/files/1"]), "error 201", "POST http://h/root/files -"),
                (.begin, .response(204), "error 204", "POST http://h/root/files -"),
            ]),
    ]

    private static let token = "http://h/root/Photos(1)/$value?FileContinuationToken=x"
    private static let column = "PATCH http://h/root/Photos(1)/$value?x-ms-file-name=a%20b.png -"

    static let dataverseExchanges: [Exchange] = [
        Exchange(
            name: "Dataverse", method: .dataverse,
            steps: [
                (.begin, .response(200, ["Location": token, "x-ms-chunk-size": "4"]), "0 by 4", column),
                (.append(0, 4), .response(206), "4 by 4", "PATCH \(token) abcd bytes 0-3/10"),
                (.resume, .response(500), "4 by 4", ""),
                (.append(4, 8), .response(206), "8 by 4", "PATCH \(token) efgh bytes 4-7/10"),
                (.append(8, 10), .response(204), "executed", "PATCH \(token) ij bytes 8-9/10"),
                (.probe, .response(500), "gone", ""),
            ]),
        Exchange(
            name: "Dataverse, no place", method: .dataverse, steps: [(.begin, .response(204), "completed", column)]),
        Exchange(
            name: "Dataverse, forgotten", method: .dataverse,
            steps: [
                (.begin, .response(200, ["Location": token]), "0 by 4194304", column),
                (.append(0, 10), .response(404), "gone", "PATCH \(token) abcdefghij bytes 0-9/10"),
                (.append(0, 10), .response(416), "gone", "PATCH \(token) abcdefghij bytes 0-9/10"),
            ]),
        Exchange(
            name: "Dataverse, unknown", method: .dataverse,
            steps: [
                (.begin, .response(501), "unsupported", column), (.begin, .response(405), "unsupported", column),
                (.begin, .response(413), "error 413", column),
            ]),
    ]

    private static let opened = ScriptedService.Response.json(
        #"{"uploadUrl":"https://up.test/1?key=2","nextExpectedRanges":["0-"]}"#)
    private static let opening =
        "POST http://h/root/Photos(1)/createUploadSession"
        + #" {"item":{"@microsoft.graph.conflictBehavior":"replace"}}"#
    private static let up = "https://up.test/1?key=2"

    static let graphExchanges: [Exchange] = [
        Exchange(
            name: "Graph", method: .graph,
            steps: [
                (.begin, opened, "0 by 10485760", opening),
                (
                    .append(0, 4),
                    .response(202, ["Content-Type": "application/json"], #"{"nextExpectedRanges":["4-"]}"#),
                    "4 by 10485760", "PUT \(up) abcd bytes 0-3/10"
                ),
                (.resume, .json(#"{"nextExpectedRanges":["2-5","7-9"]}"#), "2 by 10485760", "GET \(up) -"),
                (
                    .append(2, 10), .response(200, ["Content-Type": "application/json"], #"{"id":"1"}"#), "executed",
                    "PUT \(up) cdefghij bytes 2-9/10"
                ),
                (.probe, .response(404), "gone", "GET \(up) -"), (.abort, .response(204), "aborted", "DELETE \(up) -"),
            ]),
        Exchange(
            name: "Graph, no session", method: .graph, steps: [(.begin, .json("{}"), "error 200", opening)]),
        Exchange(
            name: "Graph, unknown", method: .graph,
            steps: [
                (.begin, .response(404, [:], #"{"error":{"message":"x"}}"#), "unsupported", opening),
                (.begin, .response(507), "error 507", opening),
            ]),
        Exchange(
            name: "Graph, refused", method: .graph,
            steps: [
                (.begin, opened, "0 by 10485760", opening),
                (.append(0, 10), .response(401), "error 401", "PUT \(up) abcdefghij bytes 0-9/10"),
                (.append(0, 4), .json(#"{"id":"1"}"#), "error 200", "PUT \(up) abcd bytes 0-3/10"),
                (.resume, .json("{}"), "error 200", "GET \(up) -"),
                (.resume, .json("[]"), "error 200", "GET \(up) -"),
            ]),
    ]

    @Test("Each step is as the protocol says", arguments: tusExchanges + dataverseExchanges + graphExchanges)
    func steps(_ exchange: Exchange) async throws {
        let shop = try Shop(exchange.steps.filter { !$0.sent.isEmpty }.map(\.response))
        let media = MediaContent(ByteContent(Array("abcdefghij".utf8)), contentType: "image/png")
        var request = ChangeRequest(try shop.parser.path("Photos(1)"), .replaceStream(media))
        request.headers = [HeaderField(name: "x-ms-file-name", value: "a b.png")]
        let job = try #require(UploadJob(request))
        let method = try #require(exchange.method.method(of: shop.store, for: request))
        var session = UploadSession(location: "")
        var sent = 0
        for (step, _, expected, line) in exchange.steps {
            let outcome = await outcome(of: step, method, &session, job)
            #expect(outcome == expected)
            guard !line.isEmpty else { continue }
            let request = shop.service.sent[sent]
            sent += 1
            let body = request.body.isEmpty ? "-" : request.body
            let range = request.field("Content-Range").map { " " + $0 } ?? ""
            #expect("\(request.line) \(body)\(range)" == line)
            if method.name == "tus" { #expect(request.field("Tus-Resumable") == "1.0.0") }
        }
        #expect(shop.service.sent.count == sent)
    }

    @Test("tus is told what the stream is of")
    func metadata() async throws {
        let shop = try Shop(.response(201, Self.tus(["Location": "/files/1"])))
        let media = MediaContent(ByteContent([1, 2]), contentType: "image/png")
        let request = ChangeRequest(try shop.parser.path("Photos"), .createMedia(media, slug: "a.png"))
        let job = try #require(UploadJob(request))
        _ = try await TusUpload(store: shop.store, endpoint: nil).begin(job)
        #expect(shop.service.sent[0].field("Upload-Length") == "2")
        // Photos, image/png, a.png
        #expect(
            shop.service.sent[0].field("Upload-Metadata")
                == "path UGhvdG9z,filetype aW1hZ2UvcG5n,filename YS5wbmc=")
        for method in [StreamUploadMethod.dataverse, .graph] {
            #expect(method.method(of: shop.store, for: request) == nil)
        }
    }

    private func outcome(
        of step: Step, _ method: any UploadMethod, _ session: inout UploadSession, _ job: UploadJob
    ) async -> String {
        do {
            switch try await self.step(step, method, session, job) {
            case .acknowledged(let offset, let place)?:
                session = place
                return "\(offset)" + (place.partSize.map { " by \($0)" } ?? "")
            case .executed?: return "executed"
            case .completed?: return "completed"
            case .refused?: return "refused"
            case .gone?: return "gone"
            case .unsupported?: return "unsupported"
            case nil: return "aborted"
            }
        } catch {
            return "error \((error as? ODataError)?.status ?? 0)"
        }
    }

    private func step(
        _ step: Step, _ method: any UploadMethod, _ session: UploadSession, _ job: UploadJob
    ) async throws -> UploadStep? {
        switch step {
        case .begin: return try await method.begin(job)
        case .resume: return try await method.resume(session, of: job)
        case .probe: return try await method.probe(session, of: job)
        case .append(let start, let end):
            let bytes = Array("abcdefghij".utf8)[Int(start)..<Int(end)]
            return try await method.append(
                ByteContent(Array(bytes)), at: start, isLast: end == job.length, to: session, of: job)
        case .abort:
            try await method.abort(session, of: job)
            return nil
        }
    }
}
