import Synchronization

/// Events that wait for their reader: a few at most, however long the stream is.
final class StreamEventQueue: Sendable {
    private struct State {
        var waiting: [StreamEvent] = []
        var isEnded = false
    }

    /// One for every change, or for several at once; ends with the last event.
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let state = Mutex(State())

    init() {
        (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    deinit { continuation.finish() }

    func add(_ event: StreamEvent) {
        state.withLock { state in
            guard !state.isEnded else { return }
            if case .progress = event, case .progress? = state.waiting.last { state.waiting.removeLast() }
            state.waiting.append(event)
            switch event {
            case .finished, .failed: state.isEnded = true
            case .started, .cacheResponse, .serverResponse, .progress: break
            }
        }
        switch event {
        case .finished, .failed: continuation.finish()
        case .started, .cacheResponse, .serverResponse, .progress: continuation.yield()
        }
    }

    func take() -> StreamEvent? {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }
}
