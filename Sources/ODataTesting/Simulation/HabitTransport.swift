import ByteStreams
import HTTPTypes
import ODataTransport

/// Answers some requests in place of a simulated service that has these habits.
struct HabitTransport: HTTPTransport {
    let next: any HTTPTransport
    let habits: SimulatedHabits

    func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws -> HTTPReply {
        guard let status = refusal(of: request) else {
            return try await next.send(request, body: body, context: context)
        }
        let message = Array(#"{"error":{"code":"\#(status)","message":"Refused by habit."}}"#.utf8)
        var headers: HTTPFields = [.contentType: "application/json", .contentLength: "\(message.count)"]
        headers[request.isVersion2 ? .dataServiceVersion : .oDataVersion] = request.isVersion2 ? "2.0" : "4.0"
        return HTTPReply(
            response: HTTPResponse(status: .init(code: status), headerFields: headers), body: ByteContent(message))
    }

    private func refusal(of request: HTTPRequest) -> Int? {
        let path = request.path ?? ""
        // The next links of a full read name the token of the delta link to come.
        if habits.failsDeltaLinks, path.contains("deltatoken="), !path.contains("skiptoken=") { return 500 }
        guard habits.refusesPreferences else { return nil }
        let preferences = Set(request.headerFields.preferences(in: .prefer).map(\.name))
        if preferences.contains("track-changes") { return 501 }
        if preferences.contains("maxpagesize") { return 500 }
        return preferences.contains("return") && path.hasSuffix("/Pictures") ? 400 : nil
    }
}

extension HTTPRequest {
    fileprivate var isVersion2: Bool { path?.hasPrefix("/v2/") ?? false }
}
