import ByteStreams
import Foundation
import HTTPTypes
import ODataTransport
import Testing
import URLSessionTransport

/// Runs on Linux too: what is refused there is refused, the rest is sound.
@Suite struct URLSessionTransportTests {
    private func withFolder(_ body: (URLSessionTransport, String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(URLSessionTransport(folder: folder.path, responseLimit: 1000), folder.path)
    }

    private func files(_ folder: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder).count
    }

    @Test(arguments: [0, 5, 3_000_000])
    func aDownloadIsAFileUntilItWasRead(count: Int) async throws {
        try await RawServer.run { client in
            while true {
                let head = try await client.requestHead()
                if head.isEmpty { return }
                let isRight = head.hasPrefix("get /a?b=c") && head.contains("accept-encoding: gzip, deflate")
                let status = isRight ? "200 OK" : "400 Bad"
                try await client.send("HTTP/1.1 \(status)\r\nETag: \"1\"\r\nContent-Length: \(count)\r\n\r\n")
                try await client.send(count: count)
            }
        } _: { url in
            try await withFolder { transport, folder in
                var response: TransportResponse? = try await transport.get(url + "/a?b=c")
                #expect(response?.head.status == .ok)
                #expect(response?.head.headerFields[.eTag] == "\"1\"")
                #expect(response?.body.length == Int64(count))
                #expect(try files(folder) == 1)
                #expect(try await response?.body.collect(upTo: count) == [UInt8](repeating: 7, count: count))
                response = nil
                // The session's own thread may hold it a moment longer, but not until a second transfer has ended.
                let second = try await transport.get(url + "/a?b=c")
                #expect(try files(folder) == 1)
                #expect(second.body.length == Int64(count))
            }
        }
    }

    @Test(arguments: [0, 5, 2_000_000], [HTTPRequest.Method.put, .post, .patch])
    func anUploadIsAFileOnTheWay(count: Int, method: HTTPRequest.Method) async throws {
        try await RawServer.run { client in
            let head = try await client.requestHead()
            let sum = try await client.body(count)
            let isWhole = head.contains("content-length: \(count)") && !head.contains("transfer-encoding")
            let isRight = head.hasPrefix(method.rawValue.lowercased()) && isWhole && sum == count * 3
            let text = "{\"ok\":true}"
            try await client.send(
                "HTTP/1.1 \(isRight ? "201 Created" : "400 Bad")\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
            )
            try await client.stall()
        } _: { url in
            try await withFolder { transport, folder in
                let once = try DataSource([UInt8](repeating: 3, count: count)).open(at: 0)
                let response = try await transport.get(url, method, body: ByteContent(once, length: nil))
                #expect(response.head.status == .created)
                #expect(try await response.body.collect(upTo: 100) == Array("{\"ok\":true}".utf8))
                #expect(try files(folder) == 0)
            }
        }
    }

    @Test(arguments: [301, 307])
    func redirectsAreLeftToMiddleware(status: Int) async throws {
        try await RawServer.run { client in
            _ = try await client.requestHead()
            try await client.send("HTTP/1.1 \(status) There\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")
            try await client.stall()
        } _: { url in
            try await withFolder { transport, _ in
                let got = try await transport.get(url + "/a").head.status.code
                #expect(got == status)
            }
        }
    }

    @Test func aBodyThatBreaksOffIsAnError() async throws {
        try await RawServer.run { client in
            _ = try await client.requestHead()
            try await client.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
        } _: { url in
            try await withFolder { transport, _ in
                let error = await #expect(throws: TransportError.self) { try await transport.get(url) }
                #expect(error?.code == .truncated || error?.code == .interrupted)
            }
        }
    }

    @Test func nobodyListens() async throws {
        let url = try await RawServer.run({ _ in }, { $0 })
        try await withFolder { transport, _ in
            let error = await #expect(throws: TransportError.self) { try await transport.get(url) }
            #expect(error?.code == .unreachable)
        }
    }

    @Test func aResponseTooLongIsCutOff() async throws {
        try await RawServer.run { client in
            _ = try await client.requestHead()
            _ = try await client.body(3)
            try await client.send("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n")
            try await client.send(count: 5000)
            try await client.stall()
        } _: { url in
            try await withFolder { transport, _ in
                let error = await #expect(throws: ByteStreamError.self) {
                    try await transport.get(url, .put, body: ByteContent([1, 2, 3]))
                }
                #expect(error?.code == .tooLong)
            }
        }
    }

    @Test func aBodyOfAnotherLengthIsNotSent() async throws {
        try await withFolder { transport, _ in
            let body = ByteContent(try DataSource([1, 2]).open(at: 0), length: 3)
            let error = await #expect(throws: ByteStreamError.self) {
                try await transport.get("http://127.0.0.1:1/", .put, body: body)
            }
            #expect(error?.code == .changed)
        }
    }

    @Test func whatIsNoURL() async throws {
        try await withFolder { transport, _ in
            let error = await #expect(throws: TransportError.self) { try await transport.get("ftp://h/") }
            #expect(error?.code == .invalidURL)
        }
    }

    #if canImport(FoundationNetworking)
        @Test(arguments: [HTTPRequest.Method.head, .delete, .post])
        func onLinuxOnlyFilesAreMoved(method: HTTPRequest.Method) async throws {
            try await withFolder { transport, _ in
                let error = await #expect(throws: TransportError.self) {
                    try await transport.get("http://127.0.0.1:1/", method)
                }
                #expect(error?.code == .unsupported)
                #expect(error?.isBeforeSending == true)
            }
        }
    #endif
}
