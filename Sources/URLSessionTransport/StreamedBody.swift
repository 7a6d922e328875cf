import ByteStreams
import Foundation
import Synchronization

/// The body of one request, which is read while it is sent. For each repetition there is a new stream, which begins
/// with the first byte.
final class StreamedBody: Sendable {
    private let source: StoppableSource
    private let current = Mutex(Current?.none)

    /// `@unchecked Sendable`: a `SourceInputStream` has a lock of its own.
    private struct Current: @unchecked Sendable {
        let stream: SourceInputStream
    }

    init(_ source: any ByteSource) {
        self.source = StoppableSource(
            measure: { source.length }, identify: { try source.identity() }, opener: { try source.open(at: $0) })
    }

    init(_ content: ByteContent) {
        source = StoppableSource(
            measure: { content.length }, identify: { nil }, opener: { try content.chunks(from: $0) })
    }

    func newStream() -> InputStream {
        let stream = SourceInputStream.requestBody(source)
        let next = Current(stream: stream)
        current.withLock { $0 = next }
        return stream
    }

    /// Lets all reads fail from now on. The stream is not closed: a closed stream is taken for the end of the body.
    ///
    /// - Returns: Whether a read was waiting, which fails now and ends the transfer.
    func stop() -> Bool {
        let status = current.withLock { $0 }?.stream.streamStatus
        source.stop()
        return status == .reading || status == .opening
    }

    /// What broke the reading.
    var failure: (any Error)? { current.withLock { $0 }?.stream.streamError }

    /// Whether all bytes have been handed out.
    var isRead: Bool {
        guard let stream = current.withLock({ $0 })?.stream else { return false }
        guard let length = source.length else { return !stream.hasBytesAvailable }
        return (stream.property(forKey: .fileCurrentOffsetKey) as? NSNumber)?.int64Value == length
    }
}

/// A source whose reads, also waiting ones, fail when its bytes are no longer needed.
private final class StoppableSource: ByteSource {
    private struct State {
        var isStopped = false
        var pull: Task<[UInt8]?, any Error>?
    }

    private let measure: @Sendable () -> Int64?
    private let identify: @Sendable () throws -> SourceIdentity?
    private let opener: @Sendable (Int64) throws -> ByteChunks
    private let state = Mutex(State())

    init(
        measure: @escaping @Sendable () -> Int64?, identify: @escaping @Sendable () throws -> SourceIdentity?,
        opener: @escaping @Sendable (Int64) throws -> ByteChunks
    ) {
        (self.measure, self.identify, self.opener) = (measure, identify, opener)
    }

    var length: Int64? { measure() }

    func identity() throws -> SourceIdentity? { try identify() }

    func open(at offset: Int64) throws -> ByteChunks {
        let chunks = try opener(offset).makeAsyncIterator()
        return ByteChunks { [self] in try await pull(chunks) }
    }

    func stop() {
        let pull = state.withLock { state in
            state.isStopped = true
            return state.pull
        }
        pull?.cancel()
    }

    private func pull(_ chunks: ByteChunks.AsyncIterator) async throws -> [UInt8]? {
        let pull = Task { try await chunks.next() }
        let isStopped = state.withLock { state in
            state.pull = pull
            return state.isStopped
        }
        if isStopped { pull.cancel() }
        let chunk = try await withTaskCancellationHandler {
            try await pull.value
        } onCancel: {
            pull.cancel()
        }
        // A sequence that is cancelled may end as if it were complete.
        guard !state.withLock(\.isStopped) else { throw CancellationError() }
        return chunk
    }
}
