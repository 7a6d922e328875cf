import ByteStreams
import Foundation
import Testing

@Suite struct StreamOffsetTests {
    @Test(arguments: SourceKind.allCases, SourceInputStream.Mode.allCases)
    func theOffsetIsSetBeforeOpening(kind: SourceKind, mode: SourceInputStream.Mode) async throws {
        let bytes = pattern(300_001)
        try await withFile(bytes) { file in
            let source = try kind.source(bytes, file: file)
            let read = try await onThread {
                let stream = SourceInputStream(source, mode: mode)
                guard stream.position == 0, stream.seek(250_000), stream.position == 250_000 else { return [UInt8]() }
                return mode == .synchronous ? stream.opened().readAll(by: 10_000) : EventLog.run(stream).bytes
            }
            #expect(read == Array(bytes[250_000...]))
        }
    }

    /// Forwards, back, inside and outside of what was read ahead, to the end, and back from there.
    @Test(arguments: SourceKind.allCases)
    func theOffsetIsSetWhileReading(kind: SourceKind) async throws {
        let bytes = pattern(300_001)
        try await withFile(bytes) { file in
            let source = try kind.source(bytes, file: file)
            let failures = try await onThread {
                let stream = SourceInputStream(source).opened()
                var failures: [Int] = []
                for offset in [10, 5, 200_000, 0, 131_072, 300_001, 300_000, 1] {
                    var isRight = stream.seek(Int64(offset)) && stream.position == Int64(offset)
                    var wanted = Array(bytes[offset..<min(offset + 100, bytes.count)])
                    while isRight, !wanted.isEmpty {
                        guard let read = stream.read(wanted.count), !read.isEmpty else { break }
                        isRight = wanted.starts(with: read)
                        wanted.removeFirst(read.count)
                    }
                    if !isRight || !wanted.isEmpty || stream.streamError != nil { failures.append(offset) }
                }
                return failures
            }
            #expect(failures == [])
        }
    }

    /// In asynchronous mode what was read ahead is dropped, and the source is opened elsewhere.
    @Test(arguments: SourceKind.allCases)
    func theOffsetIsSetBetweenEvents(kind: SourceKind) async throws {
        let bytes = pattern(300_001)
        try await withFile(bytes) { file in
            let source = try kind.source(bytes, file: file)
            let (read, events) = try await onThread {
                let stream = SourceInputStream(source, mode: .asynchronous)
                var offsets: [Int64] = [200_000, 10, 300_001, 250_000]
                let log = EventLog.run(stream, readSize: 1) { _ in
                    if !offsets.isEmpty { _ = stream.seek(offsets.removeFirst()) }
                }
                return (log.bytes, log.events)
            }
            // The third offset was the end.
            #expect(read == [bytes[0], bytes[200_000], bytes[10]])
            #expect(events.first == "opened" && events.last == "end")
        }
    }

    @Test func offsetsOutsideAreRefused() {
        let stream = SourceInputStream(DataSource(pattern(10)))
        for _ in 0..<2 {
            #expect(!stream.seek(-1) && !stream.seek(11) && stream.position == 0)
            #expect(!stream.setProperty("4" as NSString, forKey: .fileCurrentOffsetKey))
            #expect(!stream.setProperty(nil, forKey: .fileCurrentOffsetKey))
            #expect(!stream.setProperty(NSNumber(value: 4), forKey: .networkServiceType))
            #expect(stream.property(forKey: .networkServiceType) == nil)
            stream.open()
        }
        #expect(stream.read(20) == pattern(10))
    }

    @Test func anOffsetBehindAnEndThatNobodyKnowsFailsTheRead() async throws {
        let (isSet, read, error) = try await onThread {
            let source = try SourceKind.unknownLength.source(pattern(10), file: "")
            let stream = SourceInputStream(source).opened()
            let isSet = stream.seek(11)
            return (isSet, stream.read(1), stream.streamError as? ByteStreamError)
        }
        #expect(isSet && read == nil)
        #expect(error?.code == .pastEnd)
    }

    @Test func theEndIsAnOffset() {
        let stream = SourceInputStream(DataSource(pattern(10)))
        #expect(stream.seek(10))
        stream.open()
        #expect(stream.streamStatus == .open && !stream.hasBytesAvailable && stream.read(1) == [])
        #expect(stream.streamStatus == .atEnd && stream.seek(9) && stream.streamStatus == .open)
        #expect(stream.read(5) == [pattern(10)[9]] && stream.streamStatus == .atEnd)
    }
}
