import ByteStreams
import Foundation

/// The delegate of a stream: notes the events, reads what there is, and closes the stream at its end.
final class EventLog: NSObject, StreamDelegate {
    private(set) var events: [String] = []
    private(set) var bytes: [UInt8] = []
    private let readSize: Int
    private let progress: (Int) -> Void

    init(readSize: Int, progress: @escaping (Int) -> Void) {
        (self.readSize, self.progress) = (readSize, progress)
    }

    /// Runs the run loop of this thread in a mode of its own until the stream has been closed.
    ///
    /// - Parameter progress: Called after each read with the number of bytes so far.
    static func run(_ stream: InputStream, readSize: Int = 10_000, progress: @escaping (Int) -> Void = { _ in })
        -> EventLog
    {
        let log = EventLog(readSize: readSize, progress: progress)
        let mode = RunLoop.Mode("EventLog")
        stream.delegate = log
        stream.schedule(in: .current, forMode: mode)
        stream.open()
        while RunLoop.current.run(mode: mode, before: .distantFuture) {}
        return log
    }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
        guard let stream = aStream as? InputStream else { return }
        switch eventCode {
        case .openCompleted: events.append("opened")
        case .hasBytesAvailable:
            events.append("bytes")
            bytes += stream.read(readSize) ?? []
            progress(bytes.count)
        case .endEncountered:
            events.append("end")
            stream.close()
        case .errorOccurred:
            events.append("error")
            stream.close()
        default: events.append("\(eventCode.rawValue)")
        }
    }
}
