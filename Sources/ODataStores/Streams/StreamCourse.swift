import MediaFiles

/// The course of one read of a stream, without its input and output: events go in, actions come out.
///
/// After a cut it continues with `Range: bytes=1000-` and `If-Range: "5"`: what the reader was given is not given
/// again. That needs a strong ETag; without one the cut is the reader's, unless nothing was given yet.
/// [RFC 9110, sections 13.1.5 and 14.2]
struct StreamCourse: Sendable {
    enum Action: Sendable {
        case ask(StreamRequest)
        /// Append the bytes of the response.
        case receive
        /// Wait, then call ``paused()``.
        case pause(Duration)
        case finish
        case fail(any Error)
    }

    /// The fields of the first response.
    private struct Stream {
        var origin: PartialOrigin
        /// The first byte for the reader.
        var start: Int64
        /// The next one.
        var position: Int64
        /// The end of the requested range.
        var limit: Int64?

        var end: Int64? { [limit, origin.totalLength].compactMap(\.self).min() }
    }

    private let request: StreamRequest
    private let plan: RetryPlan
    private var stream: Stream?
    /// Bytes of the response that are not for the reader.
    private var skipped: Int64 = 0
    private var failures = 0

    init(_ request: StreamRequest, plan: RetryPlan) {
        self.request = request
        self.plan = plan
    }

    /// The bytes that the reader was given.
    var given: Int64 { stream.map { $0.position - $0.start } ?? 0 }
    /// The bytes that the reader is to get, where known.
    var total: Int64? { stream.flatMap { stream in stream.end.map { $0 - stream.start } } }
    /// Whether the reader gets the whole stream.
    var isWhole: Bool {
        stream.map { $0.start == 0 && $0.limit ?? .max >= $0.origin.totalLength ?? .max } ?? false
    }
    /// Whether the reader has all, though more may come.
    var isComplete: Bool { stream.map { $0.position == $0.limit } ?? false }

    /// The store began to respond.
    mutating func received(_ result: StreamResult) -> Action {
        guard !result.isNotModified else { return .finish }
        do { _ = try result.requiringContent(of: request) } catch { return .fail(error) }
        guard let stream, given > 0 else { return begin(result) }
        guard Self.fits(result, stream) else {
            return .fail(ODataError(.preconditionFailed, "The stream changed while it was read: read it again."))
        }
        // All may come again.
        skipped = stream.position - result.offset
        return .receive
    }

    /// What of a chunk is for the reader.
    mutating func take(_ chunk: [UInt8]) -> [UInt8] {
        guard var stream else { return [] }
        let before = Int(min(skipped, Int64(chunk.count)))
        skipped -= Int64(before)
        var part = chunk.dropFirst(before)
        if let limit = stream.limit { part = part.prefix(Int(clamping: max(0, limit - stream.position))) }
        stream.position += Int64(part.count)
        if !part.isEmpty { failures = 0 }
        self.stream = stream
        return part.count == chunk.count ? chunk : Array(part)
    }

    /// The response ended as it should.
    mutating func ended() -> Action {
        guard let stream, let end = stream.end, stream.position != end else { return .finish }
        let error = ODataError(
            .invalidResponse, "The stream ended at byte \(stream.position) where \(end) bytes were announced.")
        return stream.position < end ? resume(after: error) : .fail(error)
    }

    /// The request, or taking in the response, failed.
    mutating func broke(_ error: any Error) -> Action {
        // Whether to ask a store again that has not responded is for the reader to say.
        guard stream != nil, let known = error as? ODataError, known.isTransient else { return .fail(error) }
        return resume(after: known)
    }

    /// The wait is over.
    func paused() -> Action {
        guard let stream, given > 0 else { return .ask(request) }
        var rest = request
        rest.offset = stream.position
        rest.count = stream.limit.map { $0 - stream.position }
        rest.suffixLength = nil
        rest.ifRange = stream.origin.strongETag
        (rest.ifMatch, rest.ifNoneMatch) = (nil, nil)
        return .ask(rest)
    }
}

extension StreamCourse {
    private mutating func begin(_ result: StreamResult) -> Action {
        let start: Int64
        let limit: Int64?
        if request.ifRange != nil {
            // The range, or on another version of the stream the whole, as the reader has asked.
            (start, limit) = (result.offset, result.content.length.map { result.offset + $0 })
        } else if let suffix = request.suffixLength {
            guard result.offset > 0 || result.totalLength != nil else {
                return .fail(
                    ODataError(.invalidResponse, "The stream has no length, which a request for its last bytes needs."))
            }
            (start, limit) = (max(result.offset, (result.totalLength ?? 0) - suffix), nil)
        } else {
            let end = request.count.map { request.offset.addingReportingOverflow(max(0, $0)) }
            (start, limit) = (request.offset, end.map { $0.overflow ? .max : $0.partialValue })
        }
        guard result.offset <= start else {
            return .fail(ODataError(.invalidResponse, "The stream came from byte \(result.offset) on, not \(start)."))
        }
        if let total = result.totalLength, start > total {
            return .fail(ODataError(.rangeNotSatisfiable, "The stream has \(total) bytes, \(start) were skipped."))
        }
        let origin = PartialOrigin(etag: result.etag, totalLength: result.totalLength, digest: result.digest)
        stream = Stream(origin: origin, start: start, position: start, limit: limit)
        skipped = start - result.offset
        return .receive
    }

    /// Whether a response continues the stream of the first one.
    private static func fits(_ result: StreamResult, _ stream: Stream) -> Bool {
        let (origin, isRest) = (stream.origin, result.offset == stream.position)
        guard result.offset <= stream.position, result.etag == origin.etag || isRest && result.etag == nil else {
            return false
        }
        let isSameLength = result.totalLength.map { $0 == origin.totalLength ?? $0 } ?? true
        return isSameLength && result.digest.map { $0 == origin.digest ?? $0 } ?? true
    }

    private mutating func resume(after error: ODataError) -> Action {
        // Only the end of the message was lost.
        if let stream, given > 0, stream.position == stream.end { return .finish }
        guard let stream, given == 0 || stream.origin.strongETag != nil else { return .fail(error) }
        failures += 1
        guard failures <= plan.limit, let delay = plan.delay(afterFailure: failures, wish: error.retryAfter) else {
            return .fail(error)
        }
        return .pause(delay)
    }
}
