import ByteStreams
import MediaFiles

/// Carries out what one ``StreamCourse`` says, and reports what happens.
actor StreamReading {
    private let store: any ODataStore
    private let request: StreamRequest
    private let events: StreamEventQueue
    private let pause: @Sendable (Duration) async throws -> Void
    private var course: StreamCourse
    private var action: StreamCourse.Action
    private var hasStarted = false
    private var chunks: ByteChunks.AsyncIterator?
    private var given: Int64 = 0
    /// Of the whole stream, while it is not known to be right.
    private var digest: String?
    private var hasher = MediaHasher()
    /// The last piece received meanwhile.
    private var held: [UInt8]?

    init(
        _ request: StreamRequest, from store: any ODataStore, plan: RetryPlan, events: StreamEventQueue,
        pause: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.store = store
        self.request = request
        self.events = events
        self.pause = pause
        course = StreamCourse(request, plan: plan)
        action = .ask(request)
    }

    /// The next bytes; nil at the end.
    ///
    /// - Throws: ``ODataError``, then again.
    func next() async throws -> [UInt8]? {
        if !hasStarted { events.add(.started) }
        hasStarted = true
        do {
            let chunk = try await checked()
            given += Int64(chunk?.count ?? 0)
            events.add(chunk == nil ? .finished : .progress(bytes: given, total: course.total))
            return chunk
        } catch {
            let failure = ODataError(reading: error)
            end(failure)
            events.add(.failed(failure))
            throw failure
        }
    }

    /// Nothing more is given, and what the store holds for the read is let go.
    func end(_ error: ODataError) {
        chunks = nil
        action = .fail(error)
    }

    /// The last piece is given only when all bytes are known to be right.
    private func checked() async throws -> [UInt8]? {
        while let chunk = try await bytes() {
            guard digest != nil else { return chunk }
            hasher.update(chunk)
            let before = held
            held = chunk
            if let before { return before }
        }
        guard let announced = digest else { return nil }
        try hasher.finish().check(announced, of: request.path.url)
        digest = nil
        defer { held = nil }
        return held
    }

    private func bytes() async throws -> [UInt8]? {
        while true {
            switch action {
            case .ask(let request): action = await ask(request)
            case .receive:
                guard let chunk = await chunk() else { continue }
                let part = course.take(chunk)
                if course.isComplete {
                    chunks = nil
                    action = .finish
                }
                if !part.isEmpty { return part }
            case .pause(let duration):
                try await pause(duration)
                action = course.paused()
            case .finish: return nil
            case .fail(let error): throw error
            }
        }
    }

    private func ask(_ request: StreamRequest) async -> StreamCourse.Action {
        do {
            let result = try await store.readStream(request)
            let action = course.received(result)
            if course.given == 0 { digest = course.isWhole ? result.digest : nil }
            events.add(result.isCached ? .cacheResponse(.init(result)) : .serverResponse(.init(result)))
            chunks = try result.content.chunks().makeAsyncIterator()
            return action
        } catch {
            return course.broke(error)
        }
    }

    /// Nil if there is something else to do; the response is let go then.
    private func chunk() async -> [UInt8]? {
        do {
            if let chunk = try await chunks?.next() { return chunk }
            action = course.ended()
        } catch {
            action = course.broke(error)
        }
        chunks = nil
        return nil
    }
}
