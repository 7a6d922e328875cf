import Foundation
import OData
import ODataServer
import Testing
import URLSessionTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The page for those who come from POSInputStreamLibrary")
struct ComingFromPOSInputStream {
    @Test("Streams are made of any source, and read by a thread that waits")
    func synchronous() throws {
        let site = try FieldSite()
        let path = try site.write(Array(0..<100), to: "file.bin")
        let url = URL(fileURLWithPath: path)
        // snippet: streams that are made
        let file = try FileSource(path: path)
        let handle = try HandleSource(FileHandle(forReadingFrom: url))
        let waiting = SourceInputStream(file)
        let telling = SourceInputStream(handle, mode: .asynchronous, readAhead: 262_144)
        // end
        #expect(telling.streamStatus == .notOpen)
        let stream = waiting
        var sum = 0
        // snippet: a checksum by reading
        stream.open()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while stream.hasBytesAvailable {
            let count = stream.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { break }
            for byte in buffer[..<count] { sum += Int(byte) }
        }
        if let error = stream.streamError as? ByteStreamError { show(error.code, error.message) }
        let isWhole = stream.streamStatus == .atEnd
        stream.close()
        // end
        #expect(isWhole && sum == 4950 && stream.streamStatus == .closed)
    }

    // snippet: a checksum by events
    final class Checksum: NSObject, StreamDelegate {
        private(set) var sum = 0
        private(set) var failure: (any Error)?

        func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
            guard let stream = aStream as? InputStream else { return }
            switch eventCode {
            case .openCompleted: show("open")
            case .hasBytesAvailable:
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = stream.read(&buffer, maxLength: buffer.count)
                for byte in buffer.prefix(max(0, count)) { sum += Int(byte) }
            case .endEncountered: stream.close()
            case .errorOccurred:
                failure = stream.streamError
                stream.close()
            default: break
            }
        }
    }
    // end

    @Test("Streams tell their delegate in a run loop")
    func asynchronous() async throws {
        let sum = try await Self.onThread {
            let source = DataSource(Array(0..<100))
            // snippet: a run loop
            let stream = SourceInputStream(source, mode: .asynchronous)
            let checksum = Checksum()
            stream.delegate = checksum
            stream.schedule(in: .current, forMode: .default)
            stream.open()
            while stream.streamStatus != .closed, RunLoop.current.run(mode: .default, before: .distantFuture) {}
            stream.remove(from: .current, forMode: .default)
            // end
            if let error = checksum.failure { throw error }
            return checksum.sum
        }
        #expect(sum == 4950)
    }

    /// Runs `body` in a thread of its own, where it may run a run loop.
    private static func onThread(_ body: @escaping @Sendable () throws -> Int) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }

    @Test("Offsets are set and read")
    func offsets() throws {
        let stream = SourceInputStream(DataSource([1, 2, 3, 4]))
        // snippet: offsets of streams
        let isSet = stream.setProperty(NSNumber(value: 2), forKey: .fileCurrentOffsetKey)
        stream.open()
        let offset = stream.property(forKey: .fileCurrentOffsetKey) as? NSNumber
        // end
        #expect(isSet && offset == 2)
        #expect(!stream.setProperty(NSNumber(value: 5), forKey: .fileCurrentOffsetKey))
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(stream.read(&buffer, maxLength: 8) == 2 && buffer.prefix(2) == [3, 4])
        stream.close()
    }

    @Test("A source is the body of a request")
    func bodies() async throws {
        let site = try FieldSite()
        let server = try await ODataServer.start(service: site.service, port: 0)
        let source = try FileSource(path: site.write([1, 2, 3], to: "valve.png"))
        let url = try #require(URL(string: server.rootURL + "Photos(9000)/$value"))
        // snippet: a request with a source
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        request.setValue("image/png", forHTTPHeaderField: "Content-Type")
        let response = try await URLSessionTransport().send(request, streaming: source)
        show(response.head.status)
        // end
        #expect(response.head.status.code == 204)
        // snippet: a body stream
        let stream = SourceInputStream.requestBody(source)
        request.httpBodyStream = stream
        // end
        stream.open()
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(stream.read(&buffer, maxLength: 8) == 3)
        stream.close()
        let photo = try QueryParser(model: try await site.file.model()).path("Photos(9000)")
        let content = try await site.file.readStream(StreamRequest(photo)).content
        #expect(try await content.collect(upTo: 10) == [1, 2, 3])
        try await server.stop()
    }

    // snippet: streams for repetitions
    final class Upload: NSObject, URLSessionTaskDelegate {
        private let source: any ByteSource

        init(_ source: any ByteSource) { self.source = source }

        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            completionHandler(SourceInputStream.requestBody(source))
        }
    }
    // end
}
