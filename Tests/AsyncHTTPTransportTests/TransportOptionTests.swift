import AsyncHTTPTransport
import ByteStreams
import Foundation
import HTTPTypes
import NIOCore
import NIOSSL
import ODataTransport
import TestSupport
import Testing
import URLSessionTransport

/// Client certificates, proxies, HTTP/2 and compression.
@Suite struct TransportOptionTests {
    // MARK: Certificates

    private func withFiles<Result>(
        _ body: (AsyncHTTPTransport.Configuration, AsyncHTTPTransport.ClientCertificate) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (chain, key) = (folder.path + "/chain.pem", folder.path + "/key.pem")
        try Data(TestCertificate.certificate.utf8).write(to: URL(fileURLWithPath: chain))
        try Data(TestCertificate.key.utf8).write(to: URL(fileURLWithPath: key))
        var configuration = AsyncHTTPTransport.Configuration()
        configuration.trustedCertificates = chain
        return try await body(configuration, .init(chain: chain, privateKey: key))
    }

    private func context(asksForCertificate: Bool = false, protocols: [String] = []) throws -> NIOSSLContext {
        var configuration = try TestCertificate.server()
        configuration.applicationProtocols = protocols
        if asksForCertificate {
            configuration.trustRoots = .certificates([try TestCertificate.parsed()])
            configuration.certificateVerification = .noHostnameVerification
        }
        return try NIOSSLContext(configuration: configuration)
    }

    @Test(arguments: [true, false])
    func aServiceMayAskWhoIsThere(hasCertificate: Bool) async throws {
        let result = try await withFiles { configuration, certificate in
            var configuration = configuration
            if hasCertificate { configuration.clientCertificate = certificate }
            let chosen = configuration
            return try await RawServer.run(tls: try context(asksForCertificate: true)) { client in
                if try await client.requestHead().isEmpty { return }
                try await client.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            } _: { url in
                try await withTransport(chosen) { transport in
                    await Result { try await transport.text(url.replacing("127.0.0.1", with: "localhost")) }
                }
            }
        }
        #expect(((try? result.get()) == "ok") == hasCertificate)
    }

    @Test func aCertificateThatCannotBeReadIsTold() async throws {
        var configuration = AsyncHTTPTransport.Configuration()
        configuration.clientCertificate = .init(chain: "/nowhere/chain.pem", privateKey: "/nowhere/key.pem")
        let error = try await withTransport(configuration) { transport in
            await #expect(throws: TransportError.self) { try await transport.text("https://127.0.0.1:1/") }
        }
        #expect(error?.code == .insecure)
        #expect(error?.message.contains("client certificate") == true)
    }

    // MARK: HTTP/2

    @Test(arguments: [true, false])
    func http2IsSpokenWhereItIsOffered(usesHTTP2: Bool) async throws {
        let text = try await withFiles { configuration, _ in
            var configuration = configuration
            configuration.usesHTTP2 = usesHTTP2
            let chosen = configuration
            return try await RawServer.run(tls: try context(protocols: ["h2", "http/1.1"])) { client in
                let head = try await client.requestHead()
                guard head == "pri * http/2.0" else {
                    return try await client.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none")
                }
                _ = try await client.requestHead()
                try await client.send(HTTP2Frames.settings)
                while try await client.frameType() != HTTP2Frames.headersType {}
                try await client.send(HTTP2Frames.response("two"))
                try await client.stall()
            } _: { url in
                try await withTransport(chosen) { transport in
                    try await transport.text(url.replacing("127.0.0.1", with: "localhost"))
                }
            }
        }
        #expect(text == (usesHTTP2 ? "two" : "one"))
    }

    // MARK: Proxies

    private func proxied(
        user: String? = nil, _ script: @escaping RawServer.Script, request: String
    ) async throws -> Result<String, any Error> {
        try await RawServer.run(script) { url in
            let port = Int(url.split(separator: ":").last ?? "") ?? 0
            var configuration = AsyncHTTPTransport.Configuration()
            configuration.proxy = .init(host: "127.0.0.1", port: port, user: user, password: user.map { _ in "secret" })
            return try await withTransport(configuration) { transport in
                await Result { try await transport.text(request) }
            }
        }
    }

    @Test(arguments: ["user", nil])
    func requestsGoThroughATunnel(user: String?) async throws {
        let result = try await proxied(
            user: user,
            { client in
                let head = try await client.requestHead()
                let isToService = head.hasPrefix("connect service.invalid:80 http/1.1")
                let isAuthorized = head.contains("proxy-authorization: basic dxnlcjpzzwnyzxq=")
                guard isToService, isAuthorized == (user != nil) else { return }
                try await client.send("HTTP/1.1 200 OK\r\n\r\n")
                let request = try await client.requestHead()
                let isRight = request.hasPrefix("get /a http/1.1") && !request.contains("proxy-authorization")
                let status = isRight ? "200 OK" : "400 Bad Request"
                try await client.send("HTTP/1.1 \(status)\r\nContent-Length: 3\r\n\r\nvia")
            }, request: "http://service.invalid/a")
        #expect(try result.get() == "via")
    }

    @Test(arguments: [
        ("407 Proxy Authentication Required", TransportError.Code.credentials), ("502 Bad Gateway", .unreachable),
    ])
    func aProxyThatRefusesATunnelIsTold(status: String, code: TransportError.Code) async throws {
        let result = try await proxied(
            { client in
                let head = try await client.requestHead()
                guard head.hasPrefix("connect service.invalid:443 ") else { return }
                try await client.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
            }, request: "https://service.invalid/a")
        let error = #expect(throws: TransportError.self) { try result.get() }
        #expect(error?.code == code)
    }

    // MARK: Compression

    /// `hello`, in gzip.
    private static let hello: [UInt8] = [
        0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0x02, 0xff, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x86, 0xa6, 0x10, 0x36,
        0x05, 0, 0, 0,
    ]

    private func compressed(
        _ bytes: [UInt8], limit: Int = 1000, fields: HTTPFields = [:]
    ) async throws -> Result<(HTTPFields, String, asked: String), any Error> {
        var configuration = AsyncHTTPTransport.Configuration()
        configuration.compression = .gzip(limit: limit)
        let chosen = configuration
        return try await RawServer.run { client in
            let head = try await client.requestHead()
            let asked = head.split(separator: "\r\n").first { $0.hasPrefix("accept-encoding:") } ?? ""
            try await client.send(
                "HTTP/1.1 200 OK\r\nX-Asked: \(asked.dropFirst(17))\r\nContent-Encoding: gzip\r\n"
                    + "Content-Length: \(bytes.count)\r\n\r\n")
            try await client.send(bytes)
        } _: { url in
            try await withTransport(chosen) { transport in
                await Result {
                    var request = HTTPRequest(method: .get, url: try #require(AbsoluteURL(url)))
                    request.headerFields.append(contentsOf: fields)
                    let response = try await transport.send(request, body: nil)
                    let text = String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
                    let asked = HTTPField.Name("X-Asked").flatMap { response.head.headerFields[$0] } ?? ""
                    return (response.head.headerFields, text, asked: asked)
                }
            }
        }
    }

    @Test func compressedResponsesAreDecoded() async throws {
        let (fields, text, asked) = try await compressed(Self.hello).get()
        #expect(text == "hello")
        #expect(asked == "gzip, deflate")
        #expect(fields[.contentEncoding] == nil && fields[.contentLength] == nil)
    }

    @Test func mediaAreAskedForWithoutCompressionAndDecodedAllTheSame() async throws {
        let (_, text, asked) = try await compressed(Self.hello, fields: [.acceptEncoding: "identity"]).get()
        #expect(asked == "identity")
        #expect(text == "hello")
    }

    @Test(arguments: ["gzip", "x-gzip", "deflate"], [true, false])
    func bothTransportsAskForCompressionAndDecodeByDefault(encoding: String, isSession: Bool) async throws {
        // The session's own client knows what it has asked for.
        guard !isSession || encoding == "gzip" else { return }
        let body = encoding == "deflate" ? Array(Self.hello[10..<17]) : Self.hello
        try await RawServer.run { client in
            let head = try await client.requestHead()
            let isAsked = head.contains("accept-encoding: gzip, deflate")
            try await client.send(
                "HTTP/1.1 \(isAsked ? "200 OK" : "400 Bad")\r\nContent-Encoding: \(encoding)\r\n"
                    + "Content-Length: \(body.count)\r\n\r\n")
            try await client.send(body)
            try await client.stall()
        } _: { url in
            let request = HTTPRequest(method: .get, url: try #require(AbsoluteURL(url)))
            func check(_ transport: any HTTPTransport) async throws {
                let response = try await transport.send(request, body: nil)
                #expect(response.head.status == .ok)
                #expect(response.head.headerFields[.contentEncoding] == nil)
                #expect(try await response.body.collect(upTo: 100) == Array("hello".utf8))
            }
            guard !isSession else { return try await check(URLSessionTransport()) }
            try await withTransport { try await check($0) }
        }
    }

    @Test func aSessionDecodesNoMoreThanItsLimit() async throws {
        try await RawServer.run { client in
            _ = try await client.requestHead()
            try await client.send(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(Self.hello.count)\r\n\r\n")
            try await client.send(Self.hello)
            try await client.stall()
        } _: { url in
            let request = HTTPRequest(method: .get, url: try #require(AbsoluteURL(url)))
            let error = await #expect(throws: TransportError.self) {
                try await URLSessionTransport(decodedLimit: 4).send(request, body: nil)
            }
            #expect(error?.code == .encoding)
        }
    }

    @Test(arguments: [(Self.hello, 4), (Array(Self.hello.prefix(15)), 1000), (Array("no gzip at all".utf8), 1000)])
    func whatIsTooLongOrBrokenIsAnError(bytes: [UInt8], limit: Int) async throws {
        let result = try await compressed(bytes, limit: limit)
        let error = #expect(throws: TransportError.self) { try result.get() }
        #expect(error?.code == .encoding)
    }
}

/// What a server of HTTP/2 says.
///
/// [RFC 9113, section 4.1]
private enum HTTP2Frames {
    static let headersType: UInt8 = 1
    /// SETTINGS, and that those of the client are known.
    static let settings = frame(type: 4, flags: 0, stream: 0, []) + frame(type: 4, flags: 1, stream: 0, [])

    /// HEADERS (`:status: 200`) and DATA of the first stream.
    static func response(_ text: String) -> [UInt8] {
        frame(type: headersType, flags: 4, stream: 1, [0x88]) + frame(type: 0, flags: 1, stream: 1, Array(text.utf8))
    }

    private static func frame(type: UInt8, flags: UInt8, stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
    }
}

extension Conversation {
    /// Reads a frame and gives its type.
    fileprivate func frameType() async throws -> UInt8 {
        let head = try await bytes(9)
        _ = try await bytes(Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2]))
        return head[3]
    }
}

extension Result where Failure == any Error {
    /// What `body` gives or throws.
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
