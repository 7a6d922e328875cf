import ByteStreams
import Foundation
import HTTPTypes
import ODataServer
import ODataService
import ODataTransport
import Synchronization
import Testing
import URLSessionTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Upload by URLSession from a source", .timeLimit(.minutes(5)))
struct StreamedUploadTests {
    /// Pieces that let wait: whoever asks for one gets it when others have had many turns.
    private static func pieces(_ sizes: [Int]) -> (bytes: [UInt8], chunks: AsyncStream<[UInt8]>) {
        let pieces = sizes.enumerated().map { index, size in
            (0..<size).map { UInt8(truncatingIfNeeded: $0 / 3 + index * 50) }
        }
        let waiting = Mutex(pieces)
        let chunks = AsyncStream {
            for _ in 0..<1000 { await Task.yield() }
            return waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
        return (pieces.flatMap(\.self), chunks)
    }

    @Test("A source that stalls between its chunks comes byte for byte", arguments: [true, false])
    func stalling(knowsLength: Bool) async throws {
        let pieces = Self.pieces([1, 200_000, 5, 65_536, 1_000_000, 2])
        let store = PhotoStore { _ in .empty }
        let server = try await ODataServer.start(service: ODataService(store: store))
        do {
            let url = try #require(URL(string: server.rootURL + "Photos(1)/$value"))
            var request = URLRequest(url: url)
            request.httpMethod = "PUT"
            request.setValue("image/png", forHTTPHeaderField: "Content-Type")
            let length = knowsLength ? Int64(pieces.bytes.count) : nil
            let source = SequenceSource(length: length) { _ in pieces.chunks }
            let status = try await URLSessionTransport().send(request, streaming: source).head.status
            #expect(status == .noContent)
            #expect(store.chunks.flatMap(\.self) == pieces.bytes)
        } catch {
            try await server.stop()
            throw error
        }
        try await server.stop()
    }
}
