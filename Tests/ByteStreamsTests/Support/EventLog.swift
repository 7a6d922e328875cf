import ByteStreams
import Foundation

/// The delegate of a stream: notes the events, reads what there is, and closes the stream at its end.
final class EventLog: NSObject, StreamDelegate {
    /// A mode that only these tests run.
    static let mode = RunLoop.Mode("EventLog")

    private(set) var events: [String] = []
    private(set) var bytes: [UInt8] = []
    private let readSize: Int
    private let reads: Bool
    private let progress: (Int) -> Void
    private let closing: String?
    private var rewinds: Int

    /// - Parameters:
    ///   - closing: The event at which the stream is closed.
    ///   - rewinds: How many times the stream is read again from its start before it is closed at its end.
    ///   - reads: Whether it reads when it is told of bytes.
    ///   - progress: Called when it has been told of bytes, with the number of those read so far.
    init(
        readSize: Int, reads: Bool = true, closing: String? = nil, rewinds: Int = 0,
        progress: @escaping (Int) -> Void = { _ in }
    ) {
        (self.readSize, self.reads, self.closing) = (readSize, reads, closing)
        (self.rewinds, self.progress) = (rewinds, progress)
    }

    /// Opens a stream and runs the run loop of this thread until it has been closed.
    static func run(
        _ stream: InputStream, readSize: Int = 10_000, closing: String? = nil, rewinding: Int = 0,
        progress: @escaping (Int) -> Void = { _ in }
    ) -> EventLog {
        let log = EventLog(readSize: readSize, closing: closing, rewinds: rewinding, progress: progress)
        stream.delegate = log
        stream.schedule(in: .current, forMode: mode)
        stream.open()
        while stream.streamStatus != .closed, RunLoop.current.run(mode: mode, before: .distantFuture) {}
        return log
    }

    /// Runs the run loop of this thread until nothing is scheduled in it.
    static func runLoop(in mode: RunLoop.Mode = mode) {
        while RunLoop.current.run(mode: mode, before: .distantFuture) {}
    }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
        guard let stream = aStream as? InputStream else { return }
        events.append(Self.name(of: eventCode))
        switch eventCode {
        case .hasBytesAvailable:
            if reads { bytes += stream.read(readSize) ?? [] }
            progress(bytes.count)
        case .endEncountered where rewinds > 0:
            rewinds -= 1
            _ = stream.seek(0)
        case .endEncountered, .errorOccurred: stream.close()
        default: break
        }
        if events.last == closing { stream.close() }
    }

    private static func name(of event: Stream.Event) -> String {
        switch event {
        case .openCompleted: "opened"
        case .hasBytesAvailable: "bytes"
        case .endEncountered: "end"
        case .errorOccurred: "error"
        default: "\(event.rawValue)"
        }
    }
}
