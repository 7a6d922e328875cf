import ByteStreams
import HTTPTypes
import Logging

/// Logs each request with its status and time; headers at level `trace`.
///
/// Values are logged only of headers that are known to contain no secret, so never of `Authorization` and cookies.
/// Place it last, to see each attempt, or first, to see what the app asked for.
public struct LoggingMiddleware: HTTPMiddleware {
    private let logger: Logger
    private let level: Logger.Level

    /// - Parameters:
    ///   - logger: Gets the lines.
    ///   - level: Of the line for each request; failures are one `warning` each.
    public init(logger: Logger, level: Logger.Level = .debug) {
        self.logger = logger
        self.level = level
    }

    public func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws
        -> TransportResponse
    {
        let name = "\(request.method) \(request.absoluteURL?.description ?? request.path ?? "")"
        logger.trace("\(name) request", metadata: ["headers": headers(request.headerFields)])
        let start = ContinuousClock.now
        do {
            let response = try await next.send(request, body: body)
            let time = milliseconds(since: start)
            logger.log(level: level, "\(name) \(response.head.status.code)", metadata: ["milliseconds": time])
            logger.trace("\(name) response", metadata: ["headers": headers(response.head.headerFields)])
            return response
        } catch {
            let time = milliseconds(since: start)
            logger.warning("\(name) failed: \(error)", metadata: ["milliseconds": time])
            throw error
        }
    }

    private func milliseconds(since start: ContinuousClock.Instant) -> Logger.MetadataValue {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000)"
    }

    private func headers(_ fields: HTTPFields) -> Logger.MetadataValue {
        .array(fields.map { "\($0.name): \($0.name.isHarmless ? $0.value : "(not logged)")" })
    }
}
