import MediaFiles
import ODataStores

/// The course of one stream's download, without its input and output: events go in, actions come out.
///
///     waiting → requesting → receiving → finished
///                  ↑   ↓        ↓
///                 retrying ←────┘         failed
///
/// A cut continues with `Range: bytes=1000-` and `If-Range: "5"`; a service that responds with the whole stream instead
/// (200), or refuses the range (412, 416), makes it begin anew. So does a digest that is not the announced one, once.
/// [RFC 9110, sections 13.1.5 and 14.2; RFC 9530]
package struct StreamDownload: Sendable {
    package enum State: Hashable, Sendable {
        case waiting
        case requesting(offset: Int64)
        case receiving
        case retrying
        case finished
        case failed
    }

    package enum Action: Sendable {
        /// Ask for the bytes from `offset` on; with an `ifRange`, only if the stream is still that one.
        case request(offset: Int64, ifRange: String?)
        /// Drop the bytes that are there, note the new origin, then append the bytes of the response.
        case receiveAll(PartialOrigin)
        /// Append the bytes of the response.
        case receiveRest
        /// Wait, then call ``paused()``.
        case pause(Duration)
        /// Check the length and the digest and make a complete stream of it.
        case finish(expectedLength: Int64?, expectedDigest: String?)
        case fail(any Error)
    }

    /// What the service says about the bytes it begins to send.
    package struct Response: Sendable {
        package var offset: Int64
        package var origin: PartialOrigin

        package init(offset: Int64, origin: PartialOrigin) {
            self.offset = offset
            self.origin = origin
        }
    }

    package private(set) var state = State.waiting
    /// The bytes of the stream that are there.
    package private(set) var length: Int64
    package private(set) var origin: PartialOrigin?
    /// How often the service was asked.
    package private(set) var attempts = 0
    /// Whether the service itself said how long to wait.
    package private(set) var isHeldByService = false
    private let plan: RetryPlan
    private var failures = 0
    private var restarts = 0
    /// Whether it began anew because of a wrong digest.
    private var wasDamaged = false
    private var furthest: Int64

    /// - Parameters:
    ///   - length: The bytes of an earlier run that are there, with their origin.
    ///   - etag: The ETag that the stream is expected to have, where known.
    package init(length: Int64 = 0, origin: PartialOrigin? = nil, etag: String? = nil, plan: RetryPlan = RetryPlan()) {
        let isCurrent = etag == nil || origin?.etag == nil || origin?.etag == etag
        self.length = isCurrent && origin?.strongETag != nil ? length : 0
        self.origin = self.length > 0 ? origin : nil
        furthest = self.length
        self.plan = plan
    }

    /// A slot for this download is free.
    package mutating func started() -> Action {
        // All came in an earlier run, which ended before it could say so.
        if let total = origin?.totalLength, total == length, length > 0 { return finish() }
        return request()
    }

    /// The number of bytes after a wait. A different number of bytes than before cannot be used.
    package mutating func reopened(length found: Int64) {
        guard state == .retrying, found != length else { return }
        length = 0
        origin = nil
    }

    /// The service began to respond.
    package mutating func received(_ response: Response) -> Action {
        guard case .requesting(let wanted) = state else { return unexpected() }
        if response.offset == 0 { return receiveAll(response.origin) }
        guard response.offset == wanted, let origin, origin.fits(response.origin) else {
            return restart(after: StreamChanged())
        }
        self.origin?.totalLength = origin.totalLength ?? response.origin.totalLength
        self.origin?.digest = origin.digest ?? response.origin.digest
        state = .receiving
        return .receiveRest
    }

    /// Bytes were received and stored.
    package mutating func received(_ count: Int) {
        length += Int64(count)
        guard length > furthest else { return }
        furthest = length
        failures = 0
    }

    /// The response ended as it should.
    package mutating func ended() -> Action {
        guard state == .receiving else { return unexpected() }
        guard let total = origin?.totalLength, total != length else { return finish() }
        let error = MediaFileError(.wrongLength, "The stream has \(length) bytes where \(total) were announced.")
        return length < total ? retry(after: error, wish: nil) : restart(after: error)
    }

    /// What follows has come beside this response, which is not read any further.
    package mutating func joined() -> Action {
        guard state == .receiving else { return unexpected() }
        return length == origin?.totalLength ? finish() : request()
    }

    /// The request, or taking in the response, failed.
    package mutating func broke(_ error: any Error) -> Action {
        switch StreamFailure(error) {
        case .transient: retry(after: error, wish: (error as? ODataError)?.retryAfter)
        case .outdated where length > 0: restart(after: error)
        case .damaged where !wasDamaged: restartDamaged(after: error)
        case .outdated, .permanent, .damaged: fail(error)
        }
    }

    /// The wait is over.
    package mutating func paused() -> Action {
        state == .retrying ? request() : unexpected()
    }
}

extension StreamDownload {
    private mutating func request() -> Action {
        attempts += 1
        // Without a strong ETag the rest may belong to another version of the stream.
        let tag = origin?.strongETag
        if tag == nil { length = 0 }
        state = .requesting(offset: length)
        return .request(offset: length, ifRange: length > 0 ? tag : nil)
    }

    private mutating func receiveAll(_ new: PartialOrigin) -> Action {
        length = 0
        origin = new
        state = .receiving
        return .receiveAll(new)
    }

    private mutating func retry(after error: any Error, wish: Int?) -> Action {
        failures += 1
        isHeldByService = wish != nil
        guard failures <= plan.limit, let delay = plan.delay(afterFailure: failures, wish: wish) else {
            return fail(error)
        }
        state = .retrying
        return .pause(delay)
    }

    private mutating func restart(after error: any Error) -> Action {
        restarts += 1
        guard restarts <= plan.restartLimit else { return fail(error) }
        length = 0
        origin = nil
        return request()
    }

    private mutating func restartDamaged(after error: any Error) -> Action {
        wasDamaged = true
        return restart(after: error)
    }

    private mutating func finish() -> Action {
        state = .finished
        return .finish(expectedLength: origin?.totalLength, expectedDigest: origin?.digest)
    }

    private mutating func fail(_ error: any Error) -> Action {
        state = .failed
        return .fail(error)
    }

    private mutating func unexpected() -> Action {
        fail(
            ODataError(
                .internalError,
                "A stream was received out of turn."))
    }
}

/// The service sent another part of the stream, or of another stream, than it was asked for.
struct StreamChanged: Error, CustomStringConvertible {
    var description: String { "The stream changed while it was downloaded." }
}
