import AsyncHTTPTransport
import ByteStreams
import Foundation
import HTTPTypes
import ODataTransport
import TestSupport
import Testing
import ToolSupport

/// The options of `odata serve` that say who may come and what may be asked.
@Suite struct ServeCommandTests {
    private typealias Exchange = (
        method: HTTPRequest.Method, path: String, fields: HTTPFields, status: Int, name: HTTPField.Name?, value: String?
    )

    /// Has the exchanges with a service of its own, and gives the last response's body.
    ///
    /// - Parameters:
    ///   - trusted: A file of certificates to trust.
    ///   - posted: The body of what is posted.
    @discardableResult
    private func check(
        _ options: [String], _ exchanges: [Exchange], trusted: String? = nil, posted: String = ""
    ) async throws -> String {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample(), options)
        var configuration = AsyncHTTPTransport.Configuration()
        configuration.trustedCertificates = trusted
        let transport = AsyncHTTPTransport(configuration: configuration)
        let root = try #require(URL(string: served.root))
        var last: [UInt8] = []
        for exchange in exchanges {
            let request = HTTPRequest(
                method: exchange.method, scheme: root.scheme, authority: "\(root.host() ?? ""):\(root.port ?? 0)",
                path: "/" + exchange.path, headerFields: exchange.fields)
            let body = exchange.method == .post ? ByteContent(Array(posted.utf8)) : nil
            let response = try await transport.send(request, body: body)
            last = try await response.body.collect(upTo: 1_000_000)
            #expect(response.head.status.code == exchange.status, "\(exchange.method) \(exchange.path)")
            if let name = exchange.name { #expect(response.head.headerFields[name] == exchange.value) }
        }
        try await transport.shutdown()
        #expect(await served.stop().status == 0)
        return String(decoding: last, as: UTF8.self)
    }

    private func secret(_ scratch: borrowing Scratch, _ name: String, _ text: String) throws -> String {
        let path = scratch.folder + "/" + name
        try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func onlyThoseWhoAreKnownMayComeIn() async throws {
        let scratch = try Scratch()
        let password = try secret(scratch, "password", "open sesame")
        let token = try secret(scratch, "token", "abc123")
        let basic = "Basic " + Data("ada:open sesame".utf8).base64EncodedString()
        let wrong = "Basic " + Data("ada:open".utf8).base64EncodedString()
        try await check(
            ["--user", "ada:\(password)", "--bearer", token],
            [
                (.get, "Products", [:], 401, nil, nil), (.get, "Products", [.authorization: basic], 200, nil, nil),
                (.get, "Products", [.authorization: wrong], 401, nil, nil),
                (.get, "Products", [.authorization: "Bearer abc123"], 200, nil, nil),
                (.get, "$metadata", [.authorization: "Bearer abc12"], 401, nil, nil),
            ])
    }

    @Test func pagesOfAnOriginMayAsk() async throws {
        let allowed = try #require(HTTPField.Name("Access-Control-Allow-Origin"))
        try await check(
            ["--cors", "https://app.example"],
            [
                (.get, "Products", [.origin: "https://app.example"], 200, allowed, "https://app.example"),
                (.get, "Products", [.origin: "https://other.example"], 200, allowed, nil),
            ])
    }

    @Test func limitsAreKept() async throws {
        try await check(
            ["--max-url", "200", "--require-etag", "--max-expand", "1"],
            [
                (.get, "Products?$top=1&x=" + String(repeating: "x", count: 300), [:], 414, nil, nil),
                (.delete, "Products('P-0001')", [:], 428, nil, nil),
                (.get, "SalesOrders?$expand=SalesOrderItems", [:], 200, nil, nil),
                (.get, "SalesOrders?$expand=SalesOrderItems($expand=Product)", [:], 400, nil, nil),
            ])
    }

    @Test func limitsOfBodiesAreKept() async throws {
        let json: HTTPFields = [.contentType: "application/json"]
        try await check(
            ["--max-body", "20", "--max-batch-parts", "1"],
            [(.post, "Products", json, 413, nil, nil), (.post, "$batch", json, 400, nil, nil)],
            posted: #"{"requests":[{"id":"1","method":"get","url":"a"},{"id":"2","method":"get","url":"b"}]}"#)
        let page = try await check(["--max-page-size", "2"], [(.get, "Products", [:], 200, nil, nil)])
        #expect(page.contains("nextLink"), "\(page)")
    }

    @Test func aCertificateAndAnAddressAreThoseOfTheService() async throws {
        let scratch = try Scratch()
        let files = try TestCertificate.write(to: scratch.folder)
        let document = try await check(
            ["--host", "localhost", "--tls-cert", files.certificate, "--tls-key", files.key],
            [(.get, "Products/$count", [:], 200, nil, nil), (.get, "", [:], 200, nil, nil)],
            trusted: files.certificate)
        #expect(document.contains(#""@odata.context":"https://localhost:"#), "\(document)")
        let sample = try scratch.sample()
        // An address that is kept for examples: no machine has it.
        let elsewhere = try await Tool.run("serve", sample, "--host", "192.0.2.1")
        #expect(elsewhere.status != 0)
        #expect(elsewhere.standardError.contains("cannot listen at 192.0.2.1"), "\(elsewhere.standardError)")
        let first = try ServedSample(sample)
        let taken = try #require(URLComponents(string: first.root)?.port)
        let second = try await Tool.run("serve", sample, "--port", "\(taken)")
        #expect(second.status == 1 && second.standardError.contains("another process does."), "\(second.standardError)")
    }

    @Test func streamsInAMediaFolderOutliveAKilledService() async throws {
        let scratch = try Scratch()
        let path = try scratch.sample()
        let options = ["--media", "Photos=Content:image/png", "--media-folder", scratch.folder + "/media"]
        let transport = AsyncHTTPTransport()
        func send(_ method: HTTPRequest.Method, _ served: ServedSample, _ body: [UInt8]? = nil) async throws -> [UInt8]
        {
            let root = try #require(URL(string: served.root))
            let request = HTTPRequest(
                method: method, scheme: root.scheme, authority: "\(root.host() ?? ""):\(root.port ?? 0)",
                path: "/Photos(9000)/$value", headerFields: body == nil ? [:] : [.contentType: "image/png"])
            let response = try await transport.send(request, body: body.map { ByteContent($0) })
            #expect(response.head.status.kind == .successful)
            return try await response.body.collect(upTo: 1_000_000)
        }
        let bytes = [UInt8](repeating: 7, count: 300_000)
        let killed = try ServedSample(path, options)
        _ = try await send(.put, killed, bytes)
        let second = try await Tool.run(["serve", path, "--port", "0"] + options)
        #expect(second.status != 0 && second.standardError.contains("in use"), "\(second.standardError)")
        killed.running.send(SIGKILL)
        _ = await killed.running.finish()
        let served = try ServedSample(path, options)
        #expect(try await send(.get, served) == bytes)
        #expect(await served.stop().status == 0)
        try await transport.shutdown()
    }

    @Test func aSampleInAFileHasItsStreamsInAMediaFolder() async throws {
        let scratch = try Scratch()
        let media = scratch.folder + "/media"
        let arguments = (scratch.folder + "/sample.db", ["--sample", "compliance", "--media-folder", media])
        let transport = AsyncHTTPTransport()
        func send(_ method: HTTPRequest.Method, _ path: String, to root: String, _ body: [UInt8]? = nil) async throws
            -> (location: String?, bytes: [UInt8])
        {
            let url = try #require(URL(string: root))
            let slug = try #require(HTTPField.Name("Slug"))
            let request = HTTPRequest(
                method: method, scheme: url.scheme, authority: "\(url.host() ?? ""):\(url.port ?? 0)", path: path,
                headerFields: body == nil ? [:] : [.contentType: "text/plain", slug: "greeting"])
            let response = try await transport.send(request, body: body.map { ByteContent($0) })
            #expect(response.head.status.kind == .successful)
            return (response.head.headerFields[.location], try await response.body.collect(upTo: 1_000_000))
        }
        let bytes = [UInt8](repeating: 65, count: 300_000)
        let first = try ServedSample(arguments.0, arguments.1)
        let made = try #require(try await send(.post, "/MediaItems", to: first.root, bytes).location)
        let path = try #require(URL(string: made)).path() + "/$value"
        #expect(await first.stop().status == 0)
        let files = FileManager.default.enumerator(atPath: media)?.compactMap { $0 as? String } ?? []
        let sizes = try files.map { name in
            try FileManager.default.attributesOfItem(atPath: media + "/" + name)[.size] as? Int
        }
        #expect(sizes.contains(bytes.count), "\(files)")
        let second = try ServedSample(arguments.0, arguments.1)
        #expect(try await send(.get, path, to: second.root).bytes == bytes)
        #expect(await second.stop().status == 0)
        try await transport.shutdown()
    }

    @Test func theFieldServiceSampleGoesWithTheService() async throws {
        let scratch = try Scratch()
        let running = try RunningTool(
            ["serve", "--sample", "field-service", "--port", "0"], environment: ["TMPDIR": scratch.folder])
        let root = try #require(running.nextLine())
        let photos = try await Tool.run("get", root + "Photos?$top=2", "--format", "json")
        #expect(photos.rows.count == 2)
        #expect(photos.rows.first?["@odata.mediaContentType"] as? String == "image/png")
        running.send(SIGTERM)
        #expect(await running.finish().status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder).isEmpty)
    }

    @Test func aSignalThatComesWithTheURLEndsTheService() async throws {
        let scratch = try Scratch()
        let path = try scratch.sample()
        for _ in 0..<8 { #expect(try await ServedSample(path).stop().status == 0) }
    }

    @Test func wrongOptionsAreRefused() async throws {
        let scratch = try Scratch()
        let path = try scratch.sample()
        for options in [
            ["--max-url", "0"], ["--tls-cert", "x.pem"], ["--user", "ada"], ["--port", "70000"],
        ] {
            #expect(try await Tool.run(["serve", path] + options).status == 2, "\(options)")
        }
        #expect(try await Tool.run("serve", "--sample", "compliance", "--media-folder", "media").status == 2)
        for options in [["--bearer", "/nowhere"], ["--tls-cert", "/nowhere", "--tls-key", "/nowhere"]] {
            let output = try await Tool.run(["serve", path] + options)
            #expect(output.status != 0)
            #expect(output.standardError.contains("nowhere"), "\(output.standardError)")
        }
    }
}
