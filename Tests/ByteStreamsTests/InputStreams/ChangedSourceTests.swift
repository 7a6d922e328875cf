import ByteStreams
import Foundation
import Synchronization
import Testing

/// Sources that are not what they were: an error, before the last byte has been given.
@Suite struct ChangedSourceTests {
    enum Change: CaseIterable {
        case shrinks, grows, vanishes, isReplaced, isOverwritten

        func apply(to path: String) throws {
            let url = URL(fileURLWithPath: path)
            let handle = try FileHandle(forUpdating: url)
            defer { try? handle.close() }
            switch self {
            case .shrinks: try handle.truncate(atOffset: 250_000)
            case .grows: try handle.truncate(atOffset: 400_000)
            case .vanishes: try FileManager.default.removeItem(at: url)
            case .isReplaced: try Data(pattern(300_000)).write(to: url, options: .atomic)
            case .isOverwritten:
                // The clock of a file system may stand still between two writes.
                let date = Date(timeIntervalSince1970: 1_000_000_000)
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            }
        }

        var code: ByteStreamError.Code { self == .vanishes ? .notFound : .changed }
    }

    @Test(arguments: Change.allCases, SourceInputStream.Mode.allCases)
    func aFileThatChangesWhileItIsRead(change: Change, mode: SourceInputStream.Mode) async throws {
        try await withFile(pattern(300_000)) { file in
            let source = try FileSource(path: file)
            let (count, status, error) = try await onThread {
                let stream = SourceInputStream(source, mode: mode)
                guard mode == .synchronous else {
                    let log = EventLog.run(stream, readSize: 1000) { if $0 == 1000 { try? change.apply(to: file) } }
                    return (log.bytes.count, stream.streamStatus, stream.streamError as? ByteStreamError)
                }
                stream.open()
                let first = stream.read(1000)?.count ?? 0
                try change.apply(to: file)
                let count = first + stream.readAll(by: 1000).count
                return (count, stream.streamStatus, stream.streamError as? ByteStreamError)
            }
            #expect(count < 300_000)
            #expect(status == (mode == .synchronous ? .error : .closed) && error?.code == change.code)
        }
    }

    @Test(arguments: Change.allCases)
    func aFileThatChangesBeforeItIsOpened(change: Change) async throws {
        try await withFile(pattern(300_000)) { file in
            let stream = SourceInputStream(try FileSource(path: file))
            try change.apply(to: file)
            stream.open()
            #expect(stream.streamStatus == .error)
            #expect((stream.streamError as? ByteStreamError)?.code == change.code)
        }
    }

    @Test(arguments: [Change.shrinks, .grows, .isOverwritten])
    func aFileThatChangesBeforeAnOffsetIsSet(change: Change) async throws {
        try await withFile(pattern(300_000)) { file in
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
            let stream = SourceInputStream(try HandleSource(handle)).opened()
            #expect(stream.read(10)?.count == 10)
            try change.apply(to: file)
            #expect(stream.seek(100) && stream.read(10) == nil)
            #expect((stream.streamError as? ByteStreamError)?.code == .changed)
        }
    }

    @Test(arguments: [9, 11], SourceInputStream.Mode.allCases)
    func aSourceWithAnotherNumberOfBytesThanItTells(count: Int, mode: SourceInputStream.Mode) async throws {
        for chunk in [1, 5, 20] {
            let (read, error) = try await onThread {
                let source = SequenceSource(length: 10) { _ in
                    AsyncStream<[UInt8]> { writer in
                        for start in stride(from: 0, to: count, by: chunk) {
                            writer.yield(Array(pattern(count)[start..<min(start + chunk, count)]))
                        }
                        writer.finish()
                    }
                }
                let stream = SourceInputStream(source, mode: mode)
                let read = mode == .synchronous ? stream.opened().readAll(by: 3) : EventLog.run(stream).bytes
                return (read, stream.streamError as? ByteStreamError)
            }
            #expect(read.count < 10 && read == Array(pattern(count)[..<read.count]))
            #expect(error?.code == .changed)
        }
    }

    @Test(arguments: [true, false], SourceInputStream.Mode.allCases)
    func aSourceThatBecomesInvalidIsOpenedAgainWhereItWas(isBlocking: Bool, mode: SourceInputStream.Mode) async throws {
        let bytes = pattern(300_001)
        let tired = TiredSource(bytes: bytes, bytesPerReader: 100_000)
        let source: any ByteSource =
            isBlocking ? tired : SequenceSource(length: tired.length) { try tired.open(at: $0) }
        let (read, error) = try await onThread {
            let stream = SourceInputStream(source, mode: mode)
            let read = mode == .synchronous ? stream.opened().readAll(by: 1000) : EventLog.run(stream).bytes
            return (read, stream.streamError)
        }
        #expect(read == bytes && error == nil)
        #expect(tired.openings.withLock { $0.count } == 4)
        #expect(tired.openings.withLock { $0 } == [0, 100_000, 200_000, 300_000])
    }

    @Test func aSourceThatStaysInvalidIsAnError() {
        let stream = SourceInputStream(TiredSource(bytes: pattern(10), bytesPerReader: 0)).opened()
        #expect(stream.read(1) == nil && stream.streamStatus == .error)
        #expect((stream.streamError as? ByteStreamError)?.code == .invalidated)
    }
}

/// A source whose readers become invalid after some bytes.
private final class TiredSource: BlockingByteSource {
    let bytes: [UInt8]
    let bytesPerReader: Int
    let openings = Mutex<[Int64]>([])

    init(bytes: [UInt8], bytesPerReader: Int) {
        (self.bytes, self.bytesPerReader) = (bytes, bytesPerReader)
    }

    var length: Int64? { Int64(bytes.count) }

    func open(at offset: Int64) throws -> ByteChunks {
        let reader = try openBlocking(at: offset)
        return ByteChunks {
            let chunk = try [UInt8](unsafeUninitializedCapacity: 10_000) { buffer, count in
                count = try reader.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            return chunk.isEmpty ? nil : chunk
        }
    }

    func openBlocking(at offset: Int64) throws -> any BlockingByteReader {
        openings.withLock { $0.append(offset) }
        return Reader(source: self, base: try DataSource(bytes).openBlocking(at: offset))
    }

    private final class Reader: BlockingByteReader {
        let base: any BlockingByteReader
        let left: Mutex<Int>

        init(source: TiredSource, base: any BlockingByteReader) {
            self.base = base
            left = Mutex(source.bytesPerReader)
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            try left.withLock { left in
                guard left > 0 else { throw ByteStreamError(.invalidated, "It is tired.") }
                let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(left, buffer.count)])
                let count = try base.read(into: part)
                left -= count
                return count
            }
        }
    }
}
