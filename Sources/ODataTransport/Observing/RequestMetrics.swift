import ByteStreams
import HTTPTypes
import Synchronization
import Telemetry

/// The metrics and the span of each request of a transport, where an app has installed back ends for them.
///
/// Names follow OpenTelemetry's conventions for HTTP. URLs are left out: their keys and filters are values of entities.
package struct RequestMetrics: Sendable {
    private let instruments = Instruments()

    /// With the back ends that are installed now.
    package init() {}

    /// Sends a request with `send`, measured.
    ///
    /// - Parameter context: A request to another host than the service's does not name its span.
    package func measuring(
        _ request: HTTPRequest, body: ByteContent?, context: TransportContext,
        _ send: (HTTPRequest, ByteContent?) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        guard instruments.isOn else { return try await send(request, body) }
        return try await instruments.span(request.method.rawValue, .client) { span in
            span.set("http.request.method", to: request.method.rawValue)
            span.set("server.address", to: request.authority)
            var request = request
            for (name, value) in context.isForeign ? [] : span.fields {
                if let name = HTTPField.Name(name) { request.headerFields[name] = value }
            }
            let sent = SentBytes(body)
            let start = ContinuousClock.now
            do {
                let response = try await send(request, sent.body)
                let status = response.head.status.code
                span.set("http.response.status_code", to: status)
                if status >= 400 { span.fail("\(status)") }
                note(request, "\(status)", since: start, sent)
                return counting(response)
            } catch {
                note(request, errorName(error), since: start, sent)
                throw error
            }
        }
    }

    private func note(
        _ request: HTTPRequest, _ outcome: String, since start: ContinuousClock.Instant, _ sent: SentBytes
    ) {
        let dimensions = [("method", request.method.rawValue), ("status", outcome)]
        instruments.record("odata.client.request.duration", .now - start, dimensions)
        instruments.count("odata.client.sent.bytes", by: sent.count)
    }

    /// The response, whose bytes are counted as they are read.
    private func counting(_ response: TransportResponse) -> TransportResponse {
        guard instruments.hasMetrics else { return response }
        let label = "odata.client.received.bytes"
        var response = response
        if response.body.isReplayable, let length = response.body.length {
            instruments.count(label, by: length)
        } else if let body = try? response.body.reporting({ [instruments] in instruments.count(label, by: Int64($0)) })
        {
            response.body = body
        }
        return response
    }

    /// A request is sent once more.
    func noteRetry(_ failure: RetryTable.Failure) {
        instruments.count("odata.client.retries", [("status", failure.name)])
    }
}

/// How much of a body was sent.
private struct SentBytes {
    let body: ByteContent?
    private let length: Int64?
    private let taken: TakenBytes?

    init(_ body: ByteContent?) {
        length = body.map(\.length) ?? 0
        guard let body, body.length == nil else {
            (self.body, taken) = (body, nil)
            return
        }
        let taken = TakenBytes()
        self.taken = taken
        self.body = ByteContent(FollowedSource(ContentSource(content: body)) { taken.count = $0 })
    }

    /// All of a known length.
    var count: Int64 { length ?? taken?.count ?? 0 }
}

private final class TakenBytes: Sendable {
    private let state = Mutex<Int64>(0)

    var count: Int64 {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

extension RetryTable.Failure {
    fileprivate var name: String {
        switch self {
        case .status(let code), .postponed(let code): "\(code)"
        case .transport(let code): code.name
        }
    }
}

extension TransportError: CodedError {
    package var codeName: String { code.name }
}
