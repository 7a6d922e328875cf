import ByteStreams
import HTTPTypes
import ODataFormats
import ODataTransport

/// A request that may be about asynchronous responses: one with `Prefer: respond-async`, or to a status monitor.
///
/// [OData-Protocol, sections 8.2.8.8 and 11.6]
struct AsynchronousRequest {
    /// `$async/4f2c…`: status monitors, below the service root.
    static let prefix = "$async/"

    let service: ODataService
    let request: ServiceRequest

    /// Nil where the request is an ordinary one.
    func respond() async throws -> ServiceResponse? {
        if request.parts.path.hasPrefix(Self.prefix) {
            return try monitor(String(request.parts.path.dropFirst(Self.prefix.count)))
        }
        let preferences = Preferences(request.headers)
        guard !request.isV2, preferences.respondsAsync, service.configuration.allowsAsynchronousRequests else {
            return nil
        }
        let version = try ProtocolVersion(negotiatedFrom: request.headers)
        guard let name = try await start() else { return nil }
        if let seconds = preferences.wait {
            await service.monitors.wait(for: name, atMost: .seconds(min(seconds, 60)))
            if case .finished(let response) = service.monitors.state(of: name, for: client) {
                _ = service.monitors.remove(name, for: client)
                return ServiceResponse(head: response.head, body: ByteContent(response.body))
            }
        }
        var accepted = accepted(name)
        accepted.head.headerFields[.preferenceApplied] = preferences.applied(["respond-async", "wait"])
        return service.complete(accepted, to: request.method, version: version)
    }

    private var client: StatusMonitors.Client {
        StatusMonitors.Client(user: request.context.user, name: request.context.sender)
    }

    /// Begins to make the response; nil if there are too many already.
    private func start() async throws -> String? {
        let limits = service.configuration.limits
        var request = request
        request.context = request.context.withoutClient
        request.body = ByteContent(try await request.body.collect(upTo: limits.asynchronousSize))
        let (service, sent) = (service, request)
        return service.monitors.start(
            for: client,
            limits: StatusMonitors.Limits(
                all: limits.asynchronousRequests, perClient: limits.asynchronousRequestsPerClient),
            lifetime: limits.asynchronousLifetime
        ) {
            let response = await service.respond(to: sent)
            do {
                let body = try await response.body.collect(upTo: limits.asynchronousSize)
                return StatusMonitors.Response(head: response.head, body: body)
            } catch {
                let failure = service.render(error, to: sent)
                let body = (try? await failure.body.collect(upTo: limits.asynchronousSize)) ?? []
                return StatusMonitors.Response(head: failure.head, body: body)
            }
        }
    }

    /// `202` with the URL of the status monitor.
    private func accepted(_ name: String) -> ServiceResponse {
        let root = ServiceRoot(request.root)
        return ServiceResponse(
            .accepted, headers: [.location: root.absolute(Self.prefix + name), .retryAfter: "1"])
    }

    private func monitor(_ name: String) throws -> ServiceResponse {
        let version = try ProtocolVersion(negotiatedFrom: request.headers)
        switch request.method {
        case .get, .head:
            switch service.monitors.state(of: name, for: client) {
            case .running: return service.complete(accepted(name), to: request.method, version: version)
            case .finished(let response):
                return service.complete(self.finalResponse(response, version), to: request.method, version: version)
            case nil: throw ServiceFailure(.notFound, "There is no such status monitor, or not any more.")
            }
        case .delete:
            guard service.monitors.remove(name, for: client) else {
                throw ServiceFailure(.notFound, "There is no such status monitor, or not any more.")
            }
            return service.complete(ServiceResponse(.noContent), to: .delete, version: version)
        default: throw ServiceFailure.methodNotAllowed(request.method, allowed: [.get, .head, .delete])
        }
    }

    /// A whole HTTP message for 4.0 and for who accepts one, else the response itself with `AsyncResult`.
    private func finalResponse(_ response: StatusMonitors.Response, _ version: ProtocolVersion) -> ServiceResponse {
        let accepted = HeaderElement.list(request.headers[.accept] ?? "").map { $0.value.lowercased() }
        guard version == .v4 || accepted.contains("application/http") else {
            var headers = response.head.headerFields
            headers[.asyncResult] = "\(response.head.status.code)"
            return ServiceResponse(.ok, headers: headers, body: ByteContent(response.body))
        }
        let status = response.head.status
        var message = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        for field in response.head.headerFields { message += "\(field.name.rawName): \(field.value)\r\n" }
        message += "\r\n"
        return ServiceResponse(
            .ok, headers: [.contentTransferEncoding: "binary"], contentType: "application/http",
            body: ByteContent(Array(message.utf8) + response.body))
    }
}

extension HTTPField.Name {
    fileprivate static let contentTransferEncoding = HTTPField.Name("Content-Transfer-Encoding")!
}
