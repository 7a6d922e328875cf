import ByteStreams
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport
import Testing

@testable import ODataOnline

/// Services that refuse preferences, which they should pass over.
@Suite("Preferences that a service refuses with changes")
struct OnlinePreferenceTests {
    private static let done = ScriptedService.Response.response(
        200, ["Content-Type": "application/json", "OData-Version": "4.0"], #"{"ID":1,"Name":"Tea"}"#)
    private static let payload = EntityPayload(["Name": .string("Tea")])
    private static let refusal =
        #"{"error":{"code":"1","message":"The Prefer header 'return=representation' is not supported."}}"#

    private func change(_ shop: Shop, _ path: String, _ operation: ChangeRequest.Operation) async throws -> ChangeResult
    {
        var request = ChangeRequest(try shop.parser.path(path), operation)
        request.returnPreference = .representation
        return try await shop.store.change(request)
    }

    private func preferences(_ shop: Shop) -> [String?] {
        shop.service.sent.filter { !["GET", "HEAD"].contains($0.line.prefix { $0 != " " }) }.map { $0.field("Prefer") }
    }

    /// A service that refuses its first change so, and gives no CSRF token where that is asked for after 403.
    private func shop(
        refusing status: Int, _ body: String = "", then responses: [ScriptedService.Response]
    ) throws -> Shop {
        let noToken = Array(repeating: ScriptedService.Response.response(404), count: status == 403 ? 2 : 0)
        return try Shop([.response(status, ["Content-Type": "application/json"], body)] + noToken + responses)
    }

    @Test(
        "What is surely not executed, or may be executed twice, is sent once more without, and later requests to the set too",
        arguments: [
            (400, ""), (501, ""), (400, refusal), (501, refusal), (500, refusal), (500, ""), (403, ""), (404, ""),
            (405, ""),
            (406, refusal), (409, ""), (412, ""), (415, ""), (417, ""), (422, refusal), (428, ""), (431, ""),
        ])
    func again(status: Int, body: String) async throws {
        for operation in [ChangeRequest.Operation.create(Self.payload), .update(Self.payload), .replace(Self.payload)] {
            let isCreation = if case .create = operation { true } else { false }
            let path = isCreation ? "Products" : "Products(1)"
            let shop = try shop(refusing: status, body, then: [Self.done, Self.done, Self.done])
            guard !isCreation || status != 500 || !body.isEmpty else {
                // A fault may come after the creation.
                let error = await #expect(throws: ODataError.self) { try await change(shop, path, operation) }
                #expect(error?.status == 500 && shop.service.sent.count == 1)
                continue
            }
            _ = try await change(shop, path, operation)
            _ = try await change(shop, path, operation)
            #expect(preferences(shop) == ["return=representation", nil, nil])
            #expect(shop.store.learnedTraits.refusals == [.init("return", of: "Products")])
            // Another set is asked anew, another store knows.
            _ = try await change(shop, "Categories(1)", .update(EntityPayload()))
            #expect(preferences(shop).last == "return=representation")
            let other = try Shop(Self.done)
            other.store.learn(shop.store.learnedTraits)
            _ = try await change(other, path, operation)
            #expect(preferences(other) == [nil])
        }
    }

    @Test("A refusal for another reason is told, and leaves the preference; once taken, nothing is sent twice")
    func otherReason() async throws {
        let no = ScriptedService.Response.response(400, [:], #"{"error":{"code":"1","message":"Too long."}}"#)
        let shop = try Shop(no, no, Self.done, no)
        for expected in [2, 3, 4] {
            let result = try? await change(shop, "Products", .create(Self.payload))
            #expect((result != nil) == (expected == 3))
            #expect(shop.service.sent.count == expected)
        }
        #expect(preferences(shop) == ["return=representation", nil, "return=representation", "return=representation"])
        #expect(shop.store.learnedTraits.refusals.isEmpty)
    }

    @Test("A second attempt whose condition fails leaves open whether the first was executed")
    func inDoubt() async throws {
        let shop = try Shop(.response(500), .response(412))
        let error = await #expect(throws: ODataError.self) {
            try await change(shop, "Products(1)", .update(Self.payload))
        }
        #expect(error?.isOutcomeUnknown == true)
    }

    @Test(
        "Other statuses are refusals of the request",
        arguments: [401, 408, 410, 411, 413, 414, 416, 423, 424, 429, 502, 503, 504])
    func otherStatus(status: Int) async throws {
        let shop = try Shop(.response(status), Self.done)
        await #expect(throws: ODataError.self) { try await change(shop, "Products(1)", .update(Self.payload)) }
        #expect(shop.service.sent.count == 1)
    }

    @Test("412 to a request with a condition is about that")
    func condition() async throws {
        let shop = try Shop(.response(412), Self.done)
        var request = ChangeRequest(try shop.parser.path("Products(1)"), .update(Self.payload))
        request.returnPreference = .representation
        request.ifMatch = "\"1\""
        await #expect(throws: ODataError.self) { try await shop.store.change(request) }
        #expect(shop.service.sent.count == 1)
    }

    @Test(
        "A batch is sent without its own preference whatever the refusal says; refused without too, it is sent once later",
        arguments: [400, 403, 404, 405, 406, 409, 412, 415, 422, 428, 501])
    func wholeBatch(status: Int) async throws {
        for isPreference in [true, false] {
            let later = isPreference ? batch([201, 201]) : .response(status)
            let shop = try shop(refusing: status, then: [later, later])
            let paths = try ["Products(1)", "Categories(1)"].map { try shop.parser.path($0) }
            for _ in 0..<2 {
                let results = await shop.store.batch(paths.map { [ChangeRequest($0, .update(EntityPayload()))] })
                for result in results {
                    guard case .failure(let error) = result else {
                        #expect(isPreference)
                        continue
                    }
                    #expect(!isPreference && error.code == .batchRefused)
                }
            }
            let wish = "odata.continue-on-error"
            #expect(preferences(shop) == [wish, nil, isPreference ? nil : wish])
        }
    }

    @Test("The creation of a media entity is asked for no representation")
    func media() async throws {
        let shop = try Shop(.response(201, ["Location": "Photos(7)"]))
        let media = MediaContent(ByteContent([65]), contentType: "image/png")
        #expect(try await change(shop, "Photos", .createMedia(media, slug: nil)).path?.url == "Photos(7)")
        #expect(preferences(shop) == [nil])
    }

    /// A batch of two parts, each of which fails or not.
    private func batch(_ statuses: [Int]) -> ScriptedService.Response {
        let parts = statuses.map { status in
            """
            --b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 \(status) X\r\nContent-Type: application/json\r\n\r
            \(status < 300 ? #"{"ID":1,"Name":"Tea"}"# : Self.refusal)\r\n
            """
        }
        return .response(
            200, ["Content-Type": "multipart/mixed;boundary=b", "OData-Version": "4.0"], parts.joined() + "--b--")
    }

    @Test("Parts of a batch are sent by themselves without; a batch is sent without its own preference")
    func batches() async throws {
        let shop = try Shop(.response(501), batch([400, 201]), Self.done, batch([201, 201]))
        var requests = [ChangeRequest(try shop.parser.path("Products(1)"), .update(Self.payload))]
        requests.append(ChangeRequest(try shop.parser.path("Categories(1)"), .update(EntityPayload())))
        for index in requests.indices { requests[index].returnPreference = .representation }
        for _ in 0..<2 {
            let results = await shop.store.batch(requests.map { [$0] })
            for result in results { _ = try result.get() }
        }
        let lines = shop.service.sent.map { $0.line.replacing("http://h/root/", with: "", maxReplacements: 1) }
        #expect(lines == ["POST $batch", "POST $batch", "PATCH Products(1)", "POST $batch"])
        #expect(preferences(shop) == ["odata.continue-on-error", nil, nil, nil])
        let counts = shop.service.sent.map { $0.body.split(separator: "return=representation").count - 1 }
        #expect(counts == [2, 2, 0, 1])
    }
}
