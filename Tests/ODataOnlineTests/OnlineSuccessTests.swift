import ByteStreams
import HTTPTypes
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport
import Testing

@testable import ODataOnline

/// Successes that may be those of a gateway, a login page or a captive portal.
@Suite("Whether a success is the service's")
struct OnlineSuccessTests {
    private static let media = MediaContent(ByteContent([65]), contentType: "image/png")

    private static let operations: [(path: String, operation: ChangeRequest.Operation)] = [
        ("Products", .create(EntityPayload(["Name": .string("Tea")]))),
        ("Products(1)", .update(EntityPayload(["Name": .string("Tea")]))),
        ("Products(1)", .replace(EntityPayload(["Name": .string("Tea")]))), ("Products(1)", .delete),
        ("Products(1)/Name", .setValue(.string("a"))), ("Products(1)/Name", .setValue(.null)),
        ("Products(1)/Name", .setRawValue([66], contentType: nil)),
        ("Categories(1)/Products", .addReference(.url("Products(2)"))),
        ("Categories(1)/Products", .removeReference(.url("Products(2)"))),
        ("Products(1)/Category", .removeReference(nil)), ("Photos", .createMedia(media, slug: nil)),
        ("Photos(1)", .replaceStream(media)), ("Photos(1)", .deleteStream),
    ]

    private static let json = ["Content-Type": "application/json"]
    private static let version = ["OData-Version": "4.0"]

    /// A store whose service has told its version, or has not.
    private func shop(_ tellsVersion: Bool, _ responses: ScriptedService.Response...) async throws -> Shop {
        let shop = try Shop([.json(#"{"value":[]}"#, tellsVersion ? Self.version : [:])] + responses)
        _ = try await shop.read("Products")
        return shop
    }

    private static let forms: [(Int, [String: String], String)] = [
        (200, json, #"{"session":"expired"}"#), (200, json, #"{"id":1}"#), (200, json, "{}"), (200, json, ""),
        (200, [:], ""), (200, [:], "<html>Log in</html>"), (200, [:], " <!DOCTYPE html><p>"),
        (200, ["Content-Type": "text/html"], "<html/>"), (200, ["Content-Type": "text/plain"], "ok"),
        (200, json, #"{"error":{"code":"1","message":"expired"}}"#), (201, json, #"{"session":"expired"}"#),
        (201, [:], ""),
        (201, ["Location": "https://login.test/"], ""), (202, [:], ""), (202, json, #"{"queued":true}"#),
    ]

    @Test("At a service that tells its version a success without it is of unknown outcome", arguments: forms)
    func strays(status: Int, headers: [String: String], body: String) async throws {
        for (path, operation) in Self.operations {
            let shop = try await shop(true, .response(status, headers, body))
            let error = await #expect(throws: ODataError.self, "\(path)") { try await shop.change(path, operation) }
            #expect(error?.code == .invalidResponse && error?.isOutcomeUnknown == true, "\(path) \(error!)")
        }
    }

    @Test("A service that never tells its version is believed, unless the content is not OData")
    func withoutVersions() async throws {
        let accepted: [(Int, [String: String], String)] = [
            (200, [:], ""), (204, [:], ""), (200, Self.json, "{}"), (200, Self.json, #"{"ID":1,"Name":"Tea"}"#),
            (201, Self.json, #"{"ID":1,"Name":"Tea"}"#),
        ]
        for (status, headers, body) in accepted {
            for (path, operation) in Self.operations {
                let shop = try await shop(false, .response(status, headers, body))
                _ = try await shop.change(path, operation)
            }
        }
        let refused: [(Int, [String: String], String)] = [
            (200, [:], "<html>Log in</html>"), (200, Self.json, #"{"error":{"code":"1","message":"no"}}"#),
            (200, ["Content-Type": "text/html"], "<p>"), (200, ["Content-Type": "text/plain"], "ok"), (202, [:], ""),
        ]
        for (status, headers, body) in refused {
            for (path, operation) in Self.operations {
                let shop = try await shop(false, .response(status, headers, body))
                let error = await #expect(throws: ODataError.self) { try await shop.change(path, operation) }
                #expect(error?.isOutcomeUnknown == true, "\(path)")
            }
        }
        for (path, operation) in Self.operations.prefix(3) {
            let shop = try await shop(false, .response(200, Self.json, #"{"session":"expired"}"#))
            let error = await #expect(throws: ODataError.self) { try await shop.change(path, operation) }
            #expect(error?.isOutcomeUnknown == true, "\(path)")
        }
    }

    @Test(
        "What only the service says is believed without a version",
        arguments: [
            (200, json, #"{"@odata.context":"http://h/root/$metadata#Products/$entity","ID":1,"Name":"Tea"}"#),
            (200, json, #"{"@context":"$metadata#Products/$entity","ID":1}"#),
            (204, ["OData-EntityId": "Products(1)"], ""), (200, ["Preference-Applied": "return=minimal"], ""),
        ])
    func evidence(status: Int, headers: [String: String], body: String) async throws {
        for (path, operation) in Self.operations {
            let shop = try await shop(true, .response(status, headers, body))
            #expect(try await shop.change(path, operation).unproven == nil, "\(path)")
        }
    }

    @Test("204 without a version is believed where the service has sent such a one, else what it shows decides")
    func quiet() async throws {
        for (path, operation) in Self.operations {
            let shop = try await shop(
                true, .response(204), .response(204), .response(204, Self.version), .response(204))
            let kind = try #require(try await shop.change(path, operation).unproven)
            #expect(kind == "\(operation.kind) 204")
            shop.store.noteExecuted(unproven: kind)
            // What an update or a deletion leaves may have been there before.
            #expect(try await shop.change(path, operation).unproven == (operation.kind == "create" ? nil : kind))
        }
        // One kind without a version tells nothing of others.
        let shop = try await shop(true, .response(204), .response(204, Self.version), .response(204))
        shop.store.noteExecuted(unproven: "create 204")
        let update = ChangeRequest.Operation.update(EntityPayload(["Name": .null]))
        #expect(try await shop.change("Products(1)", update).unproven == "update 204")
        _ = try await shop.change("Products(1)", update)
        let error = await #expect(throws: ODataError.self) { try await shop.change("Products(1)", update) }
        #expect(error?.isOutcomeUnknown == true && error?.facts.unproven == "update 204")
    }

    @Test(
        "Location proves a creation only, and only as the path of an entity of the set",
        arguments: [
            ("Products(1)", true), ("http://h/root/Products(1)", true), ("/root/Products(1)", true),
            ("Categories(1)", false), ("Products", false), ("Products(1)/Name", false), ("/login", false),
            ("login?back=Products(1)", false), ("http://h/login", false), ("https://portal.test/Products(1)", false),
        ])
    func location(_ place: String, isProof: Bool) async throws {
        for (number, (path, operation)) in Self.operations.enumerated() {
            let shop = try await shop(true, .response(201, ["Location": place]))
            if isProof, number < 3 {
                #expect(try await shop.change(path, operation).unproven == nil, "\(path)")
            } else {
                let error = await #expect(throws: ODataError.self, "\(path)") { try await shop.change(path, operation) }
                #expect(error?.isOutcomeUnknown == true, "\(path)")
            }
        }
    }

    @Test(
        "A service that never tells its version is not believed where the content is of nothing that was changed",
        arguments: [
            #"{"session":"expired"}"#, #"{"d":{"x":1}}"#, "[]", "null", #"{"context":"x $metadata"}"#, #"{"ID":7"#,
        ])
    func foreign(_ body: String) async throws {
        for (path, operation) in Self.operations {
            let shop = try await shop(false, .response(200, Self.json, body))
            let error = await #expect(throws: ODataError.self, "\(path)") { try await shop.change(path, operation) }
            #expect(error?.isOutcomeUnknown == true, "\(path)")
        }
    }

    @Test(
        "An entity with another key is not the response of a change",
        arguments: [("Products(1)", 7, false), ("Products(1)", 1, true)])
    func otherKey(_ path: String, key: Int, isOwn: Bool) async throws {
        for operation in [ChangeRequest.Operation.update(EntityPayload(["Name": .string("Tea")])), .delete] {
            let shop = try await shop(false, .response(200, Self.json, #"{"ID":\#(key),"Name":"Tea"}"#))
            let result = try? await shop.change(path, operation)
            #expect((result != nil) == isOwn)
        }
    }

    @Test(
        "A key that the service writes otherwise is that of the entity",
        arguments: [("ALFKI", true), ("alfki  ", true), ("00alfki", false), ("BERGS", false), ("", false)])
    func spelledKey(_ key: String, isOwn: Bool) async throws {
        let metadata = Shop.metadata.replacing(#"Name="ID" Type="Edm.Int32""#, with: #"Name="ID" Type="Edm.String""#)
        let payload = EntityPayload(["ID": .string("alfki"), "Name": .string("Tea")])
        let cases: [(String, ChangeRequest.Operation)] = [
            ("Products", .create(payload)), ("Products('alfki')", .update(payload)),
            ("Products('alfki')", .replace(payload)), ("Products('alfki')", .delete),
        ]
        for (path, operation) in cases {
            let shop = try Shop([.response(200, Self.json, #"{"ID":"\#(key)","Name":"Tea"}"#)], metadata: metadata)
            let result = try? await shop.change(path, operation)
            #expect((result != nil) == isOwn, "\(path)")
        }
    }

    @Test(
        "A service that never tells its version is not believed where Location leads elsewhere",
        arguments: [
            ("/login", false), ("https://portal.test/", false), ("http://h/login?back=Products(1)", false),
            ("Categories(1)", false), ("Products", false), ("Products(1)", true), ("Products/1", true),
            ("http://inner:8080/root/Products(1)", true),
        ])
    func elsewhere(_ place: String, isOwn: Bool) async throws {
        for status in [200, 201] {
            let shop = try await shop(false, .response(status, ["Location": place]))
            let error = await Self.error { _ = try await shop.change("Products", Self.operations[0].operation) }
            #expect(error?.isOutcomeUnknown == (isOwn ? nil : true))
        }
        for (path, operation) in Self.operations where place.contains("/login") || place.contains("portal") {
            let shop = try await shop(false, .response(200, ["Location": place]))
            let error = await Self.error { _ = try await shop.change(path, operation) }
            #expect(error?.isOutcomeUnknown == true, "\(path)")
        }
    }

    private static func error(_ body: () async throws -> Void) async -> ODataError? {
        do { try await body() } catch { return error as? ODataError }
        return nil
    }

    /// Two changes in one batch, each with this response.
    private func batch(_ part: String, isVersioned: Bool, tellsVersion: Bool = true) async throws -> [Bool] {
        let text = "--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 \(part)\r\n"
        var headers = ["Content-Type": "multipart/mixed; boundary=b"]
        if isVersioned { headers["OData-Version"] = "4.0" }
        let shop = try await shop(tellsVersion, .response(200, headers, text + text + "--b--\r\n"))
        let model = try await shop.store.model()
        let parser = QueryParser(model: model)
        let update = ChangeRequest.Operation.update(EntityPayload(["Name": .string("Tea")]))
        let results = await shop.store.batch([
            [ChangeRequest(try parser.path("Products(1)"), .delete)],
            [ChangeRequest(try parser.path("Products(2)"), update)],
        ])
        return results.map { (try? $0.get()) != nil }
    }

    @Test(
        "A part of a batch proves itself, or is without content in a response that tells its version",
        arguments: [
            ("204 No Content\r\n\r\n", true, [true, true]), ("204 No Content\r\n\r\n", false, [false, false]),
            ("204 No Content\r\nOData-Version: 4.0\r\n\r\n", false, [true, true]),
            ("200 OK\r\nContent-Type: text/html\r\n\r\n<html>Log in</html>", true, [false, false]),
            ("200 OK\r\nContent-Type: application/json\r\n\r\n{\"session\":\"expired\"}", true, [false, false]),
            ("200 OK\r\nContent-Type: application/json\r\n\r\n{\"ID\":2,\"Name\":\"Tea\"}", true, [false, true]),
            ("201 Created\r\nLocation: /login\r\n\r\n", false, [false, false]),
        ])
    func parts(_ part: String, isVersioned: Bool, expected: [Bool]) async throws {
        #expect(try await batch(part, isVersioned: isVersioned) == expected)
    }

    @Test("What was learned is passed on")
    func learned() async throws {
        let first = try await shop(true, .response(204, Self.version))
        _ = try await first.change("Products(1)", .delete)
        let next = try Shop(.response(204), .response(200, Self.json, #"{"session":"expired"}"#))
        next.store.learn(first.store.learnedTraits)
        for (path, operation) in [Self.operations[3], Self.operations[1]] {
            let error = await #expect(throws: ODataError.self) { try await next.change(path, operation) }
            #expect(error?.isOutcomeUnknown == true)
        }
    }

    @Test("Another host that a redirect leads to is not a service, though the service never tells its version")
    func redirected() async throws {
        for (status, body) in [(200, ""), (204, ""), (200, #"{"ID":1}"#)] {
            let shop = try await shop(
                false, .response(307, ["Location": "http://portal.test/login"]), .response(status, Self.json, body))
            let error = await #expect(throws: ODataError.self) { try await shop.change("Products(1)", .delete) }
            #expect(error?.isOutcomeUnknown == true)
        }
        let shop = try await shop(false, .response(307, ["Location": "http://h/other/Products(1)"]), .response(204))
        #expect(try await shop.change("Products(1)", .delete).unproven == nil)
    }
}
