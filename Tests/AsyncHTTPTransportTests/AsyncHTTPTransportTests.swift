import AsyncHTTPTransport
import ByteStreams
import HTTPTypes
import ODataTransport
import Synchronization
import Testing

@Suite struct AsyncHTTPTransportTests {
    @Test func aResponseHasStatusHeadersAndBody() async throws {
        try await RawServer.run { client in
            let head = try await client.requestHead()
            let isAsExpected = head.hasPrefix("get /a?b=c http/1.1") && head.contains("accept-encoding: gzip, deflate")
            let status = isAsExpected ? "200 OK" : "400 Bad Request"
            try await client.send("HTTP/1.1 \(status)\r\nContent-Length: 5\r\nETag: \"1\"\r\n\r\nhello")
        } _: { url in
            try await withTransport { transport in
                let response = try await transport.get(url + "/a?b=c")
                #expect(response.head.status == .ok)
                #expect(response.head.headerFields[.eTag] == "\"1\"")
                #expect(response.body.length == 5)
                #expect(try await response.body.collect(upTo: 10) == Array("hello".utf8))
            }
        }
    }

    @Test func redirectsAreLeftToMiddleware() async throws {
        try await RawServer.run { client in
            _ = try await client.requestHead()
            try await client.send("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")
        } _: { url in
            try await withTransport { transport in
                let got = try await transport.get(url + "/a").head.status
                #expect(got == .found)
            }
        }
    }

    @Test func aBodyThatIsNotCompressedAsItSaysIsAnError() async throws {
        try await RawServer.run { client in
            _ = try await client.requestHead()
            try await client.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc")
        } _: { url in
            try await withTransport { transport in
                let error = await #expect(throws: TransportError.self) { try await transport.text(url) }
                #expect(error?.message.contains("not gzip") == true)
            }
        }
    }

    @Test(arguments: [HTTPRequest.Method.head, .get])
    func aResponseWithoutABodyMayHaveAContentLength(method: HTTPRequest.Method) async throws {
        try await RawServer.run { client in
            let head = try await client.requestHead()
            let status = head.hasPrefix("head") ? "200 OK" : "304 Not Modified"
            try await client.send("HTTP/1.1 \(status)\r\nContent-Length: 500\r\n\r\n")
        } _: { url in
            try await withTransport { transport in
                let body = try await transport.get(url, method).body.collect(upTo: 10)
                #expect(body.isEmpty)
            }
        }
    }

    @Test(arguments: [0, 5, 65_536, 65_537, 1_000_000])
    func aBodyOfKnownLengthIsSentWithItsLength(count: Int) async throws {
        try await RawServer.run { client in
            let head = try await client.requestHead()
            let hasLength = head.contains("content-length: \(count)\r\n") || head.hasSuffix("content-length: \(count)")
            let sum = try await client.body(count)
            let status = hasLength && sum == count * 3 ? "204 No Content" : "400 Bad Request"
            try await client.send("HTTP/1.1 \(status)\r\n\r\n")
        } _: { url in
            try await withTransport { transport in
                let body = ByteContent([UInt8](repeating: 3, count: count))
                let got = try await transport.get(url, .put, body: body).head.status
                #expect(got == .noContent)
            }
        }
    }

    @Test func aBodyOfUnknownLengthIsSentInChunks() async throws {
        try await RawServer.run { client in
            let head = try await client.requestHead()
            let sum = try await client.body("3\r\nabc\r\n0\r\n\r\n".utf8.count)
            let expected = "3\r\nabc\r\n0\r\n\r\n".utf8.reduce(0) { $0 + Int($1) }
            let isChunked = head.contains("transfer-encoding: chunked")
            let status = isChunked && sum == expected ? "204 No Content" : "400 Bad Request"
            try await client.send("HTTP/1.1 \(status)\r\n\r\n")
        } _: { url in
            try await withTransport { transport in
                let body = ByteContent(try DataSource(Array("abc".utf8)).open(at: 0), length: nil)
                let got = try await transport.get(url, .put, body: body).head.status
                #expect(got == .noContent)
            }
        }
    }

    @Test func anErrorOfTheBodysSourceIsTold() async throws {
        try await RawServer.run { client in
            _ = try await client.requestHead()
            try await client.stall()
        } _: { url in
            try await withTransport { transport in
                let step = Mutex(0)
                let chunks = ByteChunks {
                    let isFirst = step.withLock { step in
                        step += 1
                        return step == 1
                    }
                    guard isFirst else { throw ByteStreamError(.changed, "the file changed") }
                    return [1, 2, 3]
                }
                let error = await #expect(throws: ByteStreamError.self) {
                    try await transport.get(url, .put, body: ByteContent(chunks, length: 1_000_000))
                }
                #expect(error?.code == .changed)
            }
        }
    }

    @Test func aConnectionServesSeveralRequests() async throws {
        let connections = Mutex(0)
        try await RawServer.run { client in
            connections.withLock { $0 += 1 }
            while try await !client.requestHead().isEmpty {
                try await client.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        } _: { url in
            try await withTransport { transport in
                for _ in 0..<5 {
                    let text = try await transport.text(url)
                    #expect(text == "ok")
                }
            }
        }
        #expect(connections.withLock { $0 } == 1)
    }
}
