import HTTPTypes
import OData

/// Prints each request and its response on standard error, without the secrets in their headers.
///
///     > GET http://127.0.0.1:8080/Products
///     > Authorization: (hidden)
///     < 200 OK
///     < Content-Type: application/json
struct VerboseMiddleware: HTTPMiddleware {
    func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws -> TransportResponse {
        tell("> \(request.method.rawValue) \(request.absoluteURL?.description ?? request.path ?? "")")
        tell(request.headerFields, ">")
        let response = try await next.send(request, body: body)
        tell("< \(response.head.status.code) \(response.head.status.reasonPhrase)")
        tell(response.head.headerFields, "<")
        return response
    }

    private func tell(_ fields: HTTPFields, _ mark: String) {
        for field in fields {
            let value = field.name.isHarmless ? field.value : "(hidden)"
            tell("\(mark) \(field.name.rawName): \(value.singleLine)")
        }
    }

    /// With `--quiet` too: it was asked for.
    private func tell(_ line: String) { Console.message(line, isNeeded: true) }
}
