import ByteStreams
import ODataStores

/// Reads a file to its end: after a cut it continues at the last byte, if the file has a strong ETag.
///
/// [RFC 9110, sections 13.1.5 and 14.2]
actor FileReading {
    typealias Ask = @Sendable (_ offset: Int64, _ etag: String?) async throws -> AttachmentResponse

    private let ask: Ask
    private let plan: RetryPlan
    private let pause: @Sendable (Duration) async throws -> Void
    private let etag: String?
    private let totalLength: Int64?
    private var response: AttachmentResponse
    /// How many bytes were given.
    private var position: Int64 = 0
    /// Bytes that come again.
    private var skipped: Int64 = 0
    private var failures = 0

    init(
        _ response: AttachmentResponse, plan: RetryPlan, pause: @escaping @Sendable (Duration) async throws -> Void,
        ask: @escaping Ask
    ) {
        self.response = response
        self.plan = plan
        self.pause = pause
        self.ask = ask
        (etag, totalLength) = (response.etag, response.totalLength)
    }

    /// - Throws: ``OData/ODataError``.
    func next() async throws -> [UInt8]? {
        while true {
            do {
                guard let chunk = try await pull() else { return nil }
                let part = chunk.dropFirst(Int(min(skipped, Int64(chunk.count))))
                skipped -= Int64(chunk.count - part.count)
                guard !part.isEmpty else { continue }
                position += Int64(part.count)
                failures = 0
                return part.count == chunk.count ? chunk : Array(part)
            } catch {
                try await resume(after: ODataError(reading: error, isEdit: false))
            }
        }
    }

    private func pull() async throws -> [UInt8]? {
        guard response.beginning.isEmpty else { return response.beginning.removeFirst() }
        return try await response.chunks.next()
    }

    private func resume(after error: ODataError) async throws {
        var error = error
        while true {
            let isStrong = etag?.hasPrefix("\"") == true
            failures += 1
            guard position == 0 || isStrong, error.isTransient, failures <= plan.limit,
                let delay = plan.delay(afterFailure: failures, wish: error.retryAfter)
            else { throw error }
            do {
                try await pause(delay)
                return try take(try await ask(position, etag))
            } catch let failure {
                error = ODataError(noResponse: failure, isEdit: false)
            }
        }
    }

    private func take(_ next: AttachmentResponse) throws {
        let isSame = next.etag == etag && (next.totalLength ?? totalLength) == (totalLength ?? next.totalLength)
        guard isSame, next.offset <= position else {
            throw ODataError(.preconditionFailed, "The file changed while it was read: read it again.")
        }
        response = next
        skipped = position - next.offset
    }
}
