import ByteStreams
import Foundation
import Synchronization
import Testing

@Suite struct SynchronousStreamTests {
    @Test(arguments: SourceKind.allCases, [0, 1, 131_071, 131_072, 131_073, 300_001])
    func everySourceIsReadWhole(kind: SourceKind, size: Int) async throws {
        let bytes = pattern(size)
        try await withFile(bytes) { file in
            let source = try kind.source(bytes, file: file)
            for count in [1000, 131_072, 400_000] {
                let (read, status, isOver) = try await onThread {
                    let stream = SourceInputStream(source).opened()
                    let read = stream.readAll(by: count)
                    return (read, stream.streamStatus, !stream.hasBytesAvailable && stream.streamError == nil)
                }
                #expect(read == bytes, "by \(count)")
                #expect(status == .atEnd && isOver)
            }
        }
    }

    @Test(arguments: [0, 1, 15, 16, 17, 31, 32, 33, 48], [0, 1, 16])
    func sizesAroundThoseOfTheCache(size: Int, readAhead: Int) {
        for count in [1, 7, 15, 16, 17, 40] {
            let stream = SourceInputStream(DataSource(pattern(size)), readAhead: readAhead).opened()
            var read: [UInt8] = []
            while stream.hasBytesAvailable, let piece = stream.read(count) {
                read += piece
                #expect(!piece.isEmpty && stream.position == Int64(read.count))
            }
            #expect(read == pattern(size), "by \(count)")
            #expect(stream.streamStatus == (size == 0 ? .open : .atEnd))
            #expect(stream.read(count) == [] && stream.streamStatus == .atEnd)
        }
    }

    @Test func aReadAsLargeAsTheCacheGoesPastIt() {
        let source = SizedReads(pattern(10_000))
        let stream = SourceInputStream(source, readAhead: 1000).opened()
        #expect(stream.read(4000) == Array(pattern(10_000)[..<4000]))
        #expect(source.sizes == [4000])
        #expect(stream.read(10)?.count == 10)
        #expect(source.sizes == [4000, 1000])
        #expect(stream.read(1500)?.count == 990, "what is in the cache comes first")
        #expect(stream.read(1500) == Array(pattern(10_000)[5000..<6500]))
        #expect(source.sizes == [4000, 1000, 1500])
    }

    @Test func unlessToldOtherwise128KiBAreReadAhead() {
        let (bytes, cache) = (pattern(400_000), 128 * 1024)
        let source = SizedReads(bytes)
        let stream = SourceInputStream(source).opened()
        #expect(stream.read(10) == Array(bytes[..<10]))
        #expect(stream.read(cache)?.count == cache - 10, "what is in the cache comes first")
        #expect(source.sizes == [cache])
        #expect(stream.read(cache + 1) == Array(bytes[cache..<2 * cache + 1]))
        #expect(stream.read(10)?.count == 10)
        #expect(source.sizes == [cache, cache + 1, cache])
    }

    @Test func readsOfNothingAndOfMoreThanThereIs() {
        let stream = SourceInputStream(DataSource(pattern(10)))
        #expect(stream.read(0) == nil)
        stream.open()
        #expect(stream.read(0) == [] && stream.streamStatus == .open && stream.hasBytesAvailable)
        #expect(stream.read(-1) == [] && stream.position == 0)
        #expect(stream.read(1000) == pattern(10))
        #expect(stream.streamStatus == .atEnd && !stream.hasBytesAvailable)
        #expect(stream.read(0) == [] && stream.read(1000) == [])
        stream.close()
        #expect(stream.read(0) == nil && stream.read(1000) == nil)
    }

    @Test func bytesMayComeUntilTheEndIsKnown() async throws {
        let source = SequenceSource { _ in AsyncStream<[UInt8]> { $0.finish() } }
        let said = try await onThread {
            let stream = SourceInputStream(source).opened()
            let before = stream.streamStatus
            return (before, stream.read(10), stream.streamStatus, stream.hasBytesAvailable)
        }
        #expect(said.0 == .open && said.1 == [] && said.2 == .atEnd && !said.3)
    }

    @Test func aStreamIsOpenedOnceAndClosedForGood() {
        let stream = SourceInputStream(DataSource(pattern(10)))
        #expect(stream.streamStatus == .notOpen && !stream.hasBytesAvailable && stream.streamError == nil)
        stream.close()
        #expect(stream.streamStatus == .notOpen)
        stream.open()
        #expect(stream.streamStatus == .open && stream.hasBytesAvailable)
        #expect(stream.read(4) == Array(pattern(10)[..<4]))
        stream.open()
        #expect(stream.streamStatus == .open && stream.position == 4)
        stream.close()
        stream.close()
        stream.open()
        #expect(stream.streamStatus == .closed && !stream.hasBytesAvailable && stream.read(1) == nil)
        #expect(stream.streamError == nil && stream.position == 4 && !stream.seek(0))
    }

    @Test func aStreamAtItsEndIsClosed() {
        let stream = SourceInputStream(DataSource(pattern(10))).opened()
        #expect(stream.readAll(by: 10).count == 10)
        stream.open()
        #expect(stream.streamStatus == .atEnd)
        stream.close()
        #expect(stream.streamStatus == .closed && stream.read(1) == nil)
    }

    @Test func aSourceThatCannotBeOpenedFailsTheStream() async throws {
        let source = try await withFile(pattern(10)) { try FileSource(path: $0) }
        let stream = SourceInputStream(source).opened()
        #expect(stream.streamStatus == .error && !stream.hasBytesAvailable && stream.read(1) == nil)
        #expect((stream.streamError as? ByteStreamError)?.code == .notFound)
        #expect(!stream.seek(0))
        stream.open()
        #expect(stream.streamStatus == .error)
        stream.close()
        #expect(stream.streamStatus == .closed)
        #expect((stream.streamError as? ByteStreamError)?.code == .notFound)
    }

    /// What CFNetwork does with the status *error* is the end of the process.
    @Test func aBodyForAppleNeverHasTheStatusError() async throws {
        let source = try await withFile(pattern(10)) { try FileSource(path: $0) }
        let stream = SourceInputStream.requestBody(source).opened()
        #expect(stream.streamStatus == .open && stream.hasBytesAvailable)
        #expect(stream.read(1) == nil)
        #expect((stream.streamError as? ByteStreamError)?.code == .notFound)
        stream.close()
        #expect(stream.streamStatus == .closed && !stream.hasBytesAvailable)
    }

    @Test func twoStreamsOnOneSourceDoNotMeet() async throws {
        let bytes = pattern(300_001)
        try await withFile(bytes) { file in
            for kind in [SourceKind.handle, .file, .joined] {
                let source = try kind.source(bytes, file: file)
                let streams = [SourceInputStream(source).opened(), SourceInputStream(source).opened()]
                var read: [[UInt8]] = [[], []]
                while streams.contains(where: \.hasBytesAvailable) {
                    read[0] += streams[0].read(70_001) ?? []
                    read[1] += streams[1].read(200_000) ?? []
                }
                #expect(read == [bytes, bytes], "\(kind)")
            }
        }
    }

    @Test func closingEndsAReadThatWaits() async throws {
        let (chunks, writer) = AsyncStream.makeStream(of: [UInt8].self)
        let source = SequenceSource { _ in chunks }
        writer.yield([1, 2, 3])
        let (read, last, status) = try await onThread {
            let stream = SourceInputStream(source).opened()
            let read = stream.read(10)
            let closer = Closer(stream)
            // It is closed from another thread while, or before, the second read waits for bytes that never come.
            Thread { closer.close() }.start()
            return (read, stream.read(10), stream.streamStatus)
        }
        #expect(read == [1, 2, 3] && last == nil && status == .closed)
        writer.finish()
    }

    @Test func foundationReadsFromIt() throws {
        let stream = SourceInputStream(DataSource(Array("{\"Name\":\"Chai\"}".utf8))).opened()
        let object = try JSONSerialization.jsonObject(with: stream) as? [String: String]
        #expect(object == ["Name": "Chai"])
    }
}

/// Closes a stream from another thread.
///
/// `@unchecked Sendable`: that it may be closed while another thread reads it is what is tested.
private final class Closer: @unchecked Sendable {
    private let stream: InputStream

    init(_ stream: InputStream) {
        self.stream = stream
    }

    func close() { stream.close() }
}

/// Bytes, and how many of them were wanted by each read.
private final class SizedReads: BlockingByteSource {
    private let base: DataSource
    private let wanted = Mutex<[Int]>([])

    init(_ bytes: [UInt8]) {
        base = DataSource(bytes)
    }

    var sizes: [Int] { wanted.withLock { $0 } }
    var length: Int64? { base.length }

    func open(at offset: Int64) throws -> ByteChunks { try base.open(at: offset) }

    func openBlocking(at offset: Int64) throws -> any BlockingByteReader {
        Reader(source: self, base: try base.openBlocking(at: offset))
    }

    private final class Reader: BlockingByteReader {
        private let source: SizedReads
        private let base: any BlockingByteReader

        init(source: SizedReads, base: any BlockingByteReader) {
            (self.source, self.base) = (source, base)
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            source.wanted.withLock { $0.append(buffer.count) }
            return try base.read(into: buffer)
        }
    }
}
