import ByteStreams
import MediaFiles
import Synchronization

extension ODataStore {
    /// A read of a stream that reports its progress, can be cancelled, and survives cuts. No request is sent before its
    /// bytes are requested.
    ///
    /// ```swift
    /// let photo = store.stream(StreamRequest(path))
    /// Task { for await case .progress(let bytes, let total) in photo.events { show(bytes, of: total) } }
    /// try await photo.file(at: "photo.jpg")
    /// ```
    public func stream(_ request: StreamRequest) -> StreamHandle { StreamHandle(request, from: self) }
}

/// One read of a stream: its bytes, once, and what happens meanwhile. As an `InputStream` they are
/// `SourceInputStream(ByteContent(try handle.chunks(), length: nil))`, which can be read once too.
///
/// A read that breaks off continues from where it stopped, if the stream has a strong ETag: the bytes are always those
/// of one version of the stream. Its length is checked, and the digest of a whole stream where the service reports one;
/// the last bytes are given only then.
public final class StreamHandle: Sendable {
    private struct Running {
        var isTaken = false
        var isCancelled = false
        var task: Task<[UInt8]?, any Error>?
    }

    /// What happens, for one reader; ends with `finished` or `failed`.
    public var events: StreamEvents { StreamEvents(queue: queue) }
    private let queue = StreamEventQueue()
    private let reading: StreamReading
    private let running = Mutex(Running())

    /// - Parameter pause: Waits before the store is asked again after a cut; throws when the task is cancelled.
    package init(
        _ request: StreamRequest, from store: any ODataStore, plan: RetryPlan = RetryPlan(),
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        reading = StreamReading(request, from: store, plan: plan, events: queue, pause: pause)
    }

    deinit { queue.add(.failed(Self.cancelled)) }

    /// The bytes, as they come. The store is asked for more as they are taken.
    ///
    /// - Throws: ``ODataError`` if they were taken already. Reading the chunks throws ``ODataError`` too.
    public func chunks() throws -> ByteChunks {
        let isFirst = running.withLock { running in
            defer { running.isTaken = true }
            return !running.isTaken
        }
        guard isFirst else { throw ODataError(.badRequest, "The bytes of a stream are given once: ask for it again.") }
        return ByteChunks { [self] in try await next() }
    }

    /// Writes the bytes to a file, which is there when all of them are on the device. A file that has the name already
    /// is replaced; if the read fails, it stays. A symbolic link leads to its file; a device or a pipe is written into.
    ///
    /// - Throws: ``ODataError``, with code `storage` if the file cannot be written.
    public func file(at path: String) async throws {
        let chunks = try chunks()
        do { try await OutputFile.write(chunks, to: path) } catch {
            cancel()
            throw ODataError(reading: error)
        }
    }

    /// Ends the read: who waits for bytes gets an error with code `cancelled`.
    public func cancel() {
        let task = running.withLock { running in
            running.isCancelled = true
            return running.task
        }
        task?.cancel()
        queue.add(.failed(Self.cancelled))
        Task { [reading] in await reading.end(Self.cancelled) }
    }

    private func next() async throws -> [UInt8]? {
        let task = running.withLock { running -> Task<[UInt8]?, any Error>? in
            guard !running.isCancelled else { return nil }
            let task = Task { [reading] in try await reading.next() }
            running.task = task
            return task
        }
        guard let task else { throw Self.cancelled }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private static var cancelled: ODataError { ODataError(.cancelled, "The read of the stream was cancelled.") }
}
