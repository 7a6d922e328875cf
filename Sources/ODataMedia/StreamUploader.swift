import ByteStreams
import MediaFiles
import ODataStores

/// Carries out what one ``StreamUploadMachine`` says.
package struct StreamUploader: Sendable {
    private let method: any UploadMethod
    private let job: UploadJob
    private let plan: RetryPlan
    private let pause: @Sendable (Duration) async throws -> Void
    private let sent: @Sendable (Int64) -> Void
    private let keep: @Sendable (StreamUploadMachine) async throws -> Void

    /// - Parameters:
    ///   - pause: Waits before the service is asked again; throws when the task is cancelled.
    ///   - sent: Hears how far the bytes have been handed over, from the start of the stream; not for long.
    ///   - keep: Makes the upload as it is durable: what follows may reach the service.
    package init(
        _ job: UploadJob, method: any UploadMethod, plan: RetryPlan = RetryPlan(),
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        sent: @escaping @Sendable (Int64) -> Void = { _ in },
        keep: @escaping @Sendable (StreamUploadMachine) async throws -> Void
    ) {
        self.job = job
        self.method = method
        self.plan = plan
        self.pause = pause
        self.sent = sent
        self.keep = keep
    }

    /// Uploads the stream; continues where an earlier run stopped.
    ///
    /// - Parameters:
    ///   - state: That of the earlier run, with its session and what was acknowledged then.
    /// - Returns: Nil if the service does not know the method: the stream is to be sent whole.
    /// - Throws: ``ODataError``; what `keep` throws.
    package func run(
        from state: StreamUploadMachine.State = .waiting, session: UploadSession? = nil, acknowledged: Int64 = 0
    ) async throws -> ChangeResult? {
        var upload = StreamUploadMachine(
            total: job.length, commits: method.commits, state: state, session: session, acknowledged: acknowledged,
            plan: plan)
        var action = upload.started()
        while true {
            if case .finish(let result) = action { return result }
            if case .sendWhole = action { return nil }
            try await keep(upload)
            if case .fail(let error) = action { throw error }
            do {
                if case .pause(let duration) = action {
                    try await pause(duration)
                    action = upload.paused()
                    continue
                }
                action = upload.received(try await step(action))
            } catch {
                action = upload.broke(error)
            }
        }
    }

    private func step(_ action: StreamUploadMachine.Action) async throws -> UploadStep {
        switch action {
        case .begin: try await method.begin(job)
        case .resume(let session): try await method.resume(session, of: job)
        case .probe(let session): try await method.probe(session, of: job)
        case .commit(let session): try await method.commit(session, of: job)
        case .append(let range, let isLast, let session): try await append(range, isLast: isLast, to: session)
        case .pause, .finish, .sendWhole, .fail:
            throw ODataError(
                .internalError,
                "An upload was continued out of turn.")
        }
    }

    private func append(_ range: Range<Int64>, isLast: Bool, to session: UploadSession) async throws -> UploadStep {
        let source = ContentSource(content: try await part(range))
        let followed = FollowedSource(source) { [sent] in sent(range.lowerBound + $0) }
        defer { followed.end() }
        return try await method.append(
            ByteContent(followed), at: range.lowerBound, isLast: isLast, to: session, of: job)
    }

    /// The bytes that are sent next. Those that end the stream do not come to their end if the whole is not what was kept:
    /// a read of the whole is checked by its source, where that is a folder's, and other parts end nothing.
    private func part(_ range: Range<Int64>) async throws -> ByteContent {
        guard range != 0..<job.length else { return job.media.content }
        let source = ContentSource(content: job.media.content)
        guard let digest = job.digest, range.upperBound == job.length, !range.isEmpty else {
            return ByteContent(try SliceSource(source, range: range))
        }
        return ByteContent(try await CheckedTail(source, from: range.lowerBound, digest: digest))
    }
}
