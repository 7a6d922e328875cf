import ODataFormats
import ODataMetadata
import ODataQuery
import ODataStores
import ODataTransport
import Testing

@testable import ODataOnline

@Suite struct OnlineStreamTests {
    private func request(_ shop: Shop, offset: Int64 = 0) throws -> StreamRequest {
        var request = StreamRequest(try shop.parser.path("Photos(1)"))
        request.offset = offset
        return request
    }

    @Test func aStreamIsOpenedWhole() async throws {
        let shop = try Shop(.response(200, ["Content-Type": "image/png", "ETag": "\"1\""], "abc"))
        let result = try await shop.store.readStream(try request(shop))
        #expect(try await result.content.collect(upTo: 10) == Array("abc".utf8))
        #expect(result.totalLength == 3)
        #expect(result.contentType == "image/png")
        #expect(result.etag == "\"1\"")
        #expect(shop.service.sent[0].line == "GET http://h/root/Photos(1)/$value")
        #expect(shop.service.sent[0].field("Accept-Encoding") == "identity")
        #expect(shop.service.sent[0].field("Range") == nil)
    }

    @Test("Where streams of a set come with the version, a response without it and without an ETag is not believed")
    func gateways() async throws {
        let shop = try Shop(
            .response(200, ["Content-Type": "application/json"], "{}"), .response(200, ["OData-Version": "4.0"], "abc"),
            .response(200, ["Content-Type": "application/json"], #"{"session":"expired"}"#), .response(200, [:], ""),
            .response(200, ["ETag": "\"1\""], "abc"))
        for isBelieved in [true, true, false, false, true] {
            do {
                _ = try await shop.store.readStream(try request(shop))
                #expect(isBelieved)
            } catch let error as ODataError {
                #expect(!isBelieved && error.code == .invalidResponse, "\(error)")
            }
        }
    }

    @Test func aRestIsAskedFor() async throws {
        let shop = try Shop(.response(206, ["Content-Range": "bytes 2-4/5"], "cde"))
        var request = try request(shop, offset: 2)
        request.ifRange = "\"1\""
        let result = try await shop.store.readStream(request)
        #expect(result.offset == 2)
        #expect(result.totalLength == 5)
        #expect(result.content.length == 3)
        #expect(shop.service.sent[0].field("Range") == "bytes=2-")
        #expect(shop.service.sent[0].field("If-Range") == "\"1\"")
    }

    @Test func digestsAreTold() async throws {
        let (whole, part) = (String(repeating: "00", count: 32), String(repeating: "ff", count: 32))
        let zeros = "sha-256=:\(String(repeating: "A", count: 43))=:"
        let ones = "sha-256=:\(String(repeating: "/", count: 42))8=:"
        let shop = try Shop(
            .response(200, ["Repr-Digest": zeros], "abc"), .response(200, ["Content-Digest": zeros], "abc"),
            .response(206, ["Content-Range": "bytes 2-4/5", "Repr-Digest": zeros, "Content-Digest": ones], "cde"))
        for offset: Int64 in [0, 0, 2] {
            let result = try await shop.store.readStream(try request(shop, offset: offset))
            #expect(result.digest == whole)
            #expect(result.contentDigest == (offset == 0 ? nil : part))
        }
        #expect(shop.service.sent[0].field("Want-Repr-Digest") == "sha-256=10")
    }

    @Test(
        arguments: [
            ("https://cdn.test/x?s=1", "https://h/root", "https://cdn.test/x?s=1"),
            ("https://cdn.test/x", "https://h/", "https://cdn.test/x"),
            ("http://cdn.test/x", "http://h/root", "http://cdn.test/x"), ("http://cdn.test/x", "https://h/root", nil),
            ("ftp://cdn.test/x", "http://h/root", nil), ("Photos(1)/x", "http://h/root", "http://h/root/Photos(1)/x"),
            ("http://inside:8080/root/Photos(1)/x", "https://h/root", "https://h/root/Photos(1)/x"),
            ("http://inside:8080/Photos(1)/x", "https://h/", "https://h/Photos(1)/x"),
        ] as [(String, String, String?)])
    func aReadLinkMayLeadElsewhere(link: String, root: String, expected: String?) async throws {
        let shop = try Shop(.response(200, [:], "abc"), root: root)
        var request = try request(shop)
        request.readLink = link
        guard let expected else {
            let error = await #expect(throws: ODataError.self) { try await shop.store.readStream(request) }
            #expect(error?.code == .invalidResponse)
            #expect(shop.service.sent.isEmpty)
            return
        }
        #expect(try await shop.store.readStream(request).content.collect(upTo: 10) == Array("abc".utf8))
        #expect(shop.service.sent.map(\.line) == ["GET \(expected)"])
    }

    @Test func anotherHostIsToldNoSecret() async throws {
        let service = ScriptedService([
            .response(200, ["Set-Cookie": "session=1"], "a"), .response(401),
            .response(206, ["Content-Range": "bytes 2-2/3"], "c"), .response(200, [:], "b"),
        ])
        var configuration = OnlineStore.Configuration()
        configuration.model = try CSDL.read(xml: Array(Shop.metadata.utf8)).model
        configuration.csrf = .always
        configuration.headers = [HeaderField(name: "X-API-Key", value: "key")]
        configuration.middleware = [BasicAuthentication(user: "u", password: "p")]
        let store = try OnlineStore(serviceRoot: "https://h/root", transport: service, configuration: configuration)
        var request = StreamRequest(try QueryParser(model: try await store.model()).path("Photos(1)"))
        request.headers = [HeaderField(name: "X-Trace", value: "1")]
        _ = try await store.readStream(request)
        request.readLink = "https://cdn.test/x"
        // It does not mean that the service would refuse other requests.
        let error = await #expect(throws: ODataError.self) { try await store.readStream(request) }
        #expect(error?.code == .forbidden)
        request.offset = 2
        request.ifRange = "\"1\""
        #expect(try await store.readStream(request).totalLength == 3)
        request.readLink = nil
        request.offset = 0
        _ = try await store.readStream(request)
        let secrets = ["Authorization", "Cookie", "X-API-Key", "X-CSRF-Token", "X-Trace", "OData-MaxVersion"]
        let told = service.sent.map { sent in secrets.filter { sent.field($0) != nil } }
        #expect(told == [secrets.filter { $0 != "Cookie" }, [], [], secrets])
        #expect(service.sent[2].field("Range") == "bytes=2-" && service.sent[2].field("If-Range") == "\"1\"")
    }

    /// Of `abc`.
    private static let digests: [(field: String, text: String)] = [
        ("Content-MD5", "kAFQmDzST7DWlj99KOF/cg=="), ("Digest", "MD5=kAFQmDzST7DWlj99KOF/cg=="),
        ("Digest", "SHA=qZk+NkcGgWq6PiVxeFDCbJzQ2J0="), ("Digest", "UNIXsum=30637, md5=kAFQmDzST7DWlj99KOF/cg=="),
        (
            "Digest",
            "SHA-512=3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw=="
        ),
        ("Content-Digest", "md5=:kAFQmDzST7DWlj99KOF/cg==:"),
    ]

    @Test("Other digests of the whole stream are checked", arguments: digests)
    func otherDigests(field: String, text: String) async throws {
        let shop = try Shop(
            .response(200, [field: text], "abc"), .response(200, [field: text], "abd"),
            .response(206, [field: text, "Content-Range": "bytes 1-2/3"], "bc"))
        let right = try await shop.store.readStream(try request(shop))
        #expect(try await right.content.collect(upTo: 10) == Array("abc".utf8))
        let wrong = try await shop.store.readStream(try request(shop))
        let error = await #expect(throws: ODataError.self) { try await wrong.content.collect(upTo: 10) }
        #expect(error?.code == .invalidResponse)
        let part = try await shop.store.readStream(try request(shop, offset: 1))
        #expect(try await part.content.collect(upTo: 10) == Array("bc".utf8))
    }

    @Test("A SHA-256 in Digest is told as that of Repr-Digest", arguments: [0, 1])
    func legacyDigest(offset: Int64) async throws {
        let fields = [
            "Digest": "MD5=AAAA,SHA-256=ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=", "Content-Range": "bytes 1-2/3",
        ]
        let shop = try Shop(.response(offset == 0 ? 200 : 206, fields, offset == 0 ? "abc" : "bc"))
        let result = try await shop.store.readStream(try request(shop, offset: offset))
        #expect(result.digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func theWholeMayComeInPlaceOfARest() async throws {
        let shop = try Shop(.response(200, [:], "abcde"))
        #expect(try await shop.store.readStream(try request(shop, offset: 2)).offset == 0)
    }

    @Test(arguments: ["bytes 0-4/5", "bytes 2-9/10", "bytes x", "bytes */5", ""])
    func aRestThatIsNotTheOneIsRefused(range: String) async throws {
        let shop = try Shop(.response(206, ["Content-Range": range], "cde"))
        let error = await #expect(throws: ODataError.self) {
            try await shop.store.readStream(try request(shop, offset: 2))
        }
        #expect(error?.code == .invalidResponse)
    }

    @Test func statusesWithoutBytes() async throws {
        let shop = try Shop(
            .response(304), .response(416, ["Content-Range": "bytes */5"]), .response(404), .response(204))
        #expect(try await shop.store.readStream(try request(shop)).isNotModified)
        for code in [ODataError.Code.rangeNotSatisfiable, .notFound] {
            let error = await #expect(throws: ODataError.self) { try await shop.store.readStream(try request(shop)) }
            #expect(error?.code == code)
            #expect(error?.facts.streamLength == (code == .rangeNotSatisfiable ? 5 : nil))
        }
        #expect(try await shop.store.readStream(try request(shop)).isNull)
    }

    @Test func aStreamThatBreaksOffIsAnError() async throws {
        let shop = try Shop(.broken(200, [:], "ab", .interrupted))
        let result = try await shop.store.readStream(try request(shop))
        let error = await #expect(throws: ODataError.self) { try await result.content.collect(upTo: 10) }
        #expect(error?.code == .unreachable)
        #expect(error?.request == "GET http://h/root/Photos(1)/$value")
    }

    @Test(
        arguments: [
            ("bytes 0-499/1234", 0, 499, 1234), ("bytes 5-5/6", 5, 5, 6), ("Bytes 0-1/*", 0, 1, nil),
        ] as [(String, Int64, Int64, Int64?)])
    func aContentRangeIsRead(text: String, first: Int64, last: Int64, total: Int64?) throws {
        let range = try #require(ContentRange(text))
        #expect(range.first == first && range.last == last && range.total == total)
    }
}
