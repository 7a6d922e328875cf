import Foundation

extension ByteChunks {
    /// The bytes of an input stream, which is opened and read in a thread of its own, a chunk for each pull, and closed
    /// at its end, after a failure, and when the consumer ends. A cancelled pull closes a ``SourceInputStream`` at
    /// once; a stream of another class is closed after the read in which it waits.
    ///
    /// - Parameters:
    ///   - stream: A stream whose reads wait for bytes. No other code uses it from now on.
    ///   - chunkSize: The most bytes of a chunk.
    public init(_ stream: sending InputStream, chunkSize: Int = 131_072) {
        let owner = StreamReaderOwner(StreamReader(stream, chunkSize: Swift.max(1, chunkSize)))
        self.init { try await owner.reader.next() }
    }
}

/// Ends the reading when the chunks are gone.
private final class StreamReaderOwner: Sendable {
    let reader: StreamReader

    init(_ reader: StreamReader) {
        self.reader = reader
    }

    deinit { reader.stop() }
}

/// `@unchecked Sendable`: what changes is guarded by the condition. The stream was handed over for good, and only the
/// reader's thread uses it, except that a ``SourceInputStream``, which has a lock, may be closed meanwhile.
private final class StreamReader: @unchecked Sendable {
    private typealias Pull = CheckedContinuation<[UInt8]?, any Error>

    private enum State {
        case notStarted, running, ended
    }

    private let stream: InputStream
    private let chunkSize: Int
    private let condition = NSCondition()
    // Guarded by the condition:
    private var state = State.notStarted
    private var pull: Pull?
    private var failure: (any Error)?

    init(_ stream: sending InputStream, chunkSize: Int) {
        (self.stream, self.chunkSize) = (stream, chunkSize)
    }

    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { ask($0) }
        } onCancel: {
            abandon(throwing: CancellationError())
        }
    }

    func stop() { abandon(throwing: nil) }

    private func ask(_ pull: Pull) {
        condition.lock()
        defer { condition.unlock() }
        switch state {
        case .ended:
            if let failure { pull.resume(throwing: failure) } else { pull.resume(returning: nil) }
        case .notStarted, .running:
            self.pull = pull
            condition.signal()
            guard state == .notStarted else { return }
            state = .running
            Thread { self.run() }.start()
        }
    }

    private func run() {
        stream.open()
        // False at once if the pull was abandoned before the stream was open, and could be closed.
        while waitForPull() {
            switch readChunk() {
            case .success(let chunk) where !chunk.isEmpty: resume(chunk)
            case .success: end(throwing: nil)?()
            case .failure(let error): end(throwing: error)?()
            }
        }
        stream.close()
    }

    /// - Returns: False at the end.
    private func waitForPull() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while pull == nil, state == .running { condition.wait() }
        return state == .running
    }

    private func readChunk() -> Result<[UInt8], any Error> {
        var result = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: chunkSize) { buffer, count in
            if let start = buffer.baseAddress { result = stream.read(start, maxLength: buffer.count) }
            count = max(0, result)
        }
        guard result < 0 else { return .success(chunk) }
        return .failure(stream.streamError ?? ByteStreamError(.unreadable, "The input stream cannot be read."))
    }

    private func resume(_ chunk: [UInt8]) {
        condition.lock()
        let pull = pull
        self.pull = nil
        condition.unlock()
        pull?.resume(returning: chunk)
    }

    /// Ends a read that waits, where the stream can.
    private func abandon(throwing error: (any Error)?) {
        end(throwing: error)?()
        (stream as? SourceInputStream)?.close()
    }

    /// - Returns: Responds to the pull, if there is one.
    private func end(throwing error: (any Error)?) -> (() -> Void)? {
        condition.lock()
        defer { condition.unlock() }
        guard state != .ended else { return nil }
        state = .ended
        failure = error
        condition.signal()
        guard let pull else { return nil }
        self.pull = nil
        return {
            if let error { pull.resume(throwing: error) } else { pull.resume(returning: nil) }
        }
    }
}
