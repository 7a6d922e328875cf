import ByteStreams
import Foundation
import HTTPTypes
import ODataTransport
import Synchronization
import Testing
import URLSessionTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Bodies that are read while they are sent.
@Suite(.timeLimit(.minutes(5))) struct BodyStreamTests {
    private static let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }

    private func target(_ url: String, _ method: String = "PUT") throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        return request
    }

    @Test(arguments: [true, false])
    func aSourceThatLetsWaitIsSentWhole(knowsLength: Bool) async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let (chunks, writer) = AsyncStream.makeStream(of: [UInt8].self)
        writer.yield(Array(Self.bytes[..<5]))
        let status = try await RawServer.run { client in
            let head = try await client.requestHead()
            let first = try await client.chunk() ?? []
            arrival.finish()
            let body = try await first + client.chunks()
            let isRight = head.contains("transfer-encoding: chunked") && !head.contains("content-length")
            try await client.send("HTTP/1.1 \(isRight && body == Self.bytes ? "204 No Content" : "400 Bad")\r\n\r\n")
        } _: { url in
            let transport = URLSessionTransport()
            let source = SequenceSource(length: knowsLength ? Int64(Self.bytes.count) : nil) { _ in chunks }
            let request = try target(url)
            async let sent = transport.send(request, streaming: source)
            for await _ in arrived {}
            writer.yield(Array(Self.bytes[5...]))
            writer.finish()
            return try await sent.head.status.code
        }
        #expect(status == 204)
    }

    @Test func eachRepetitionHasAStreamOfItsOwn() async throws {
        let asked = Mutex<[String]>([])
        let status = try await RawServer.run { client in
            let head = try await client.requestHead()
            let line = head.prefix { $0 != "\r\n" }
            let token = head.contains("bearer old") ? "old" : "new"
            asked.withLock { $0.append("\(line) \(token)") }
            let isWhole = try await client.chunks() == Self.bytes
            let response =
                if !isWhole {
                    "400 Bad"
                } else if head.hasPrefix("put /a ") {
                    "307 There\r\nLocation: /b"
                } else {
                    token == "old" ? "401 Unauthorized" : "201 Created"
                }
            try await client.send("HTTP/1.1 \(response)\r\nContent-Length: 0\r\n\r\n")
            try await client.stall()
        } _: { url in
            let transport = URLSessionTransport(streamsBodies: true).with([
                RedirectMiddleware(), BearerAuthentication { $0 == nil ? "old" : "new" },
            ])
            let body = ByteContent(DataSource(Self.bytes))
            return try await transport.get(url + "/a", .put, body: body).head.status
        }
        #expect(status == .created)
        let lines = asked.withLock { $0 }
        #expect(lines == ["put /a http/1.1 old", "put /b http/1.1 old", "put /b http/1.1 new"])
    }

    struct Break: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// After the first bytes.
        var error: ByteStreamError?
        var length: Int64?
        var code: ByteStreamError.Code
    }

    @Test(arguments: [
        Break(
            testDescription: "fails", error: ByteStreamError(.unreadable, "The card was pulled out."), length: nil,
            code: .unreadable),
        Break(testDescription: "ends early", error: nil, length: 10, code: .changed),
        Break(testDescription: "is longer", error: nil, length: 4, code: .changed),
    ])
    func aSourceThatBreaksIsNotTakenForTheWhole(way: Break) async throws {
        let isComplete = Mutex(false)
        try await RawServer.run { client in
            _ = try await client.requestHead()
            _ = try await client.chunks()
            isComplete.withLock { $0 = true }
        } _: { url in
            let (chunks, writer) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
            writer.yield([1, 2, 3, 4, 5])
            writer.finish(throwing: way.error)
            let source = SequenceSource(length: way.length) { _ in chunks }
            let request = try target(url)
            let error = await #expect(throws: ByteStreamError.self) {
                try await URLSessionTransport().send(request, streaming: source)
            }
            #expect(error?.code == way.code)
        }
        let wasTakenForWhole = isComplete.withLock { $0 }
        #expect(!wasTakenForWhole)
    }

    @Test func aCancelledRequestEndsAlsoWhileItsSourceStalls() async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let isComplete = Mutex(false)
        try await RawServer.run { client in
            _ = try await client.requestHead()
            _ = try await client.chunk()
            arrival.finish()
            _ = try await client.chunks()
            isComplete.withLock { $0 = true }
        } _: { url in
            let (chunks, writer) = AsyncStream.makeStream(of: [UInt8].self)
            writer.yield([1])
            let request = try target(url)
            let sending = Task {
                try await URLSessionTransport().send(request, streaming: SequenceSource { _ in chunks })
            }
            for await _ in arrived {}
            sending.cancel()
            let error = await #expect(throws: TransportError.self) { try await sending.value }
            #expect(error?.code == .cancelled)
            writer.finish()
        }
        let wasTakenForWhole = isComplete.withLock { $0 }
        #expect(!wasTakenForWhole)
    }

    @Test(arguments: ["GET", "HEAD"])
    func theseMethodsHaveNoBody(method: String) async throws {
        try await expectRefusal(try target("http://127.0.0.1:1/", method))
    }

    @Test func aRequestWithABodyIsRefused() async throws {
        var request = try target("http://127.0.0.1:1/")
        request.httpBody = Data([1])
        try await expectRefusal(request)
    }

    #if canImport(FoundationNetworking)
        @Test func aLengthOfOnesOwnIsRefused() async throws {
            var request = try target("http://127.0.0.1:1/")
            request.setValue("3", forHTTPHeaderField: "Content-Length")
            try await expectRefusal(request)
        }
    #endif

    private func expectRefusal(_ request: URLRequest) async throws {
        let error = await #expect(throws: TransportError.self) {
            try await URLSessionTransport().send(request, streaming: DataSource([1, 2, 3]))
        }
        #expect(error?.code == .unsupported)
        #expect(error?.isBeforeSending == true)
    }
}
