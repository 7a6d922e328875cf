import ByteStreams
import HTTPTypes
import ODataModel
import ODataService
import ODataStores
import ODataTransport
import TestSupport
import Testing

@Suite("Documents about the service")
struct MetadataDocumentTests {
    /// A response as it is sent.
    private struct Sent: Equatable {
        var status: Int
        var fields: [String]
        var body: [UInt8]

        subscript(name: String) -> String? {
            fields.first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
        }
    }

    private func sent(_ request: String, to service: any HTTPResponder) async throws -> Sent {
        let response = await RequestText(service: service).response(request)
        return Sent(
            status: response.head.status.code,
            fields: response.head.headerFields.map { "\($0.name): \($0.value)" }.sorted(),
            body: try await response.body.collect(upTo: 1_000_000))
    }

    private static let urls = [
        "$metadata", "$metadata?$format=xml", "$metadata?$format=json", "$metadata?$format=text/html",
        "$metadata?$schemaversion=*", "$metadata?$schemaversion=x", "$metadata?$top=1", "", "?$format=json",
        "?$format=json;metadata=none", "?$format=xml", "v2/$metadata", "v2/", "v2/?$format=json",
    ]
    private static let headers = [
        "", "Accept: application/json", "Accept: application/xml", "Accept: application/json;odata.metadata=none",
        "Accept: application/json;odata.metadata=full", "Accept: application/json;charset=utf-8", "Accept: text/html",
        "OData-MaxVersion: 4.0", "OData-MaxVersion: 4.01", "OData-MaxVersion: 3.0", "OData-Version: 4.0",
        "MaxDataServiceVersion: 2.0", "Accept-Encoding: gzip", "Accept-Encoding: gzip\nOData-MaxVersion: 4.0",
        "Accept-Encoding: gzip\nAccept: application/json", "Accept-Encoding: identity", "If-None-Match: *",
        "If-None-Match: W/\"0\"", "If-None-Match: *\nAccept-Encoding: gzip", "Prefer: respond-async=false",
    ]

    @Test("No request gets the response to another one, however often and in which order they are sent")
    func responsesAreTheirOwn() async throws {
        let file = try PublishedFile()
        let requests = Self.urls.flatMap { url in
            Self.headers.flatMap { header in ["GET", "HEAD"].map { "\($0) \(url)\n\(header)" } }
        }
        var expected: [String: Sent] = [:]
        let store = OperationStore(file.store, operations: ShopOperations.all)
        for request in requests {
            expected[request] = try await sent(request, to: ODataService(store: store))
        }
        for step in [1, 11, 13] {
            for index in requests.indices {
                let request = requests[index * step % requests.count]
                #expect(try await sent(request, to: file.service) == expected[request], "\(request)")
            }
        }
        #expect(Set(expected.values.map(\.status)).isSuperset(of: [200, 304, 400, 404, 406]))
    }

    @Test("Each form has its type, its version and its length", arguments: ["$metadata", "$metadata?$format=json", ""])
    func forms(url: String) async throws {
        let file = try PublishedFile()
        let plain = try await sent("GET \(url)", to: file.service)
        #expect(plain["Content-Length"] == "\(plain.body.count)")
        #expect(plain["Content-Encoding"] == nil)
        #expect(plain["Vary"] == "Accept, Accept-Encoding, OData-MaxVersion, Prefer")
        #expect(plain["X-Content-Type-Options"] == "nosniff")
        #expect(plain["ETag"]?.hasPrefix("W/\"") == true)
        #expect(plain["OData-Version"] == "4.01")
        let old = try await sent("GET \(url)\nOData-MaxVersion: 4.0", to: file.service)
        #expect(old["OData-Version"] == "4.0")
        let head = try await sent("HEAD \(url)", to: file.service)
        #expect(head == Sent(status: 200, fields: plain.fields, body: []))
    }

    @Test(
        "The compressed form is sent to clients that prefer it",
        arguments: [
            ("gzip", true), ("gzip, deflate, br", true), ("x-gzip", true), ("GZIP", true), ("*", true),
            ("gzip;q=0.5, identity;q=0.5", true), ("gzip;q=0.5", true), ("br, *;q=0.1", true), ("gzip;q=0", false),
            ("gzip;q=0.5, identity", false), ("deflate", false), ("identity", false), ("*;q=0", false), ("", false),
            ("gzip;q=0, *", false),
        ])
    func compressed(accepted: String, isCompressed: Bool) async throws {
        let file = try PublishedFile()
        let plain = try await sent("GET $metadata", to: file.service)
        let response = try await sent("GET $metadata\nAccept-Encoding: \(accepted)", to: file.service)
        #expect(response["Content-Encoding"] == (isCompressed ? "gzip" : nil))
        #expect(response["Content-Length"] == "\(response.body.count)")
        #expect(response["ETag"] == plain["ETag"])
        #expect(response["Content-Type"] == plain["Content-Type"])
        #expect(try isCompressed ? gunzipped(response.body) == plain.body : response == plain)
        #expect(!isCompressed || response.body.count < plain.body.count / 2)
        let head = try await sent("HEAD $metadata\nAccept-Encoding: \(accepted)", to: file.service)
        #expect(head == Sent(status: 200, fields: response.fields, body: []))
    }

    @Test("A document that compression would not shorten is sent as it is")
    func incompressible() async throws {
        let response = try await sent(
            "GET ?$format=json;metadata=none\nAccept-Encoding: gzip", to: ODataService(store: EmptyStore()))
        #expect(response["Content-Encoding"] == nil)
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"value":[]}"#)
    }

    @Test("A batch has documents that are not compressed")
    func batch() async throws {
        let file = try PublishedFile()
        let text = try await file.responseText(
            """
            POST $batch
            Content-Type: application/json

            {"requests":[{"id":"1","method":"get","url":"$metadata","headers":{"accept-encoding":"gzip",
            "accept":"application/json"}}]}
            """)
        #expect(text.contains(#""$EntityContainer""#), "\(text)")
        #expect(!text.contains("gzip"))
    }

    @Test(
        "A client that has the document gets 304",
        arguments: ["$metadata", "$metadata?$format=json", "", "v2/$metadata"])
    func unchanged(url: String) async throws {
        let file = try PublishedFile()
        let etag = try #require(try await sent("GET \(url)", to: file.service)["ETag"])
        for tags in [etag, "*", "\"x\", \(etag)", String(etag.dropFirst(2))] {
            for headers in ["", "\nAccept-Encoding: gzip"] {
                let response = try await sent("GET \(url)\nIf-None-Match: \(tags)\(headers)", to: file.service)
                #expect(response.status == 304)
                #expect(response.body.isEmpty)
                #expect(response["ETag"] == etag)
                #expect(response["Content-Length"] == nil)
            }
        }
        #expect(try await sent("GET \(url)\nIf-None-Match: \"x\"", to: file.service).status == 200)
    }

    @Test("Documents of different formats and versions have different ETags")
    func tags() async throws {
        let file = try PublishedFile()
        var tags: [String?] = []
        for request in [
            "$metadata", "$metadata?$format=json", "$metadata\nOData-MaxVersion: 4.0",
            "$metadata?$format=json\nOData-MaxVersion: 4.0", "v2/$metadata", "", "?$format=json;metadata=none",
        ] { tags.append(try await sent("GET \(request)", to: file.service)["ETag"]) }
        #expect(Set(tags).count == tags.count)
    }

    @Test("After a change of the model all documents are new ones")
    func newModel() async throws {
        let file = try PublishedFile(also: "CREATE TABLE Fruits(ID INTEGER PRIMARY KEY);")
        let urls = ["$metadata", "$metadata?$format=json", "v2/$metadata", ""]
        var old: [String: Sent] = [:]
        for url in urls {
            for header in ["", "\nAccept-Encoding: gzip"] {
                old[url + header] = try await sent("GET \(url)\(header)", to: file.service)
            }
        }
        #expect(try await sent("GET Products?$select=Colour", to: file.service).status == 400)
        #expect(try await sent("GET Colours", to: file.service).status == 404)
        #expect(try await sent("GET Fruits", to: file.service).status == 200)
        try file.execute(
            """
            ALTER TABLE Products ADD COLUMN Colour TEXT;
            CREATE TABLE Colours(ID INTEGER PRIMARY KEY);
            DROP TABLE Fruits;
            """)
        for (request, before) in old {
            let now = try await sent("GET \(request)", to: file.service)
            #expect(now.status == 200)
            #expect(now.body != before.body)
            #expect(now["ETag"] != before["ETag"])
            let bytes = try now["Content-Encoding"] == nil ? now.body : gunzipped(now.body)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("Colours"))
            #expect(!text.contains("Fruits"))
            let etag = try #require(before["ETag"])
            #expect(try await sent("GET \(request)\nIf-None-Match: \(etag)", to: file.service) == now)
        }
        #expect(try await sent("GET Products?$select=Colour", to: file.service).status == 200)
        #expect(try await sent("GET Colours", to: file.service).status == 200)
        #expect(try await sent("GET Fruits", to: file.service).status == 404)
    }

    @Test("The service document names the root that the client has called")
    func roots() async throws {
        let file = try PublishedFile()
        for round in 0..<2 {
            // More than are kept.
            for number in 0..<40 {
                let root = "http://host\(number).test/"
                let request = HTTPRequest(method: .get, scheme: "http", authority: "host\(number).test", path: "/")
                let response = await file.service.respond(to: request, body: .empty, root: root)
                let body = String(decoding: try await response.body.collect(upTo: 100_000), as: UTF8.self)
                #expect(body.contains(#""@odata.context":"\#(root)$metadata""#), "\(round): \(body)")
            }
        }
    }
}

/// A store of nothing.
private struct EmptyStore: ODataStore {
    private static let refusal = ODataError(.notImplemented, "Nothing is here.")

    func model() async throws -> EdmModel { try EdmModel(schemas: []) }
    func read(_ request: ReadRequest) async throws -> ReadResult { throw Self.refusal }
    func change(_ request: ChangeRequest) async throws -> ChangeResult { throw Self.refusal }
    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { throw Self.refusal }
    func readStream(_ request: StreamRequest) async throws -> StreamResult { throw Self.refusal }
}
