import ByteStreams
import HTTPTypes
import ODataTransport

/// A transport over a bad connection: it does to requests and responses what its plan says.
///
/// ```swift
/// let plan = FaultPlan.once(.responseLost) { $0.method == .post }
/// let store = try OnlineStore(serviceRoot: root, transport: FaultTransport(next: transport, plan: plan))
/// ```
public final class FaultTransport: HTTPTransport {
    private let next: any HTTPTransport
    private let plan: FaultPlan
    private let onFault: @Sendable (TransportFault) -> Void
    private let late = LateRequests()

    /// - Parameters:
    ///   - next: Sends the requests that get through.
    ///   - plan: Says which requests meet which fault.
    public convenience init(next: any HTTPTransport, plan: FaultPlan) {
        self.init(next: next, plan: plan, onFault: { _ in })
    }

    /// - Parameter onFault: Hears of a fault when it happens: a body that is too short to be cut meets none.
    init(next: any HTTPTransport, plan: FaultPlan, onFault: @escaping @Sendable (TransportFault) -> Void) {
        self.next = next
        self.plan = plan
        self.onFault = onFault
    }

    /// Requests that were late arrive now.
    public func deliver() async { await late.deliver() }

    public func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws
        -> TransportResponse
    {
        let fault = plan.fault(for: request)
        await deliver()
        return try await send(request, body: body, fault: fault, next: NextTransport(next, context: context))
    }

    private func send(
        _ request: HTTPRequest, body: ByteContent?, fault: TransportFault?, next: NextTransport
    ) async throws -> TransportResponse {
        guard let fault else { return try await next.send(request, body: body) }
        if !fault.dependsOnBody { onFault(fault) }
        switch fault.kind {
        case .requestCut(let count): return try await cut(request, body: body, after: count, fault, next)
        case .cut(let count): return try cut(try await next.send(request, body: body), after: count, fault)
        case .reordered:
            let (response, isReversed) = try await ReversedBatch.of(try await next.send(request, body: body))
            if isReversed { onFault(fault) }
            return response
        case .refused: throw TransportError(.unreachable, "The connection was refused (by the plan of faults).")
        case .requestLost:
            throw TransportError(
                .interrupted, "The connection ended before the request was sent (by the plan of faults).")
        case .late:
            await late.hold(request, body: try await body?.collect(upTo: LateRequests.limit), next)
            throw TransportError(.timeout, "No response arrived in time (by the plan of faults).")
        case .status(let code, let headers):
            return TransportResponse(head: HTTPResponse(status: .init(code: code), headerFields: headers))
        case .redirect(let url):
            return TransportResponse(head: HTTPResponse(status: .temporaryRedirect, headerFields: [.location: url]))
        case .responseLost:
            let response = try await next.send(request, body: body)
            for try await _ in try response.body.chunks() {}
            throw TransportError(
                .interrupted,
                "The connection ended before the response arrived (by the plan "
                    + "of faults).")
        case .contentLength(let length): return try lie(try await next.send(request, body: body), length: length)
        case .body(let bytes, let contentType):
            _ = try await next.send(request, body: body)
            return Self.foreign(bytes, contentType: contentType)
        case .intercepted(let bytes, let contentType): return Self.foreign(bytes, contentType: contentType)
        }
    }

    /// A response that the service did not make.
    private static func foreign(_ bytes: [UInt8], contentType: String) -> TransportResponse {
        let headers: HTTPFields = [.contentType: contentType, .contentLength: "\(bytes.count)"]
        return TransportResponse(head: HTTPResponse(status: .ok, headerFields: headers), body: ByteContent(bytes))
    }

    private func cut(
        _ request: HTTPRequest, body: ByteContent?, after count: Int, _ fault: TransportFault, _ next: NextTransport
    ) async throws -> TransportResponse {
        guard let body else { return try await next.send(request, body: nil) }
        let broken = BrokenBody(try body.chunks(), limit: count)
        let sent = ByteContent(ByteChunks { try await broken.next() }, length: body.length)
        let response = try await next.send(request, body: sent)
        guard await broken.isBroken else { return response }
        onFault(fault)
        throw TransportError(.interrupted, "The connection ended within the request (by the plan of faults).")
    }

    private func cut(_ response: TransportResponse, after count: Int, _ fault: TransportFault) throws
        -> TransportResponse
    {
        let body = BrokenBody(try response.body.chunks(), limit: count) { [onFault] in onFault(fault) }
        var response = response
        response.body = ByteContent(ByteChunks { try await body.next() }, length: response.body.length)
        return response
    }

    private func lie(_ response: TransportResponse, length: Int64) throws -> TransportResponse {
        let body = BrokenBody(try response.body.chunks(), expected: length)
        var response = response
        response.head.headerFields[.contentLength] = "\(length)"
        response.body = ByteContent(ByteChunks { try await body.next() }, length: length)
        return response
    }
}
