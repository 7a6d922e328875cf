import ByteStreams
import Foundation
import Synchronization
import Testing

/// From sequences of chunks to streams, and back.
@Suite struct BridgeTests {
    @Test(arguments: [0, 1, 131_072, 300_001])
    func aStreamIsASequenceOfChunks(size: Int) async throws {
        let bytes = pattern(size)
        let chunks = ByteChunks(InputStream(data: Data(bytes)), chunkSize: 1000)
        var read: [UInt8] = []
        for try await chunk in chunks {
            #expect(!chunk.isEmpty && chunk.count <= 1000)
            read += chunk
        }
        #expect(read == bytes)
        let iterator = chunks.makeAsyncIterator()
        #expect(try await iterator.next() == nil)
    }

    @Test(arguments: SourceKind.allCases)
    func thereAndBack(kind: SourceKind) async throws {
        let bytes = pattern(300_001)
        try await withFile(bytes) { file in
            let source = try kind.source(bytes, file: file)
            let back = SequenceSource { offset in
                let stream = SourceInputStream(source)
                guard stream.seek(offset) else { throw ByteStreamError(.pastEnd, "\(offset)") }
                return ByteChunks(stream)
            }
            #expect(try await ByteContent(back).collect(upTo: 300_001) == bytes)
            var tail: [UInt8] = []
            for try await chunk in try back.open(at: 299_000) { tail += chunk }
            #expect(tail == Array(bytes[299_000...]))
        }
    }

    @Test func theErrorOfAStreamIsThatOfTheSequence() async throws {
        let source = try await withFile(pattern(10)) { try FileSource(path: $0) }
        let chunks = ByteChunks(SourceInputStream(source))
        for _ in 0..<2 {
            let error = await #expect(throws: ByteStreamError.self) { for try await _ in chunks {} }
            #expect(error?.code == .notFound)
        }
    }

    @Test func aStreamWithoutBytesForTheMomentIsNotRead() async throws {
        let (endless, writer) = AsyncStream.makeStream(of: [UInt8].self)
        let chunks = ByteChunks(SourceInputStream(SequenceSource { _ in endless }, mode: .asynchronous))
        let error = await #expect(throws: ByteStreamError.self) { for try await _ in chunks {} }
        #expect(error?.code == .unreadable)
        writer.finish()
    }

    /// Each chunk is read when it is asked for, and not before.
    @Test func nothingIsReadThatNobodyPulls() async throws {
        let (chunks, reads) = try await onThread {
            let stream = CountingStream(data: Data(pattern(100)))
            return (ByteChunks(stream, chunkSize: 10), stream.reads)
        }
        let iterator = chunks.makeAsyncIterator()
        for count in 1...5 {
            #expect(try await iterator.next()?.count == 10)
            #expect(reads.count == count)
        }
    }

    @Test func theStreamIsClosedWhenNobodyPullsAnyMore() async throws {
        let closed = try await onThread { () -> AsyncStream<Void> in
            let stream = CountingStream(data: Data(pattern(100)))
            let closed = stream.closed
            let chunks = ByteChunks(stream, chunkSize: 10)
            let pulled = DispatchSemaphore(value: 0)
            Task {
                let iterator = chunks.makeAsyncIterator()
                _ = try await iterator.next()
                pulled.signal()
            }
            pulled.wait()
            return closed
        }
        for await _ in closed { break }
    }

    /// The source, too, is read no more.
    @Test(.timeLimit(.minutes(1))) func aCancelledPullEnds() async throws {
        let (endless, writer) = AsyncStream.makeStream(of: [UInt8].self)
        let (reads, read) = AsyncStream.makeStream(of: Void.self)
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        writer.onTermination = { _ in ended.finish() }
        let source = SequenceSource { _ in
            AsyncStream<[UInt8]>(unfolding: {
                read.finish()
                return await endless.first { _ in true }
            })
        }
        let pull = Task {
            for try await _ in ByteChunks(SourceInputStream(source)) {}
        }
        for await _ in reads {}
        pull.cancel()
        await #expect(throws: CancellationError.self) { try await pull.value }
        for await _ in ends {}
        // The sequence has not ended because nobody had it any more.
        withExtendedLifetime(endless) {}
    }

    @Test func contentIsAStreamToo() async throws {
        let content = ByteContent(try DataSource(pattern(1000)).open(at: 0), length: 1000)
        let said = try await onThread {
            let stream = SourceInputStream(content)
            let bytes = stream.opened().readAll(by: 300)
            let again = SourceInputStream(content).opened()
            return (bytes, again.read(1), again.streamError as? ByteStreamError)
        }
        #expect(said.0 == pattern(1000) && said.1 == nil && said.2?.code == .notReplayable)
    }
}

/// A stream of Foundation's that counts its reads and tells that it was closed.
private final class CountingStream: InputStream {
    final class Reads: Sendable {
        private let value = Mutex(0)

        var count: Int { value.withLock { $0 } }

        func add() { value.withLock { $0 += 1 } }
    }

    let reads = Reads()
    let (closed, closing) = AsyncStream.makeStream(of: Void.self)

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        reads.add()
        return super.read(buffer, maxLength: len)
    }

    override func close() {
        super.close()
        closing.yield()
    }
}
