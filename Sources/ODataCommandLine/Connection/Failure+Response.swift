import HTTPTypes
import OData

extension Failure {
    /// The error of a response with an error status.
    ///
    ///     The service returned 400 Bad Request: The property Nope does not exist. (code unknownName)
    ///
    /// - Parameter advice: Replaces the advice for the status.
    static func failedResponse(_ response: TransportResponse, advice: String? = nil) async throws -> Failure {
        let body = try await response.body.collect(upTo: 1 << 20)
        let status = "\(response.head.status.code) \(response.head.status.reasonPhrase)"
        let advice = advice ?? Advice.line(forStatus: response.head.status.code)
        guard let error = JSONPayload.error(body) else {
            return Failure("The service returned \(status).", advice: advice)
        }
        let (message, code) = (error.message.brief, error.code.brief)
        let text = message.isEmpty ? "The service returned \(status)." : "The service returned \(status): \(message)"
        return Failure(code.isEmpty ? text : "\(text) (code \(code))", advice: advice)
    }
}
