import ByteStreams
import ODataFormats
import ODataMetadata
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataOnline

@Suite("Resumable uploads of HTTP")
struct ResumableUploadTests {
    private static let place = "http://h/root/$uploads/1"
    private static let session = UploadSession(location: place)

    private func job(_ shop: Shop, creates: Bool = false) throws -> UploadJob {
        let media = MediaContent(ByteContent(Array("abcdefghij".utf8)), contentType: "image/png")
        let request =
            creates
            ? ChangeRequest(try shop.parser.path("Photos"), .createMedia(media, slug: "a b"))
            : ChangeRequest(try shop.parser.path("Photos(1)"), .replaceStream(media))
        return try #require(UploadJob(request, digest: String(repeating: "00", count: 32)))
    }

    @Test("An upload begins where the whole would be sent, without bytes")
    func begin() async throws {
        let shop = try Shop(
            .response(201, ["Location": "/root/$uploads/1", "Upload-Limit": "max-age=9, max-append-size=4;x=1"]))
        var job = try job(shop)
        var request = job.request
        request.ifMatch = "\"1\""
        job = try #require(UploadJob(request, digest: job.digest))
        let step = try await ResumableUpload(store: shop.store).begin(job)
        #expect(step.text == "0 of \(Self.place) by 4")
        let sent = shop.service.sent[0]
        #expect(sent.line == "PUT http://h/root/Photos(1)/$value" && sent.body.isEmpty)
        #expect(sent.field("Upload-Complete") == "?0" && sent.field("Upload-Length") == "10")
        #expect(sent.field("Upload-Draft-Interop-Version") == "8")
        #expect(sent.field("Content-Type") == "image/png" && sent.field("If-Match") == "\"1\"")
        #expect(sent.field("Repr-Digest") == "sha-256=:\(String(repeating: "A", count: 43))=:")
    }

    @Test(
        "A service that took the beginning for the whole has carried it out",
        arguments: [
            (["OData-EntityId": "http://h/root/Photos(1)", "Location": "http://h/root/Photos(1)"], true),
            (["Upload-Complete": "?1", "Location": "http://h/root/Photos(1)"], true), ([:], true),
            // The whole would be taken for the same request, and not be carried out.
            (["Repeatability-Result": "accepted"], false),
        ] as [([String: String], Bool)])
    func takenForWhole(headers: [String: String], isSentWholeNext: Bool) async throws {
        let shop = try Shop(.response(201, headers))
        let job = try job(shop, creates: true)
        #expect(try await ResumableUpload(store: shop.store).begin(job).text == "completed")
        let place = ServiceTraits.UploadPlace(method: "resumable", resource: "Photos")
        #expect(shop.store.service.traits.isUnsupported(place) == isSentWholeNext)
    }

    @Test(
        "What is not a place for an upload is refused",
        arguments: [
            ["Location": "ftp://h/up"], ["Location": place, "Upload-Limit": "max-size=9"],
        ])
    func noPlace(headers: [String: String]) async throws {
        let shop = try Shop(.response(201, headers), .response(204))
        let job = try job(shop, creates: true)
        let error = await #expect(throws: ODataError.self) { try await ResumableUpload(store: shop.store).begin(job) }
        #expect(error?.code == (headers["Upload-Limit"] == nil ? .invalidResponse : .tooLarge))
        guard headers["Upload-Limit"] != nil else { return }
        let last = try #require(shop.service.sent.last)
        #expect(last.line == "DELETE \(Self.place)" && last.field("Upload-Draft-Interop-Version") == "8")
    }

    private static let refusal = #"{"error":{"code":"x","message":"No."}}"#

    /// The request is that of the whole but for its headers: what OData says of it, it would say of the whole too.
    @Test(
        "A service that does not know uploads in pieces is told from one that refuses the stream",
        arguments: [
            (.response(501, [:], refusal), "unsupported"), (.response(404), "unsupported"),
            (.response(405), "unsupported"),
            (.response(415, ["Content-Type": "text/html"], "<p>No."), "unsupported"),
            (.response(404, [:], refusal), "error 404"), (.response(405, [:], refusal), "error 405"),
            (.response(415, [:], refusal), "error 415"), (.response(400), "error 400"), (.response(403), "error 403"),
            (.response(412), "error 412"), (.response(500), "error 500"), (.response(307), "error 307"),
        ] as [(ScriptedService.Response, String)])
    func notBegun(response: ScriptedService.Response, expected: String) async throws {
        let shop = try Shop(response)
        let job = try job(shop)
        let method = ResumableUpload(store: shop.store)
        #expect(await UploadStep.text { try await method.begin(job) } == expected)
    }

    @Test("A method that was not known for a set is given for other sets only")
    func unsupported() async throws {
        var configuration = OnlineStore.Configuration()
        configuration.model = try CSDL.read(xml: Array(Shop.metadata.utf8)).model
        for set in ["Photos", "Products"] { configuration.uploadMethods[set] = .resumable }
        let store = try OnlineStore(
            serviceRoot: "http://h/root", transport: ScriptedService([]), configuration: configuration)
        let parser = QueryParser(model: try await store.model())
        let media = MediaContent(ByteContent([1]), contentType: "image/png")
        let request = { (path: String) in ChangeRequest(try parser.path(path), .replaceStream(media)) }
        await store.noteUnsupported("tus", for: try request("Photos(1)"))
        #expect(try await store.uploadMethod(for: try request("Photos(1)"), length: 1 << 30)?.name == "resumable")
        await store.noteUnsupported("resumable", for: try request("Photos(1)"))
        #expect(try await store.uploadMethod(for: try request("Photos(2)"), length: 1 << 30) == nil)
        #expect(try await store.uploadMethod(named: "resumable", for: try request("Photos(2)")) != nil)
        #expect(try await store.uploadMethod(for: try request("Products(1)"), length: 1 << 30) != nil)
    }

    @Test(
        "The response to an append tells how far the upload has come, or what became of it",
        arguments: [
            (204, ["Upload-Complete": "?0"], "7 of \(place)"),
            (204, ["Upload-Complete": "?0", "Upload-Offset": "5"], "5 of \(place)"),
            (204, ["Upload-Complete": "?1", "ETag": "\"2\""], "executed \"2\""),
            (412, ["Upload-Complete": "?1"], "refused 412"), (409, ["Upload-Offset": "3"], "3 of \(place)"),
            (409, [:], "error 409"), (404, [:], "gone"), (410, [:], "gone"), (403, [:], "error 403"),
            (413, ["Upload-Limit": "max-append-size=1"], "4 of \(place) by 1"), (413, [:], "error 413"),
            (503, [:], "error 503"), (502, ["Upload-Complete": "?1"], "error 502"),
        ] as [(Int, [String: String], String)])
    func append(status: Int, headers: [String: String], expected: String) async throws {
        let shop = try Shop(.response(status, headers))
        let job = try job(shop)
        let content = ByteContent(Array("efg".utf8))
        let method = ResumableUpload(store: shop.store)
        let step = await UploadStep.text {
            try await method.append(content, at: 4, isLast: false, to: Self.session, of: job)
        }
        #expect(step == expected)
        let sent = shop.service.sent[0]
        #expect(sent.line == "PATCH \(Self.place)" && sent.body == "efg")
        #expect(sent.field("Content-Type") == "application/partial-upload")
        #expect(sent.field("Upload-Offset") == "4" && sent.field("Upload-Complete") == "?0")
        #expect(sent.field("Upload-Draft-Interop-Version") == "8")
    }

    @Test("The last append makes the entity that the first request asked for")
    func made() async throws {
        let shop = try Shop(
            .response(
                201,
                [
                    "Upload-Complete": "?1", "Location": "http://h/root/Photos(7)", "OData-Version": "4.0",
                    "Content-Type": "application/json",
                ], #"{"ID":7}"#))
        let step = try await ResumableUpload(store: shop.store).append(
            ByteContent(Array("hij".utf8)), at: 7, isLast: true, to: Self.session, of: try job(shop, creates: true))
        guard case .executed(let result) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(result.outcome == .created && result.path?.url == "Photos(7)" && result.entity?["ID"] == .integer(7))
        #expect(shop.service.sent[0].field("Upload-Complete") == "?1")
    }

    @Test(
        "After a cut the place is asked, and for the response if all has come",
        arguments: [
            ([.response(204, ["Upload-Offset": "6", "Upload-Complete": "?0"])], "6 of \(place)"),
            ([.response(404)], "gone"), ([.response(410)], "gone"), ([.response(403)], "error 403"),
            ([.response(204)], "error 204"),
            (
                [
                    .response(204, ["Upload-Offset": "10", "Upload-Complete": "?1"]),
                    .response(204, ["Upload-Complete": "?1"]),
                ],
                "executed -"
            ),
            (
                [
                    .response(204, ["Upload-Offset": "10", "Upload-Complete": "?1"]),
                    .response(412, ["Upload-Complete": "?1"]),
                ],
                "refused 412"
            ),
            ([.response(204, ["Upload-Offset": "10", "Upload-Complete": "?1"]), .response(410)], "completed"),
            ([.response(204, ["Upload-Offset": "10", "Upload-Complete": "?1"]), .response(503)], "error 503"),
        ] as [([ScriptedService.Response], String)])
    func probe(responses: [ScriptedService.Response], expected: String) async throws {
        let shop = try Shop(responses)
        let job = try job(shop)
        let method = ResumableUpload(store: shop.store)
        #expect(await UploadStep.text { try await method.probe(Self.session, of: job) } == expected)
        #expect(shop.service.sent.first?.line == "HEAD \(Self.place)")
        #expect(shop.service.sent.allSatisfy { $0.field("Upload-Draft-Interop-Version") == "8" })
        guard responses.count == 2 else { return }
        let last = try #require(shop.service.sent.last)
        #expect(last.line == "PATCH \(Self.place)" && last.body.isEmpty && last.field("Upload-Offset") == "10")
    }

    @Test("A place at another host is told no secret")
    func foreign() async throws {
        let service = ScriptedService([
            .response(201, ["Location": "https://store.test/up?key=1"]), .response(401),
        ])
        var configuration = OnlineStore.Configuration()
        configuration.model = try CSDL.read(xml: Array(Shop.metadata.utf8)).model
        configuration.headers = [HeaderField(name: "X-Secret", value: "s")]
        configuration.uploadMethods["Photos"] = .resumable
        let store = try OnlineStore(serviceRoot: "https://h/root", transport: service, configuration: configuration)
        let parser = QueryParser(model: try await store.model())
        let media = MediaContent(ByteContent([1, 2]), contentType: "image/png")
        let request = ChangeRequest(try parser.path("Photos(1)"), .replaceStream(media))
        let job = try #require(UploadJob(request))
        #expect(try await store.uploadMethod(for: request, length: 4_194_303) == nil)
        let method = try #require(try await store.uploadMethod(for: request, length: 4_194_304))
        guard case .acknowledged(0, let session) = try await method.begin(job) else {
            Issue.record("The upload did not begin.")
            return
        }
        let error = await #expect(throws: ODataError.self) {
            try await method.append(media.content, at: 0, isLast: true, to: session, of: job)
        }
        #expect(error?.code == .forbidden)
        #expect(service.sent.map { $0.field("X-Secret") } == ["s", nil])
        #expect(service.sent.map { $0.field("Upload-Complete") } == ["?0", "?1"])
        #expect(service.sent.map { $0.field("Upload-Draft-Interop-Version") } == ["8", "8"])
        #expect(service.sent.last?.line == "PATCH https://store.test/up?key=1")
    }

    @Test(
        "The metadata name the method, of a set or of all; the app's word counts before",
        arguments: [
            ("resumable", nil, nil, "resumable"), (nil, "resumable", nil, "resumable"),
            ("unknown", nil, nil, nil), (nil, nil, nil, nil), (nil, "resumable", StreamUploadMethod.plain, nil),
            (nil, nil, .resumable, "resumable"),
        ] as [(String?, String?, StreamUploadMethod?, String?)])
    func choice(set: String?, container: String?, own: StreamUploadMethod?, expected: String?) async throws {
        let annotation = { (name: String?) in
            name.map { #"<Annotation Term="SwiftOData.Uploads.V1.Method" String="\#($0)"/>"# } ?? ""
        }
        let metadata = Shop.metadata.replacing(
            #"<EntitySet Name="Photos" EntityType="Shop.Photo"/>"#,
            with: #"<EntitySet Name="Photos" EntityType="Shop.Photo">\#(annotation(set))</EntitySet>"#
                + annotation(container))
        var configuration = OnlineStore.Configuration()
        configuration.model = try CSDL.read(xml: Array(metadata.utf8)).model
        configuration.uploadMethods["Photos"] = own
        configuration.resumableSize = 0
        let store = try OnlineStore(
            serviceRoot: "http://h/root", transport: ScriptedService([]), configuration: configuration)
        let media = MediaContent(ByteContent([1]), contentType: "image/png")
        let parser = QueryParser(model: try await store.model())
        let request = ChangeRequest(try parser.path("Photos(1)"), .replaceStream(media))
        #expect(try await store.uploadMethod(for: request, length: 1)?.name == expected)
        #expect(try await store.uploadMethod(for: request, length: 0) == nil)
    }
}

extension UploadStep {
    fileprivate var text: String {
        switch self {
        case .acknowledged(let offset, let session):
            "\(offset) of \(session.location)" + (session.partSize.map { " by \($0)" } ?? "")
        case .executed(let result): "executed \(result.etag ?? "-")"
        case .completed: "completed"
        case .refused(let error): "refused \(error.status ?? 0)"
        case .gone: "gone"
        case .unsupported: "unsupported"
        }
    }

    fileprivate static func text(_ step: () async throws -> UploadStep) async -> String {
        do { return try await step().text } catch { return "error \((error as? ODataError)?.status ?? 0)" }
    }
}
