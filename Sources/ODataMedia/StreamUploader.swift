import ByteStreams
import ODataStores

/// Carries out what one ``StreamUpload`` says.
package struct StreamUploader: Sendable {
    private let method: any UploadMethod
    private let job: UploadJob
    private let plan: RetryPlan
    private let pause: @Sendable (Duration) async throws -> Void
    private let keep: @Sendable (StreamUpload) async throws -> Void

    /// - Parameters:
    ///   - pause: Waits before the service is asked again; throws when the task is cancelled.
    ///   - keep: Makes the upload as it is durable: what follows may reach the service.
    package init(
        _ job: UploadJob, method: any UploadMethod, plan: RetryPlan = RetryPlan(),
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        keep: @escaping @Sendable (StreamUpload) async throws -> Void
    ) {
        self.job = job
        self.method = method
        self.plan = plan
        self.pause = pause
        self.keep = keep
    }

    /// Uploads the stream; goes on where an earlier run stopped.
    ///
    /// - Parameters:
    ///   - state: That of the earlier run, with its session and what was acknowledged then.
    /// - Throws: ``ODataError``; what `keep` throws.
    package func run(
        from state: StreamUpload.State = .waiting, session: UploadSession? = nil, acknowledged: Int64 = 0
    ) async throws -> ChangeResult {
        var upload = StreamUpload(
            total: job.length, commits: method.commits, state: state, session: session, acknowledged: acknowledged,
            plan: plan)
        var action = upload.started()
        var isWhole = false
        while true {
            if case .finish(let result) = action { return result }
            try await keep(upload)
            if case .fail(let error) = action { throw error }
            do {
                if case .pause(let duration) = action {
                    try await pause(duration)
                    action = upload.paused()
                    continue
                }
                if case .append(let range, _, _) = action, !isWhole {
                    // A part is not checked while it is read.
                    if range != 0..<job.length { try await readWhole() }
                    isWhole = true
                }
                action = upload.answered(try await step(action))
            } catch {
                action = upload.broke(error)
            }
        }
    }

    private func step(_ action: StreamUpload.Action) async throws -> UploadStep {
        switch action {
        case .begin: try await method.begin(job)
        case .resume(let session): try await method.resume(session, of: job)
        case .probe(let session): try await method.probe(session, of: job)
        case .commit(let session): try await method.commit(session, of: job)
        case .append(let range, let isLast, let session):
            try await method.append(
                try part(range), at: range.lowerBound, isLast: isLast, to: session, of: job)
        case .pause, .finish, .fail: throw ODataError(.internalError, "An upload came out of turn.")
        }
    }

    private func part(_ range: Range<Int64>) throws -> ByteContent {
        guard range != 0..<job.length else { return job.media.content }
        return ByteContent(try SliceSource(ContentSource(content: job.media.content), range: range))
    }

    /// Fails if the bytes are not those that were kept.
    private func readWhole() async throws {
        for try await _ in try job.media.content.chunks() { try Task.checkCancellation() }
    }
}
