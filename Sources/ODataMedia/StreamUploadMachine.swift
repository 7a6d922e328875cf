import ByteStreams
import ODataStores

/// The course of one stream's upload in pieces, without its input and output: events go in, actions come out.
///
///     waiting → beginning → appending → committing → finished
///                   ↑           ↓            ↓
///                   └─ (gone) ──┴── paused   unconfirmed      failed
///
/// From `beginning` it goes back to `waiting` where the service does not know the method: the stream is sent whole.
///
/// Before `committing` the change cannot have been carried out, unless the service took the beginning for the whole; from
/// then on only a response reports. After a cut the session is asked how far it has come, and what the service has
/// acknowledged is not sent again.
package struct StreamUploadMachine: Sendable {
    package enum State: String, Hashable, Sendable {
        case waiting
        /// A place for the bytes is asked for.
        case beginning
        case appending
        /// The last append or the commit may have reached the service.
        case committing
        /// The session is gone or complete, and did not report whether or with what result the change was carried out.
        case unconfirmed
        /// Stopped for now: the next run continues.
        case paused
        case finished
        /// Refused.
        case failed
    }

    package enum Action: Sendable {
        case begin
        /// Ask for the offset.
        case resume(UploadSession)
        /// Ask what became of the change.
        case probe(UploadSession)
        case append(Range<Int64>, isLast: Bool, UploadSession)
        case commit(UploadSession)
        /// Wait, then call ``paused()``.
        case pause(Duration)
        case finish(ChangeResult)
        /// Nothing was begun: the service takes the stream only whole.
        case sendWhole
        /// An ``ODataError`` says whether the change may have been carried out.
        case fail(any Error)
    }

    package private(set) var state: State
    package private(set) var session: UploadSession?
    /// The bytes that the service has.
    package private(set) var acknowledged: Int64
    /// The same, never less than before.
    package private(set) var furthest: Int64
    /// The same of this session: what is sent again after the service has forgotten one is progress too.
    private var reached: Int64
    /// All bytes.
    package let total: Int64
    private let commits: Bool
    private let plan: RetryPlan
    private var failures = 0
    private var restarts = 0
    /// Whether a response reports of bytes that were sent.
    private var hasSent = false
    /// Whether the last append or the commit may have been carried out without a response.
    private var isInDoubt: Bool

    /// - Parameters:
    ///   - total: All bytes.
    ///   - commits: As the method says.
    ///   - state: That of an earlier run, with its session and what was acknowledged then.
    package init(
        total: Int64, commits: Bool, state: State = .waiting, session: UploadSession? = nil, acknowledged: Int64 = 0,
        plan: RetryPlan = RetryPlan()
    ) {
        self.total = total
        self.commits = commits
        self.session = session
        self.state = session == nil ? .waiting : state
        self.acknowledged = session == nil ? 0 : acknowledged
        (furthest, reached) = (self.acknowledged, self.acknowledged)
        isInDoubt = session != nil && state.isDoubtful
        self.plan = plan
    }

    /// A slot for this upload is free.
    package mutating func started() -> Action { ask() }

    /// The service has returned the offset of the upload.
    package mutating func received(_ step: UploadStep) -> Action {
        switch step {
        case .acknowledged(let offset, let session): return acknowledge(offset, session)
        case .executed(let result):
            state = .finished
            return .finish(result)
        case .completed:
            isInDoubt = true
            return doubt(state == .beginning ? Self.noPlaceMade : Self.noResult)
        case .refused(let error):
            isInDoubt = false
            return fail(error)
        case .gone:
            guard !isInDoubt else {
                session = nil
                return doubt(Self.noSession)
            }
            return restart()
        case .unsupported:
            guard state == .beginning else { return isInDoubt ? doubt(Self.noMethod) : fail(Self.noMethod) }
            state = .waiting
            return .sendWhole
        }
    }

    /// The request, or reading what it sends, failed.
    package mutating func broke(_ error: any Error) -> Action {
        let failure = error as? ODataError
        if state == .committing, failure?.isOutcomeUnknown ?? (error is CancellationError) { isInDoubt = true }
        if error is CancellationError || failure?.code == .cancelled { return giveUp(error) }
        if failure?.isTransient == true { return retry(after: error, wish: failure?.retryAfter) }
        let reading = (failure?.cause ?? error) as? ByteStreamError
        // The service may have got bytes that are none of the stream's.
        if reading?.code == .changed { return fail(error) }
        if reading?.code == .notFound { return giveUp(error) }
        // Who asks must say who it is first, or one of the sides has no room: the session holds.
        if let failure, failure.concernsAll || failure.code == .storage || failure.isForWantOfRoom {
            return giveUp(error)
        }
        return isInDoubt ? doubt(failure ?? Self.noResult) : fail(error)
    }

    /// The wait is over.
    package mutating func paused() -> Action { ask() }
}

extension StreamUploadMachine {
    private mutating func ask() -> Action {
        hasSent = false
        guard let session else {
            state = .beginning
            return .begin
        }
        if isInDoubt {
            state = .committing
            return .probe(session)
        }
        state = .appending
        return .resume(session)
    }

    private mutating func acknowledge(_ offset: Int64, _ session: UploadSession) -> Action {
        isInDoubt = false
        guard (0...total).contains(offset) else {
            return fail(
                ODataError(.invalidResponse, "The service says that it has \(offset) bytes of a stream of \(total)."))
        }
        self.session = session
        acknowledged = offset
        furthest = max(furthest, offset)
        if offset > reached {
            reached = offset
            failures = 0
        } else if hasSent {
            failures += 1
            guard failures <= plan.limit else { return fail(Self.noProgress) }
        }
        return next(session)
    }

    private mutating func next(_ session: UploadSession) -> Action {
        hasSent = true
        if acknowledged == total, commits {
            state = .committing
            return .commit(session)
        }
        let rest = total - acknowledged
        let count = min(rest, max(1, session.partSize ?? rest))
        let isLast = count == rest && !commits
        state = isLast ? .committing : .appending
        return .append(acknowledged..<(acknowledged + count), isLast: isLast, session)
    }

    private mutating func retry(after error: any Error, wish: Int?) -> Action {
        failures += 1
        guard failures <= plan.limit, let delay = plan.delay(afterFailure: failures, wish: wish) else {
            return giveUp(failures > 1 ? triedAgain(error) : error)
        }
        return .pause(delay)
    }

    private func triedAgain(_ error: any Error) -> any Error {
        guard var error = error as? ODataError else { return error }
        error.message += " The stream was tried \(failures) times; the next upload continues it."
        return error
    }

    private mutating func restart() -> Action {
        restarts += 1
        guard restarts <= plan.restartLimit else { return fail(Self.noPlace) }
        session = nil
        (acknowledged, reached) = (0, 0)
        return ask()
    }

    /// For this run.
    private mutating func giveUp(_ error: any Error) -> Action {
        state = isInDoubt ? .committing : .paused
        return .fail(told(error))
    }

    private mutating func doubt(_ error: any Error) -> Action {
        state = .unconfirmed
        return .fail(told(error))
    }

    private mutating func fail(_ error: any Error) -> Action {
        session = nil
        state = .failed
        return .fail(told(error))
    }

    /// The error with what is known of the change: the service does nothing before it has all bytes.
    private func told(_ error: any Error) -> any Error {
        var failure =
            error as? ODataError
            ?? (error is CancellationError
                ? ODataError(.cancelled, "The upload of a stream was cancelled.", cause: error)
                : ODataError(.internalError, "The upload of a stream failed: \(error)", cause: error))
        failure.isOutcomeUnknown = isInDoubt
        return failure
    }

    private static let noResult = ODataError(
        .unreachable, "The service has all bytes of the stream, but did not return the outcome of the request.")
    private static let noPlaceMade = ODataError(
        .invalidResponse, "The service took the beginning of an upload for the whole: it resumes none.")
    private static let noSession = ODataError(
        .unreachable, "The service does not know the upload any more, whose last response was lost.")
    private static let noProgress = ODataError(.invalidResponse, "The service takes no more bytes of the stream.")
    private static let noMethod = ODataError(
        .invalidResponse, "The service does not know the way any more in which the stream is uploaded.")
    private static let noPlace = ODataError(
        .invalidResponse, "The service forgets each upload of the stream before it has all bytes.")
}

extension StreamUploadMachine.State {
    /// Whether the change may have been carried out.
    package var isDoubtful: Bool { self == .committing || self == .unconfirmed }
}
