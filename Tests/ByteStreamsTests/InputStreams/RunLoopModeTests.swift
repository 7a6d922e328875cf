import ByteStreams
import Foundation
import Synchronization
import Testing

/// The run loops and modes in which events are told.
@Suite struct RunLoopModeTests {
    private static let other = RunLoop.Mode("Other")

    @Test(arguments: SourceInputStream.Mode.allCases)
    func eventsComeInTheModesOfTheStream(mode: SourceInputStream.Mode) async throws {
        let said = try await onThread {
            let log = EventLog(readSize: 40)
            let stream = SourceInputStream(DataSource(pattern(100)), mode: mode)
            stream.delegate = log
            stream.schedule(in: .current, forMode: Self.other)
            stream.open()
            let runsElsewhere = RunLoop.current.run(mode: EventLog.mode, before: .distantFuture)
            let before = log.events
            EventLog.runLoop(in: Self.other)
            return (runsElsewhere, before, log.events.last, log.bytes)
        }
        #expect(!said.0 && said.1 == [] && said.2 == "end" && said.3 == pattern(100))
    }

    @Test func commonModesAreModesToo() async throws {
        let bytes = try await onThread {
            let log = EventLog(readSize: 40)
            let stream = SourceInputStream(DataSource(pattern(100)))
            stream.delegate = log
            stream.schedule(in: .current, forMode: .common)
            stream.open()
            EventLog.runLoop(in: .default)
            return log.bytes
        }
        #expect(bytes == pattern(100))
    }

    @Test(arguments: SourceInputStream.Mode.allCases)
    func removalFromOneModeLeavesTheOthers(mode: SourceInputStream.Mode) async throws {
        let said = try await onThread {
            let stream = SourceInputStream(DataSource(pattern(100)), mode: mode)
            let log = EventLog(readSize: 40) {
                if $0 == 40 { stream.remove(from: .current, forMode: EventLog.mode) }
            }
            stream.delegate = log
            for mode in [EventLog.mode, Self.other, EventLog.mode] { stream.schedule(in: .current, forMode: mode) }
            stream.open()
            EventLog.runLoop()
            let before = log.events
            EventLog.runLoop(in: Self.other)
            return (before, log.events, log.bytes, stream.streamStatus)
        }
        #expect(said.0 == ["opened", "bytes"])
        #expect(said.1.last == "end" && said.2 == pattern(100) && said.3 == .closed)
    }

    @Test func aStreamThatIsRemovedIsScheduledAgain() async throws {
        let events = try await onThread {
            let stream = SourceInputStream(DataSource(pattern(100)))
            let log = EventLog(readSize: 40)
            stream.delegate = log
            stream.schedule(in: .current, forMode: EventLog.mode)
            stream.remove(from: .current, forMode: EventLog.mode)
            stream.remove(from: .current, forMode: EventLog.mode)
            stream.open()
            EventLog.runLoop()
            let isQuiet = log.events.isEmpty
            stream.schedule(in: .current, forMode: EventLog.mode)
            EventLog.runLoop()
            return isQuiet ? log.events : []
        }
        #expect(events == ["opened", "bytes", "bytes", "bytes", "end"])
    }

    /// The run loops of two threads take turns; when the stream is closed in one, the other has nothing to wait for.
    @Test(arguments: SourceInputStream.Mode.allCases)
    func theRunLoopsOfTwoThreadsShareAStream(mode: SourceInputStream.Mode) async throws {
        let stream = SharedStream(SourceInputStream(DataSource(pattern(300_000)), mode: mode))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 { group.addTask { try await onThread { stream.run() } } }
            try await group.waitForAll()
        }
        #expect(stream.log.events.first == "opened" && stream.log.events.last == "end")
        #expect(stream.log.bytes == pattern(300_000))
    }

    @Test func aStreamThatIsForgottenLeavesItsRunLoop() async throws {
        let hasRun = try await onThread {
            let log = EventLog(readSize: 10)
            do {
                let stream = SourceInputStream(DataSource(pattern(10)), mode: .asynchronous)
                stream.delegate = log
                stream.schedule(in: .current, forMode: EventLog.mode)
                stream.open()
            }
            return RunLoop.current.run(mode: EventLog.mode, before: .distantFuture) || !log.events.isEmpty
        }
        #expect(!hasRun)
    }

    /// A stream whose events two threads tell, one at a time.
    ///
    /// `@unchecked Sendable`: that the stream may be used from both threads is what is tested; it tells its events to
    /// the log one after the other.
    private final class SharedStream: @unchecked Sendable {
        let stream: SourceInputStream
        let log = EventLog(readSize: 1000)
        private let places = Mutex(0)
        private let bothAreThere = DispatchSemaphore(value: 0)

        init(_ stream: SourceInputStream) {
            self.stream = stream
            stream.delegate = log
        }

        func run() {
            stream.schedule(in: .current, forMode: EventLog.mode)
            let count = places.withLock { places in
                places += 1
                return places
            }
            if count == 2 { bothAreThere.signal() } else { bothAreThere.wait() }
            stream.open()
            EventLog.runLoop()
        }
    }
}
