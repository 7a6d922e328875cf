import ByteStreams
import HTTPTypes
import Logging
import Telemetry

/// Logs each request with its status and time; headers at level `trace`.
///
/// Neither secrets nor values of entities are logged, unless the latter are asked for: of URLs without keys in
/// parentheses and without the values of query options, of headers only those that are known to contain neither, of
/// errors the code. Keys that a service has as segments of the path (`Orders/5`) are logged. Place it last, to see each attempt, or first, to see what the app asked for.
public struct LoggingMiddleware: HTTPMiddleware {
    private let logger: Logger
    private let level: Logger.Level
    private let showsValues: Bool

    /// - Parameters:
    ///   - logger: Gets the lines.
    ///   - level: Of the line for each request; failures are one `warning` each.
    ///   - showsValues: Whether URLs, the headers that name entities and messages of errors are logged whole, for
    ///     debugging. Secrets are not.
    public init(logger: Logger, level: Logger.Level = .debug, showsValues: Bool = false) {
        self.logger = logger
        self.level = level
        self.showsValues = showsValues
    }

    public func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws
        -> TransportResponse
    {
        let url = request.absoluteURL?.description ?? request.path ?? ""
        let name = "\(request.method) \(showsValues ? url : Self.outline(of: url))"
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
            logger.warning(
                "\(name) failed: \(showsValues ? "\(error)" : errorName(error))", metadata: ["milliseconds": time])
            throw error
        }
    }

    private func milliseconds(since start: ContinuousClock.Instant) -> Logger.MetadataValue {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000)"
    }

    private func headers(_ fields: HTTPFields) -> Logger.MetadataValue {
        .array(
            fields.map { field in
                let isShown = field.name.isHarmless && (showsValues || !Self.ofEntities.contains(field.name))
                return "\(field.name): \(isShown ? field.value : "(not logged)")"
            })
    }

    /// Headers with keys or names of an entity.
    private static let ofEntities: Set<HTTPField.Name> = [.contentDisposition, .location, .oDataEntityID, .slug]

    /// `http://host/Orders(…)/Items?$filter&$top` of `http://host/Orders(5)/Items?$filter=Name eq 'Ada'&$top=3`
    private static func outline(of url: String) -> String {
        let end = url.firstIndex(of: "?") ?? url.endIndex
        let options = url[end...].dropFirst().split(separator: "&").map { $0.prefix { $0 != "=" } }
        return withoutKeys(url[..<end]) + (options.isEmpty ? "" : "?") + options.joined(separator: "&")
    }

    /// `Orders(…)/Items` of `Orders('a)/b')/Items`: a parenthesis within quotation marks ends no key.
    private static func withoutKeys(_ path: Substring) -> String {
        var text = ""
        var isKey = false
        var isQuoted = false
        var rest = path
        while let character = rest.first {
            let isQuote = character == "'" || rest.hasPrefix("%27")
            rest = rest.dropFirst(character == "%" && isQuote ? 3 : 1)
            if isKey {
                if isQuote { isQuoted.toggle() }
                guard !isQuoted, character == ")" else { continue }
                isKey = false
                text += "…)"
            } else {
                isKey = character == "("
                text.append(character)
            }
        }
        return text
    }
}
