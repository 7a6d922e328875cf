import AsyncHTTPTransport
import ByteStreams
import HTTPTypes
import ODataStores
import ODataTransport
import Testing

@testable import ODataArcGIS

@Suite("Requests to feature services")
struct RequestTests {
    private static func root() throws -> AbsoluteURL {
        try #require(AbsoluteURL("https://example.org/s/FeatureServer"))
    }

    @Test("Parameters stand in the URL, and in a form where the URL would be too long")
    func forms() throws {
        var request = ArcGISRequest(path: "0/queryAttachments")
        request.parameters = [.init("objectIds", "1,2"), .init("where", "a='ü'")]
        let short = try request.message(below: try Self.root(), with: [.init("f", "json")], longestURL: 2048)
        #expect(short.request.method == .get && short.body == nil)
        #expect(
            short.request.path
                == "/s/FeatureServer/0/queryAttachments?objectIds=1%2C2&where=a%3D%27%C3%BC%27&f=json")
        let length = "https://example.org\(short.request.path ?? "")".utf8.count
        let same = try request.message(below: try Self.root(), with: [.init("f", "json")], longestURL: length)
        #expect(same.request.method == .get)
        let long = try request.message(below: try Self.root(), with: [.init("f", "json")], longestURL: length - 1)
        #expect(long.request.method == .post && long.request.path == "/s/FeatureServer/0/queryAttachments")
        #expect(long.request.headerFields[.contentType] == "application/x-www-form-urlencoded")
        #expect(long.body?.length == Int64("objectIds=1%2C2&where=a%3D%27%C3%BC%27&f=json".utf8.count))
    }

    @Test("A form with a file has a length, is read as often as need be, and no name or type breaks out of its line")
    func multipart() async throws {
        let file = ArcGISRequest.File(
            field: "attachment", name: "a\"b\r\nc.png", contentType: "image/png", content: ByteContent([1, 2, 3]))
        let form = try MultipartForm([.init("f", "json")], file, boundary: "b")
        let head = """
            --b\r\nContent-Disposition: form-data; name="f"\r\n\r\njson\r\n--b\r\n\
            Content-Disposition: form-data; name="attachment"; filename="a%22b%0D%0Ac.png"\r\n\
            Content-Type: image/png\r\n\r\n
            """
        let bytes = Array(head.utf8) + [1, 2, 3] + Array("\r\n--b--\r\n".utf8)
        for _ in 1...2 { #expect(try await form.content.collect(upTo: 1000) == bytes) }
        #expect(form.content.length == Int64(bytes.count))
        #expect(form.contentType == "multipart/form-data; boundary=b")
        var bad = file
        bad.contentType = "image/png\r\nX: y"
        let error = #expect(throws: ODataError.self) { try MultipartForm([], bad) }
        #expect(error?.code == .badRequest)
    }

    @Test(
        "Only URLs of services and layers are taken",
        arguments: ["ftp://a/b", "https://u:p@a/b", "https://a/b?x=1", ""])
    func badURLs(url: String) async throws {
        let transport = AsyncHTTPTransport()
        #expect(throws: ODataError.self) { try ArcGISClient(serviceURL: url, transport: transport) }
        #expect(throws: ODataError.self) {
            try FeatureLayerBackEnd(layerURL: url + "/FeatureServer", transport: transport)
        }
        try await transport.shutdown()
    }
}
