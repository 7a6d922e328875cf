import AsyncHTTPTransport
import ByteStreams
import Foundation
import HTTPTypes
import ODataTransport
import Synchronization
import Testing
import ToolSupport

/// Uploads to `odata serve` that outlive it.
@Suite struct ServeUploadTests {
    private let transport = AsyncHTTPTransport()

    private func send(
        _ method: HTTPRequest.Method, _ path: String, of served: ServedSample, _ fields: HTTPFields = [:],
        _ body: ByteContent? = nil
    ) async throws -> TransportResponse {
        let root = try #require(URL(string: served.root))
        let request = HTTPRequest(
            method: method, scheme: root.scheme, authority: "\(root.host() ?? ""):\(root.port ?? 0)",
            path: "/" + path, headerFields: fields)
        return try await transport.send(request, body: body)
    }

    private func part(at offset: Int, isLast: Bool) -> HTTPFields {
        [
            .contentType: "application/partial-upload", .uploadOffset: "\(offset)",
            .uploadComplete: isLast ? "?1" : "?0",
        ]
    }

    @Test(arguments: [false, true]) func aKilledServiceGoesOnWithUploads(hasMediaFolder: Bool) async throws {
        let scratch = try Scratch()
        let sample = try scratch.sample()
        let options =
            ["--media", "Photos=Content:image/png", "--upload-expiry", "600"]
            + (hasMediaFolder ? ["--media-folder", scratch.folder + "/media"] : [])
        let bytes = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }
        let first = try ServedSample(sample, options)
        let begun = try await send(
            .put, "Photos(9000)/$value", of: first,
            [.contentType: "image/png", .uploadComplete: "?0", .uploadLength: "\(bytes.count)"])
        #expect(begun.head.status == .created)
        let location = try #require(begun.head.headerFields[.location])
        let path = String(location.dropFirst(first.root.count))
        let taken = try await send(
            .patch, path, of: first, part(at: 0, isLast: false), ByteContent(Array(bytes.prefix(1 << 20))))
        #expect(taken.head.status == .noContent && taken.head.headerFields[.uploadComplete] == "?0")

        let stall = StallingBody(Array(bytes[(1 << 20)..<(2 << 20)]))
        let fields = part(at: 1 << 20, isLast: true)
        async let broken = send(.patch, path, of: first, fields, stall.content(length: 2 << 20))
        await stall.stalls()
        first.running.send(SIGKILL)
        _ = await first.running.finish()
        stall.end()
        _ = try? await broken

        let second = try ServedSample(sample, options)
        let head = try await send(.head, path, of: second)
        let offset = try #require(head.head.headerFields[.uploadOffset].flatMap { Int($0) })
        #expect(offset >= 1 << 20 && offset <= 2 << 20)
        #expect(head.head.headerFields[.uploadLimit]?.contains("max-age=") == true)
        for body in [ByteContent(Array(bytes.dropFirst(offset))), .empty] {
            let at = body.length == 0 ? bytes.count : offset
            let last = try await send(.patch, path, of: second, part(at: at, isLast: true), body)
            #expect(last.head.status == .noContent && last.head.headerFields[.uploadComplete] == "?1")
        }
        let photo = try await send(.get, "Photos(9000)/$value", of: second)
        #expect(try await photo.body.collect(upTo: 4 << 20) == bytes)
        #expect(await second.stop().status == 0)
        let names = try FileManager.default.subpathsOfDirectory(atPath: scratch.folder)
        #expect(!names.contains { $0.contains("uploads") }, "\(names)")
        try await transport.shutdown()
    }
}

/// Bytes, and then nothing until the end is wanted.
private final class StallingBody: Sendable {
    private let first: Mutex<[UInt8]?>
    private let stalled = AsyncStream<Void>.makeStream()
    private let ended = AsyncStream<Void>.makeStream()

    init(_ first: [UInt8]) {
        self.first = Mutex(first)
    }

    func content(length: Int64) -> ByteContent {
        ByteContent(
            ByteChunks { [self] in
                if let bytes = first.withLock({ $0.take() }) { return bytes }
                stalled.continuation.finish()
                for await _ in ended.stream {}
                return nil
            }, length: length)
    }

    /// Returns when more is wanted than there is.
    func stalls() async { for await _ in stalled.stream {} }

    func end() { ended.continuation.finish() }
}
