import MediaFiles
import ODataStores

/// The states of the download of one part of a stream beside its beginning, without input and output.
///
/// A cut continues where it was, as with ``StreamDownload``. For all that would make the whole stream begin anew, or
/// fail, the part only ends: the download of the beginning reaches the missing bytes, and decides.
package struct SegmentDownload: Sendable {
    package enum Action: Hashable, Sendable {
        /// Ask for `count` bytes from `offset` on, only if the stream is still the same.
        case request(offset: Int64, count: Int64)
        /// Append the bytes of the response.
        case receive
        /// Wait, then call ``paused()``.
        case pause(Duration)
        /// All bytes of the part are stored.
        case end
    }

    /// The requested bytes of the stream.
    package let range: Range<Int64>
    /// How many of them are there.
    package private(set) var length: Int64
    private let origin: PartialOrigin
    private let plan: RetryPlan
    private var failures = 0

    /// - Parameters:
    ///   - length: The bytes of an earlier run that are there.
    ///   - origin: The version of the stream that the beginning is downloaded from.
    package init(range: Range<Int64>, length: Int64, origin: PartialOrigin, plan: RetryPlan) {
        (self.range, self.length, self.origin, self.plan) = (range, length, origin, plan)
    }

    /// In bytes.
    package var missing: Int64 { max(0, Int64(range.count) - length) }

    package func started() -> Action { request() }

    /// The service began to respond.
    package func received(_ response: StreamDownload.Response) -> Action {
        response.offset == range.lowerBound + length && origin.fits(response.origin) ? .receive : .end
    }

    /// Bytes were received and stored.
    package mutating func received(_ count: Int) {
        length += Int64(count)
        if count > 0 { failures = 0 }
    }

    /// The response ended as it should.
    package mutating func ended() -> Action { missing == 0 ? .end : retry(wish: nil) }

    /// The request, or taking in the response, failed.
    package mutating func broke(_ error: any Error) -> Action {
        guard StreamFailure(error) == .transient else { return .end }
        return retry(wish: (error as? ODataError)?.retryAfter)
    }

    /// The wait is over.
    package func paused() -> Action { request() }

    private func request() -> Action {
        missing == 0 ? .end : .request(offset: range.lowerBound + length, count: missing)
    }

    private mutating func retry(wish: Int?) -> Action {
        failures += 1
        guard failures <= plan.limit, let delay = plan.delay(afterFailure: failures, wish: wish) else { return .end }
        return .pause(delay)
    }
}

extension PartialOrigin {
    /// Whether a response with a part of a stream may be of this one.
    func fits(_ response: PartialOrigin) -> Bool {
        if let tag = response.etag, tag != etag { return false }
        if let other = response.digest, let digest, other != digest { return false }
        guard let total = response.totalLength, let totalLength else { return true }
        return total == totalLength
    }
}
