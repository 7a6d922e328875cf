import ByteStreams
import Foundation
import Synchronization
import Testing

/// Sources that let wait.
@Suite struct SlowSourceTests {
    @Test(arguments: [true, false])
    func callsReturnAtOnceWhileTheSourceIsBeingOpened(isBlocking: Bool) async throws {
        let gate = Gate()
        let source: any ByteSource = isBlocking ? gate : SequenceSource(length: 3) { try gate.open(at: $0) }
        let said = try await onThread {
            let stream = SourceInputStream(source, mode: .asynchronous).opened()
            let before = (
                stream.streamStatus, stream.hasBytesAvailable, stream.read(1), stream.streamError == nil,
                stream.position
            )
            let log = EventLog(readSize: 2)
            stream.delegate = log
            stream.schedule(in: .current, forMode: EventLog.mode)
            gate.open()
            EventLog.runLoop()
            return (before, log.events, log.bytes)
        }
        #expect(said.0.0 == .opening || !isBlocking)
        #expect(!said.0.1 && said.0.2 == nil && said.0.3 && said.0.4 == 0)
        #expect(said.1 == ["opened", "bytes", "bytes", "end"] && said.2 == [1, 2, 3])
    }

    @Test(arguments: [true, false])
    func aStreamIsClosedAndSetToAnotherOffsetWhileTheSourceIsBeingOpened(isBlocking: Bool) async throws {
        let gate = Gate()
        let source: any ByteSource = isBlocking ? gate : SequenceSource(length: 3) { try gate.open(at: $0) }
        let (closed, moved) = try await onThread {
            let closed = SourceInputStream(source, mode: .asynchronous)
            let moved = SourceInputStream(source, mode: .asynchronous)
            let logs = [EventLog(readSize: 10), EventLog(readSize: 10)]
            for (stream, log) in zip([closed, moved], logs) {
                stream.delegate = log
                stream.schedule(in: .current, forMode: EventLog.mode)
                stream.open()
            }
            let isMoved = moved.seek(1)
            closed.close()
            gate.open()
            EventLog.runLoop()
            return (logs[0].events, isMoved ? logs[1].bytes : [])
        }
        #expect(closed == [] && moved == [2, 3])
    }

    @Test func aReadBeforeThereAreBytesIsNoEnd() async throws {
        let (chunks, writer) = AsyncStream.makeStream(of: [UInt8].self)
        let said = try await onThread {
            let stream = SourceInputStream(SequenceSource { _ in chunks }, mode: .asynchronous)
            var early: [Bool] = []
            let log = EventLog(readSize: 10) { count in
                // What there was has been read.
                early.append(stream.read(1) == nil && stream.streamError == nil && !stream.hasBytesAvailable)
                if count == 10 { writer.yield(pattern(5)) } else { writer.finish() }
            }
            writer.yield(pattern(10))
            stream.delegate = log
            stream.schedule(in: .current, forMode: EventLog.mode)
            stream.open()
            EventLog.runLoop()
            return (early, log.events, log.bytes)
        }
        #expect(said.0 == [true, true])
        #expect(said.1 == ["opened", "bytes", "bytes", "end"] && said.2 == pattern(10) + pattern(5))
    }

    /// More of them than Dispatch has threads.
    @Test func slowSourcesDoNotBlockAnotherStream() async throws {
        let gate = Gate()
        let (bytes, slow) = try await onThread {
            let slow = (0..<100).map { index in
                let source: any ByteSource = index.isMultiple(of: 2) ? gate : SequenceSource { _ in Never() }
                let stream = SourceInputStream(source, mode: .asynchronous)
                stream.schedule(in: .current, forMode: EventLog.mode)
                return stream.opened()
            }
            defer { for stream in slow { stream.close() } }
            let log = EventLog(readSize: 100) { if $0 == 10_000 { for stream in slow { stream.close() } } }
            let stream = SourceInputStream(DataSource(pattern(10_000)), mode: .asynchronous)
            stream.delegate = log
            stream.schedule(in: .current, forMode: EventLog.mode)
            stream.open()
            EventLog.runLoop()
            return (log.bytes, slow.map(\.streamStatus))
        }
        #expect(bytes == pattern(10_000))
        #expect(Set(slow) == [.closed])
        gate.open()
    }

    /// However slowly the stream is read.
    @Test(arguments: [true, false])
    func noMoreIsReadAheadThanAskedFor(isBlocking: Bool) async throws {
        let source = CountingSource(length: 2_000_000, chunk: 10_000)
        let (count, most) = try await onThread {
            var most = 0
            let stream = SourceInputStream(
                isBlocking
                    ? source
                    : try SliceSource(
                        JoinedSource([
                            SequenceSource { offset in
                                try source.open(at: offset)
                            }
                        ]), range: 0..<2_000_000), mode: .asynchronous, readAhead: 50_000)
            let log = EventLog.run(stream, readSize: 3000) { count in
                most = max(most, source.given.withLock { $0 } - count)
            }
            return (log.bytes.count, most)
        }
        #expect(count == 2_000_000)
        #expect(most <= 50_000 + 50_000 + 3000)
    }

    /// A source that opens when it is told to.
    private final class Gate: BlockingByteSource {
        private let semaphore = DispatchSemaphore(value: 0)

        var length: Int64? { 3 }

        func open() { for _ in 0..<1000 { semaphore.signal() } }

        func open(at offset: Int64) throws -> ByteChunks {
            let chunks = try DataSource([1, 2, 3]).open(at: offset).makeAsyncIterator()
            return ByteChunks { [semaphore] in
                semaphore.wait()
                return try await chunks.next()
            }
        }

        func openBlocking(at offset: Int64) throws -> any BlockingByteReader {
            semaphore.wait()
            return try DataSource([1, 2, 3]).openBlocking(at: offset)
        }
    }

    /// A sequence that never gives anything, and ends when it is cancelled.
    private struct Never: AsyncSequence, Sendable {
        struct AsyncIterator: AsyncIteratorProtocol {
            let stream = AsyncStream<[UInt8]> { _ in }

            mutating func next() async -> [UInt8]? {
                var iterator = stream.makeAsyncIterator()
                return await iterator.next()
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }

    /// A source that counts what it has given.
    private final class CountingSource: BlockingByteSource {
        let length: Int64?
        let chunk: Int
        let given = Mutex(0)

        init(length: Int64, chunk: Int) {
            (self.length, self.chunk) = (length, chunk)
        }

        func open(at offset: Int64) throws -> ByteChunks {
            let reader = try openBlocking(at: offset)
            let chunk = chunk
            return ByteChunks {
                let bytes = try [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
                    count = try reader.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                return bytes.isEmpty ? nil : bytes
            }
        }

        func openBlocking(at offset: Int64) throws -> any BlockingByteReader { Reader(self) }

        private final class Reader: BlockingByteReader {
            let source: CountingSource

            init(_ source: CountingSource) {
                self.source = source
            }

            func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
                source.given.withLock { given in
                    let count = min(buffer.count, Int(source.length ?? 0) - given)
                    buffer[..<count].initializeMemory(as: UInt8.self, repeating: 7)
                    given += count
                    return count
                }
            }
        }
    }
}
