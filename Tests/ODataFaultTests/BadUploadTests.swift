import ByteStreams
import Foundation
import HTTPTypes
import OData
import ODataTesting
import Synchronization
import Testing
import ToolSupport

@Suite("Uploads over a bad connection lose and double nothing")
struct BadUploadTests {
    private static let html = TransportFault.body(Array("<html>".utf8), contentType: "text/html")
    /// With the status 200.
    private static let error = TransportFault.body(
        Array(#"{"error":{"code":"busy","message":"Out of order"}}"#.utf8), contentType: "application/json")

    /// What is wrong, with which change, counted from 0.
    static let cases: [(TransportFault, Int)] = [
        (.refused, 0), (.refused, 4), (.responseLost, 0), (.responseLost, 1), (.responseLost, 2), (.responseLost, 3),
        (.responseLost, 4), (.responseLost, 5), (html, 0), (html, 4), (error, 0), (error, 4),
        (.body(Array("{".utf8), contentType: "application/json"), 0),
    ]

    @Test("The upload stops and says why; the next one completes it", arguments: cases)
    func fault(_ fault: TransportFault, change: Int) async throws {
        let desk = try await prepared()
        desk.connection.breaking(Self.chooser(fault, change: change))
        await #expect(throws: ODataError.self) { try await desk.store.upload() }
        #expect(try await desk.store.queueEntries().isEmpty == false)
        #expect(try await desk.store.errorEntries().isEmpty)
        desk.connection.mend()
        let report = try await desk.store.upload()
        #expect(report.failed.isEmpty, "\(report.failed)")
        try await check(desk)
    }

    /// The download names the entity once: its own response, which comes later, must not make it forgotten.
    @Test("What a download brings before it is found out that it was created stays")
    func broughtBefore() async throws {
        let desk = try await Desk { $0.exactlyOnce = .clientKeys }
        try await desk.store.download()
        _ = try await makePartner("lost response", desk)
        desk.connection.mend()
        try await desk.store.download()
        #expect(try await desk.store.upload().isComplete)
        try await desk.store.download()
        #expect(try await desk.differences() == [])
        try desk.close()
    }

    @Test("The tool is told what became of a request whose response was lost")
    func decided() async throws {
        let desk = try await Desk { $0.exactlyOnce = .none }
        try await desk.store.download()
        _ = try await makePartner("made here", desk)
        let id = try #require(try await desk.store.queueEntries().first { $0.state == .unconfirmed }).id
        let query = try await desk.store.query("BusinessPartners?$filter=Name eq 'made here'")
        let made = try #require(try await desk.service.entities(query).first?.id)
        try desk.close()
        let settings = Data(#"{"service":"http://service.test/"}"#.utf8)
        try settings.write(to: URL(fileURLWithPath: desk.storeFolder + "/odata.json"))
        for (arguments, part) in [
            (["99", "executed"], "99"), (["\(id)", "executed", "--made", "Nothing(1)"], "Nothing"),
            (["\(id)", "executed", "--made", "SalesOrders(1)"], "is about BusinessPartners"),
            (["\(id)", "executed", "--made", "BusinessPartners"], "is not an entity"),
        ] {
            let refused = try await Tool.run(["store", "decide", desk.storeFolder] + arguments)
            #expect(refused.status == 1 && refused.standardError.contains(part), "\(refused.standardError)")
        }
        let decided = try await Tool.run(["store", "decide", desk.storeFolder, "\(id)", "executed", "--made", made])
        #expect(decided.status == 0, "\(decided.standardError)")
        let queue = try await Tool.run(["store", "queue", desk.storeFolder, "--format", "json"])
        #expect(!queue.standardOutput.contains("POST"), "\(queue.standardOutput)")
        let read = try await Tool.run(["store", "read", desk.storeFolder, made, "--format", "json"])
        #expect(read.standardOutput.contains("made here"), "\(read.standardError)")
    }

    /// Without a CSRF token, for a proxy: nobody has looked whether the request was executed before.
    static let strangers: [TransportFault] = [.status(500), .status(403), .status(413)]

    @Test(
        "A repetition to which another server responds is not a refusal where the first attempt is seen",
        arguments: strangers)
    func faultyRepetition(_ fault: TransportFault) async throws {
        let desk = try await Desk { $0.exactlyOnce = .repeatableRequests }
        try await desk.store.download()
        try await replacePhoto(desk)
        desk.connection.breaking { $0.method == .put ? fault : nil }
        #expect(try await desk.store.upload().isComplete)
        #expect(try await desk.store.queueEntries().isEmpty)
        #expect(try await desk.differences() == [])
        try desk.close()
    }

    /// Seed 5314. What was taken for refused would be sent again with a new id, and made twice: it is not found by its
    /// values any more.
    @Test("A creation whose repetition somebody on the way refuses stays in doubt", arguments: [400, 403, 413, 500])
    func refusedOnTheWay(status: Int) async throws {
        let desk = try await Desk { $0.exactlyOnce = .repeatableRequests }
        try await desk.store.download()
        _ = try await makePartner("made here", desk)
        try desk.file.execute("UPDATE BusinessPartners SET Name = 'renamed' WHERE Name = 'made here'")
        desk.connection.breaking { $0.method == .post ? .status(status) : nil }
        let report = try await desk.store.upload()
        #expect(report.unconfirmed.count == 1 && report.failed.isEmpty)
        #expect(try await desk.store.errorEntries().map(\.status) == [status])
        try await checkMadeOnce("renamed", desk)
    }

    @Test("A refusal that the service gives to every repetition is one, whatever its status", arguments: [403, 500])
    func recordedRefusal(status: Int) async throws {
        let desk = try await Desk { $0.exactlyOnce = .repeatableRequests }
        try await desk.store.download()
        let partners = try desk.store.path("BusinessPartners")
        let partner = try await desk.store.payload(#"{"Name":"made here"}"#, for: partners)
        _ = try await desk.store.change(ChangeRequest(partners, .create(partner)))
        desk.connection.breaking { $0.method == .post ? .requestLost : nil }
        await #expect(throws: ODataError.self) { try await desk.store.upload() }
        let name = try #require(HTTPField.Name("Repeatability-Result"))
        let refusal = TransportFault.status(status, headers: [name: "accepted"])
        desk.connection.breaking { $0.method == .post ? refusal : nil }
        let report = try await desk.store.upload()
        #expect(report.failed.map(\.status) == [status] && report.unconfirmed.isEmpty)
        #expect(try await desk.store.queueEntries().map(\.state) == [.failed])
        try await checkMadeOnce("made here", desk)
    }

    /// Seeds 5230 and 5314
    @Test("Where no token against forged requests can be had, the upload ends, and what is in doubt stays so")
    func tokenWanted() async throws {
        let desk = try await Desk { $0.exactlyOnce = .repeatableRequests }
        try await desk.store.download()
        _ = try await makePartner("made here", desk)
        let update = EntityPayload(EdmComplexValue([.init(name: "Name", value: .string("later"))]))
        _ = try await desk.store.change(ChangeRequest(try desk.store.path("Products('P-0003')"), .update(update)))
        let name = try #require(HTTPField.Name("X-CSRF-Token"))
        let refusal = TransportFault.status(403, headers: [name: "Required"])
        desk.connection.breaking { [.get, .head].contains($0.method) ? nil : refusal }
        let error = await #expect(throws: ODataError.self) { try await desk.store.upload() }
        #expect(error?.code == .unauthorized)
        #expect(try await desk.store.queueEntries().map(\.state) == [.unconfirmed, .waiting])
        #expect(try await desk.store.errorEntries().isEmpty)
        try await checkMadeOnce("made here", desk)
    }

    private func checkMadeOnce(_ name: String, _ desk: Desk) async throws {
        desk.connection.mend()
        #expect(try await desk.store.upload().isComplete)
        #expect(try await desk.store.queueEntries().isEmpty)
        #expect(try await desk.store.errorEntries().isEmpty)
        let made = "SELECT count(*) FROM BusinessPartners WHERE Name IN ('made here', 'renamed')"
        #expect(try desk.file.count(made) == 1)
        #expect(try desk.file.count("SELECT count(*) FROM BusinessPartners WHERE Name = '\(name)'") == 1)
        try await desk.store.download()
        #expect(try await desk.differences() == [])
        try desk.close()
    }

    @Test("A creation whose repetition is gone is looked up: its id may be what the service does not know any more")
    func goneRepetition() async throws {
        let desk = try await Desk { $0.exactlyOnce = .repeatableRequests }
        try await desk.store.download()
        _ = try await makePartner("made here", desk)
        desk.connection.breaking { $0.method == .post ? .status(410) : nil }
        #expect(try await desk.store.upload().isComplete)
        #expect(desk.connection.requests.count { $0.method == .post } == 1)
        #expect(try desk.file.count("SELECT count(*) FROM BusinessPartners WHERE Name = 'made here'") == 1)
        try await desk.store.download()
        #expect(try await desk.differences() == [])
        try desk.close()
    }

    @Test(
        "A deletion whose repetition is gone is done only if the entity is: else it is sent again",
        arguments: [TransportFault.responseLost, .requestLost])
    func goneDeletion(loss: TransportFault) async throws {
        let desk = try await Desk { $0.exactlyOnce = .repeatableRequests }
        try await desk.store.download()
        _ = try await desk.store.change(ChangeRequest(try desk.store.path("Photos(9001)"), .delete))
        desk.connection.breaking { $0.method == .delete ? loss : nil }
        await #expect(throws: ODataError.self) { try await desk.store.upload() }
        desk.connection.breaking(Self.chooser(.status(410), change: 0))
        #expect(try await desk.store.upload().isComplete)
        #expect(desk.connection.requests.count { $0.method == .delete } == (loss == .responseLost ? 1 : 2))
        #expect(try desk.file.count("SELECT count(*) FROM Photos WHERE PhotoID = 9001") == 0)
        try await desk.store.download()
        #expect(try await desk.differences() == [])
        try desk.close()
    }

    /// Seed 7029. The entity that is read after the response has the ETag of the other stream already.
    @Test("A stream that somebody writes before the response to a repetition comes is brought by the next download")
    func overwrittenStream() async throws {
        let desk = try await Desk { $0.exactlyOnce = .repeatableRequests }
        try await desk.store.download()
        try await replacePhoto(desk)
        desk.connection.mend()
        let other = MediaContent(ByteContent(SiteFile.picture(seed: 6, length: 2000)), contentType: "image/png")
        _ = try await desk.service.change(ChangeRequest(try desk.store.path("Photos(9003)"), .replaceStream(other)))
        #expect(try await desk.store.upload().isComplete)
        try await desk.store.download()
        #expect(try await desk.differences() == [])
        try desk.close()
    }

    /// 412 may come from its own first execution: taken for a conflict, it would be sent once more with the new ETag.
    @Test("A stream whose response was lost stays in doubt while the service cannot be asked")
    func doubtfulStream() async throws {
        let desk = try await Desk {
            $0.conflictResolver = .clientWins
            $0.exactlyOnce = .clientKeys
        }
        try await desk.store.download()
        try await replacePhoto(desk)
        desk.connection.breaking { $0.method == .get ? .refused : nil }
        await #expect(throws: ODataError.self) { try await desk.store.upload() }
        #expect(desk.connection.requests.map(\.method) == [.put, .get])
        #expect(try await desk.store.queueEntries().map(\.state) == [.unconfirmed])
        desk.connection.mend()
        #expect(try await desk.store.upload().isComplete)
        #expect(desk.connection.requests.count { $0.method == .put } == 1)
        #expect(try await desk.differences() == [])
        try desk.close()
    }

    /// Both are shown until the upload finds out that they are the same.
    @Test("Changes of what a download has brought before its own response came are sent, as are those of what was made")
    func changedTwice() async throws {
        let desk = try await Desk { $0.exactlyOnce = .repeatableRequests }
        try await desk.store.download()
        let made = try await makePartner("made here", desk)
        desk.connection.mend()
        try await desk.store.download()
        let own = try #require(made.path)
        let query = "BusinessPartners?$filter=Name eq 'made here'"
        let ids = try await desk.store.entities(try await desk.store.query(query)).compactMap(\.id)
        #expect(ids.count == 2)
        let brought = try desk.store.path(try #require(ids.first { $0 != own.url }))
        _ = try await desk.store.change(ChangeRequest(own, .update(EntityPayload(["City": .string("Ulm")]))))
        let name = EntityPayload(["Name": .string("brought")])
        _ = try await desk.store.change(ChangeRequest(brought, .update(name)))
        #expect(try await desk.store.upload().isComplete)
        #expect(try await desk.store.queueEntries().isEmpty)
        let count = "SELECT count(*) FROM BusinessPartners WHERE Name = 'brought' AND City = 'Ulm'"
        #expect(try desk.file.count(count) == 1)
        try await desk.store.download()
        #expect(try await desk.differences() == [])
        try desk.close()
    }

    /// The header has told the new key and that the change was made; the rest is read again.
    @Test(
        "A response whose body is broken is response enough",
        arguments: [TransportFault.cut(after: 30), .cut(after: 0), .contentLength(9_000), .contentLength(20)], [0, 4])
    func brokenBody(_ fault: TransportFault, change: Int) async throws {
        let desk = try await prepared()
        desk.connection.breaking(Self.chooser(fault, change: change))
        #expect(try await desk.store.upload().failed.isEmpty)
        #expect(try await desk.store.queueEntries().isEmpty)
        try await check(desk)
    }

    @Test("A second upload or download while one runs is refused, and the first is not disturbed")
    func second() async throws {
        let desk = try await prepared()
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let (leave, go) = AsyncStream<Void>.makeStream()
        desk.connection.hold { request in
            guard request.method != .get else { return }
            arrived.yield()
            for await _ in leave {}
        }
        let first = Task { try await desk.store.upload() }
        for await _ in arrivals { break }
        let upload = await #expect(throws: ODataError.self) { try await desk.store.upload() }
        let download = await #expect(throws: ODataError.self) { try await desk.store.download() }
        let close = #expect(throws: ODataError.self) { try desk.store.close() }
        for error in [upload, download, close] {
            #expect(error?.code == .conflict)
            #expect(error?.message.contains("upload runs") == true, "\(error as Any)")
        }
        go.finish()
        #expect(try await first.value.failed.isEmpty)
        try await check(desk)
    }

    /// Makes a partner; the response to its upload is lost.
    private func makePartner(_ name: String, _ desk: Desk) async throws -> ChangeResult {
        let partners = try desk.store.path("BusinessPartners")
        let partner = try await desk.store.payload(#"{"Name":"\#(name)"}"#, for: partners)
        let made = try await desk.store.change(ChangeRequest(partners, .create(partner)))
        await loseResponse(to: .post, desk)
        return made
    }

    /// Replaces the stream of a photo; the response to its upload is lost.
    private func replacePhoto(_ desk: Desk) async throws {
        let content = MediaContent(ByteContent(SiteFile.picture(seed: 5, length: 3000)), contentType: "image/png")
        let photo = try desk.store.path("Photos(9003)")
        _ = try await desk.store.change(ChangeRequest(photo, .replaceStream(content)))
        await loseResponse(to: .put, desk)
    }

    private func loseResponse(to method: HTTPRequest.Method, _ desk: Desk) async {
        desk.connection.breaking { $0.method == method ? .responseLost : nil }
        await #expect(throws: ODataError.self) { try await desk.store.upload() }
    }

    /// A store with changes that wait.
    private func prepared() async throws -> Desk {
        let desk = try await Desk {
            $0.batchSize = 1
            $0.combinesRequests = false
        }
        try await desk.store.download()
        try await FieldWork(file: desk.file).make(in: desk.store)
        return desk
    }

    /// Both sides have everything exactly once.
    private func check(_ desk: Desk) async throws {
        desk.connection.mend()
        #expect(try FieldWork(file: desk.file).missing() == [])
        try await desk.store.download()
        #expect(try await desk.differences() == [])
        try desk.close()
    }

    /// The change with this number meets the fault.
    private static func chooser(_ fault: TransportFault, change: Int) -> Connection.Chooser {
        let number = Counter()
        return { $0.method != .get && number.next() == change ? fault : nil }
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)

        func next() -> Int {
            value.withLock { value in
                defer { value += 1 }
                return value
            }
        }
    }
}
