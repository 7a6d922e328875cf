import ByteStreams
import HTTPTypes
import Logging
import Telemetry

/// A line of the log, the metrics and the span of each request that a service responds to.
///
/// URLs and messages of errors are left out: they hold values of entities.
struct RequestObservation: Sendable {
    private let instruments = Instruments()
    private let logger: Logger
    /// Whether requests are observed at all.
    let isOn: Bool

    init(logger: Logger) {
        self.logger = logger
        isOn = instruments.isOn || logger.logLevel <= .debug
    }

    func observing(
        _ request: HTTPRequest, body: ByteContent, _ respond: (ByteContent) async -> ServiceResponse
    ) async -> ServiceResponse {
        let start = ContinuousClock.now
        return await instruments.span(request.method.rawValue, .server, from: Self.fields(of: request)) { span in
            let response = await respond(counting(body, "odata.service.received.bytes"))
            return noting(response, to: request, since: start, in: span)
        }
    }

    /// The same for a response that need not be waited for; nothing is noted without one.
    func observingNow(_ request: HTTPRequest, _ respond: () -> ServiceResponse?) -> ServiceResponse? {
        let start = ContinuousClock.now
        guard let response = respond() else { return nil }
        return instruments.spanNow(request.method.rawValue, .server, from: Self.fields(of: request)) { span in
            noting(response, to: request, since: start, in: span)
        }
    }

    private func noting(
        _ response: ServiceResponse, to request: HTTPRequest, since start: ContinuousClock.Instant,
        in span: InstrumentSpan
    ) -> ServiceResponse {
        let (method, status) = (request.method.rawValue, response.head.status.code)
        let duration = ContinuousClock.now - start
        span.set("http.request.method", to: method)
        span.set("http.response.status_code", to: status)
        if status >= 500 { span.fail("\(status)") }
        instruments.record(
            "odata.service.request.duration", duration, [("method", method), ("status", "\(status)")])
        logger.debug(
            "The service has responded.",
            metadata: ["method": "\(method)", "status": "\(status)", "milliseconds": "\(duration / .milliseconds(1))"])
        var response = response
        response.body = counting(response.body, "odata.service.sent.bytes")
        return response
    }

    /// The content, whose bytes are counted: at once if it is in memory, otherwise as they are read.
    private func counting(_ content: ByteContent, _ label: String) -> ByteContent {
        guard instruments.hasMetrics else { return content }
        if let bytes = content.bytes {
            instruments.count(label, by: Int64(bytes.count))
            return content
        }
        return (try? content.reporting { [instruments] in instruments.count(label, by: Int64($0)) }) ?? content
    }

    private static func fields(of request: HTTPRequest) -> @Sendable (String) -> String? {
        { [fields = request.headerFields] name in HTTPField.Name(name).flatMap { fields[$0] } }
    }
}
