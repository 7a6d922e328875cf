import ByteStreams
import Foundation
import Testing

/// The events that a delegate gets, in their order and number.
@Suite struct StreamEventTests {
    @Test(arguments: SourceKind.allCases, SourceInputStream.Mode.allCases)
    func everySourceIsReadByEvents(kind: SourceKind, mode: SourceInputStream.Mode) async throws {
        for size in [1, 131_071, 131_072, 300_001] {
            let bytes = pattern(size)
            try await withFile(bytes) { file in
                let source = try kind.source(bytes, file: file)
                let (read, events) = try await onThread {
                    let log = EventLog.run(SourceInputStream(source, mode: mode))
                    return (log.bytes, log.events)
                }
                #expect(read == bytes)
                #expect(events.first == "opened" && events.last == "end")
                #expect(Set(events.dropFirst().dropLast()) == ["bytes"])
            }
        }
    }

    private static func one() -> AsyncStream<[UInt8]> {
        AsyncStream { writer in
            writer.yield([7])
            writer.finish()
        }
    }

    /// The end may be found while the last bytes are being read.
    @Test(arguments: [true, false])
    func noByteIsLostAtTheEnd(isBlocking: Bool) async throws {
        let lost = try await onThread {
            (0..<2000).filter { _ in
                let source: any ByteSource =
                    isBlocking ? DataSource([7]) : SequenceSource { _ in Self.one() }
                let log = EventLog.run(SourceInputStream(source, mode: .asynchronous))
                return log.bytes != [7] || log.events != ["opened", "bytes", "end"]
            }.count
        }
        #expect(lost == 0)
    }

    @Test(arguments: SourceKind.allCases, SourceInputStream.Mode.allCases)
    func anEmptySourceOpensAndEnds(kind: SourceKind, mode: SourceInputStream.Mode) async throws {
        try await withFile([]) { file in
            let source = try kind.source([], file: file)
            let events = try await onThread { EventLog.run(SourceInputStream(source, mode: mode)).events }
            // Where the source does not report its length, a synchronous read may be what finds the end.
            let mayBeFoundByReading = mode == .synchronous && !kind.knowsLength
            #expect(events == ["opened", "end"] || mayBeFoundByReading && events == ["opened", "bytes", "end"])
        }
    }

    @Test func anEventForEachReadThatGivesSomething() async throws {
        let events = try await onThread {
            EventLog.run(SourceInputStream(DataSource(pattern(100))), readSize: 40).events
        }
        #expect(events == ["opened", "bytes", "bytes", "bytes", "end"])
    }

    @Test(arguments: SourceInputStream.Mode.allCases)
    func aSourceThatCannotBeOpenedIsOneEvent(mode: SourceInputStream.Mode) async throws {
        let source = try await withFile(pattern(10)) { try FileSource(path: $0) }
        for errors in [SourceInputStream.ErrorReporting.status, .delegateOnly] {
            let (events, error) = try await onThread {
                let stream = SourceInputStream(source, mode: mode, errors: errors)
                return (EventLog.run(stream).events, stream.streamError as? ByteStreamError)
            }
            #expect(events == ["error"] && error?.code == .notFound)
        }
    }

    @Test(arguments: SourceInputStream.Mode.allCases)
    func whatCameBeforeAnErrorIsRead(mode: SourceInputStream.Mode) async throws {
        let (events, bytes) = try await onThread {
            let source = SequenceSource { _ in
                AsyncThrowingStream<[UInt8], any Error> { writer in
                    writer.yield(pattern(10))
                    writer.finish(throwing: ByteStreamError(.unreadable, "It broke."))
                }
            }
            let log = EventLog.run(SourceInputStream(source, mode: mode))
            return (log.events, log.bytes)
        }
        #expect(bytes == pattern(10))
        #expect(events.first == "opened" && events.last == "error" && events.filter { $0 == "error" }.count == 1)
    }

    @Test(arguments: ["opened", "bytes"], SourceInputStream.Mode.allCases)
    func nothingComesAfterClosing(at event: String, mode: SourceInputStream.Mode) async throws {
        let events = try await onThread {
            let stream = SourceInputStream(DataSource(pattern(100)), mode: mode)
            return EventLog.run(stream, closing: event).events
        }
        #expect(events == (event == "opened" ? ["opened"] : ["opened", "bytes"]))
    }

    @Test(arguments: SourceInputStream.Mode.allCases)
    func nothingComesIfItIsClosedBeforeTheRunLoopRuns(mode: SourceInputStream.Mode) async throws {
        let (events, hasRun) = try await onThread {
            let log = EventLog(readSize: 10)
            let stream = SourceInputStream(DataSource(pattern(100)), mode: mode)
            stream.delegate = log
            stream.schedule(in: .current, forMode: .default)
            stream.open()
            stream.close()
            return (log.events, RunLoop.current.run(mode: .default, before: .distantFuture))
        }
        #expect(events == [] && !hasRun)
    }

    @Test(arguments: SourceInputStream.Mode.allCases)
    func bytesAreToldOnceUntilTheyAreRead(mode: SourceInputStream.Mode) async throws {
        let events = try await onThread {
            let lazy = SourceInputStream(DataSource(pattern(100)), mode: mode)
            // After the event another stream goes through the same run loop from its beginning to its end.
            let next = SourceInputStream(DataSource(pattern(1000)), mode: mode)
            let nextLog = EventLog(readSize: 10) { if $0 == 1000 { lazy.close() } }
            let log = EventLog(readSize: 0, reads: false) { _ in next.open() }
            (lazy.delegate, next.delegate) = (log, nextLog)
            for stream in [lazy, next] { stream.schedule(in: .current, forMode: EventLog.mode) }
            lazy.open()
            EventLog.runLoop()
            return nextLog.events.last == "end" ? log.events : []
        }
        #expect(events == ["opened", "bytes"])
    }

    @Test func eventsWaitForADelegate() async throws {
        let events = try await onThread {
            let stream = SourceInputStream(DataSource(pattern(10)))
            stream.schedule(in: .current, forMode: EventLog.mode)
            stream.open()
            let log = EventLog(readSize: 10)
            _ = EventLog.run(SourceInputStream(DataSource(pattern(1000))), readSize: 10) {
                if $0 == 1000 { stream.delegate = log }
            }
            EventLog.runLoop()
            return log.events
        }
        #expect(events == ["opened", "bytes", "end"])
    }

    @Test func aStreamIsItsOwnDelegateWhereNobodyIs() {
        let stream = SourceInputStream(DataSource(pattern(10)))
        #expect(stream.delegate === stream)
        let log = EventLog(readSize: 10)
        stream.delegate = log
        #expect(stream.delegate === log)
        stream.delegate = nil
        #expect(stream.delegate === stream)
    }

    @Test(arguments: SourceInputStream.Mode.allCases)
    func theEndIsToldAgainAfterTheOffsetWasSetBack(mode: SourceInputStream.Mode) async throws {
        let (events, bytes) = try await onThread {
            let stream = SourceInputStream(DataSource(pattern(10)), mode: mode)
            let log = EventLog.run(stream, rewinding: 1)
            return (log.events, log.bytes)
        }
        #expect(events == ["opened", "bytes", "end", "bytes", "end"])
        #expect(bytes == pattern(10) + pattern(10))
    }
}
