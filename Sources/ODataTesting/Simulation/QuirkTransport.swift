import ByteStreams
import HTTPTypes
import ODataTransport

/// Responds to some requests in place of a simulated service with quirks.
struct QuirkTransport: HTTPTransport {
    let next: any HTTPTransport
    let quirks: SimulatedQuirks

    func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws -> TransportResponse {
        guard let status = refusal(of: request) else {
            return try await next.send(request, body: body, context: context)
        }
        let message = Array(#"{"error":{"code":"\#(status)","message":"Refused by habit."}}"#.utf8)
        var headers: HTTPFields = [.contentType: "application/json", .contentLength: "\(message.count)"]
        headers[request.isV2 ? .dataServiceVersion : .oDataVersion] = request.isV2 ? "2.0" : "4.0"
        return TransportResponse(
            head: HTTPResponse(status: .init(code: status), headerFields: headers), body: ByteContent(message))
    }

    private func refusal(of request: HTTPRequest) -> Int? {
        let path = request.path ?? ""
        // The next links of a full read name the token of the delta link to come.
        if quirks.failsDeltaLinks, path.contains("deltatoken="), !path.contains("skiptoken=") { return 500 }
        guard quirks.refusesPreferences else { return nil }
        let preferences = Set(request.headerFields.preferences(in: .prefer).map(\.name))
        if preferences.contains("track-changes") { return 501 }
        if preferences.contains("maxpagesize") { return 500 }
        return preferences.contains("return") && path.hasSuffix("/Pictures") ? 400 : nil
    }
}

extension HTTPRequest {
    fileprivate var isV2: Bool { path?.hasPrefix("/v2/") ?? false }
}
