import ByteStreams
import HTTPTypes
import ODataTransport
import Testing

@Suite("Responses that came compressed")
struct ResponseDecodingTests {
    /// `hello`
    private static let gzip: [UInt8] = [
        0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0x02, 0xff, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x86, 0xa6, 0x10, 0x36,
        0x05, 0, 0, 0,
    ]
    private static let bare: [UInt8] = [0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]
    private static let zlib: [UInt8] = [0x78, 0x9c] + bare + [0x06, 0x2c, 0x02, 0x15]

    private static func response(_ encoding: String?, _ body: [UInt8], status: Int = 200) -> TransportResponse {
        var fields: HTTPFields = [.contentLength: "\(body.count)", .eTag: "\"1\""]
        fields[.contentEncoding] = encoding
        return TransportResponse(
            head: HTTPResponse(status: .init(code: status), headerFields: fields), body: ByteContent(body))
    }

    @Test(
        "Are decoded, and do not say that they are compressed any more",
        arguments: [
            ("gzip", gzip), ("GZIP", gzip), ("x-gzip", gzip), ("identity, gzip", gzip), ("deflate", zlib),
            ("deflate", bare), (" Deflate ", bare),
        ])
    func decoded(encoding: String, body: [UInt8]) async throws {
        let response = Self.response(encoding, body).decoded(limit: 5)
        #expect(try await response.body.collect(upTo: 100) == Array("hello".utf8))
        #expect(response.body.length == nil)
        #expect(response.head.headerFields == [.eTag: "\"1\""])
    }

    @Test("Without a body there is nothing to decode", arguments: [200, 204, 304])
    func empty(status: Int) async throws {
        let response = Self.response("gzip", [], status: status).decoded(limit: 5)
        #expect(try await response.body.collect(upTo: 100) == [])
        #expect(response.head.headerFields[.contentEncoding] == nil)
    }

    @Test(
        "Other encodings, parts and what is not compressed stay",
        arguments: [
            ("br", 200), ("gzip, br", 200), (nil, 200), ("identity", 200), ("gzip", 206),
        ])
    func others(encoding: String?, status: Int) async throws {
        let response = Self.response(encoding, Self.gzip, status: status).decoded(limit: 5)
        #expect(try await response.body.collect(upTo: 100) == Self.gzip)
        #expect(response.head.headerFields[.contentEncoding] == encoding)
    }

    @Test(
        "What is too long, cut or not compressed is an error",
        arguments: [
            (gzip, 4), (Array(gzip.prefix(15)), 5), (Array("no gzip at all".utf8), 5), (Array(gzip.dropLast()), 5),
        ] as [([UInt8], Int64)])
    func broken(body: [UInt8], limit: Int64) async {
        let error = await #expect(throws: TransportError.self) {
            try await Self.response("gzip", body).decoded(limit: limit).body.collect(upTo: 100)
        }
        #expect(error?.code == .encoding)
    }
}
