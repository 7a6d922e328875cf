import ODataOnline
import ODataQuery
import ODataStores
import Testing

@Suite("Batches of change sets")
struct OnlineBatchTests {
    private let multipart = ["Content-Type": "multipart/mixed; boundary=b"]

    /// An update, a change set of two, a deletion.
    private func sets(_ shop: Shop) throws -> [[ChangeRequest]] {
        let update = ChangeRequest(try shop.parser.path("Products(1)"), .update(EntityPayload(["Name": .null])))
        let first = ChangeRequest(try shop.parser.path("Products(2)"), .update(EntityPayload(["Name": .null])))
        let second = ChangeRequest(try shop.parser.path("Products(3)"), .delete)
        return [[update], [first, second], [ChangeRequest(try shop.parser.path("Products(4)"), .delete)]]
    }

    private func part(_ id: String?, _ response: String, boundary: String = "b") -> String {
        let header = id.map { "Content-ID: \($0)\r\n" } ?? ""
        return "--\(boundary)\r\nContent-Type: application/http\r\n\(header)\r\nHTTP/1.1 \(response)\r\n\r\n\r\n"
    }

    private func group(_ parts: String...) -> String {
        "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n\(parts.joined())--c--\r\n"
    }

    private func results(_ response: ScriptedService.Response) async throws -> [String] {
        let shop = try Shop(response)
        return await shop.store.batch(try sets(shop)).map { result in
            switch result {
            case .success(let results): results.map { $0.etag ?? "done" }.joined(separator: " ")
            case .failure(let error): error.code.name + (error.isOutcomeUnknown ? " unknown" : "")
            }
        }
    }

    @Test func allAreSentInOneRequestAndResponsesAreFoundByID() async throws {
        let body =
            part("r4", "404 Not Found") + part("r1", "204 No Content\r\nETag: \"1\"")
            + group(
                part("r3", "204 No Content", boundary: "c"), part("r2", "204 No Content\r\nETag: \"2\"", boundary: "c"))
            + "--b--\r\n"
        let shop = try Shop(.response(200, multipart, body))
        let results = await shop.store.batch(try sets(shop))
        #expect(try results[0].get().map(\.etag) == ["\"1\""])
        #expect(try results[1].get().map(\.etag) == ["\"2\"", nil])
        #expect(throws: ODataError.self) { try results[2].get() }
        let sent = shop.service.sent
        #expect(sent.map(\.line) == ["POST http://h/root/$batch"])
        #expect(sent[0].field("Prefer") == "odata.continue-on-error")
        #expect(sent[0].body.contains("PATCH Products(1) HTTP/1.1"))
        #expect(sent[0].body.contains("_changeset1"))
        #expect(!sent[0].body.contains("_changeset2"))
    }

    @Test func responsesWithoutIDsAreFoundByPosition() async throws {
        let body =
            part(nil, "204 No Content\r\nETag: \"1\"")
            + group(part(nil, "204 No Content", boundary: "c"), part(nil, "204 No Content", boundary: "c"))
            + part(nil, "412 Precondition Failed") + "--b--\r\n"
        #expect(try await results(.response(202, multipart, body)) == ["\"1\"", "done done", "preconditionFailed"])
    }

    @Test func aFailedChangeSetGetsOneResponse() async throws {
        let body =
            part(nil, "204 No Content") + part(nil, "409 Conflict") + part(nil, "204 No Content") + "--b--\r\n"
        #expect(try await results(.response(200, multipart, body)) == ["done", "conflict", "done"])
    }

    @Test func whatAServiceDidNotTryAfterAnErrorCanBeSentAgain() async throws {
        let body = part("r1", "400 Bad Request") + "--b--\r\n"
        #expect(
            try await results(.response(200, multipart, body)) == [
                "badRequest", "failedDependency", "failedDependency",
            ])
        // It said that it goes on: then the other responses were lost.
        let headers = multipart.merging(["Preference-Applied": "odata.continue-on-error"]) { first, _ in first }
        #expect(
            try await results(.response(200, headers, body))
                == ["badRequest", "invalidResponse unknown", "invalidResponse unknown"])
    }

    @Test func tooFewPartsLeaveTheOthersOpen() async throws {
        let named = part("r4", "204 No Content") + "--b--\r\n"
        #expect(
            try await results(.response(200, multipart, named))
                == ["invalidResponse unknown", "invalidResponse unknown", "done"])
        let nameless = part(nil, "204 No Content") + "--b--\r\n"
        #expect(
            try await results(.response(200, multipart, nameless))
                == Array(repeating: "invalidResponse unknown", count: 3))
    }

    @Test func partsBeforeACutAreResponses() async throws {
        let body = part("r1", "204 No Content") + "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\nCon"
        #expect(
            try await results(.broken(200, multipart, body, .interrupted))
                == ["done", "invalidResponse unknown", "invalidResponse unknown"])
        #expect(
            try await results(.broken(200, multipart, "--b\r\nContent-Ty", .interrupted))
                == Array(repeating: "unreachable unknown", count: 3))
    }

    @Test func aBatchThatIsRefusedAsAWholeWasNotExecuted() async throws {
        #expect(try await results(.response(413)) == Array(repeating: "batchRefused", count: 3))
        #expect(try await results(.response(401)) == Array(repeating: "unauthorized", count: 3))
        #expect(try await results(.response(500)) == Array(repeating: "internalError unknown", count: 3))
        #expect(try await results(.response(202)) == Array(repeating: "invalidResponse unknown", count: 3))
        #expect(
            try await results(.response(200, ["Content-Type": "text/html"], "<html/>")).allSatisfy {
                $0 == "invalidResponse unknown"
            })
    }
}
