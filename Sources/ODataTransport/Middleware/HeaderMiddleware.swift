import ByteStreams
import HTTPTypes

/// Adds headers to each request that has them not yet: an API key, a tenant, a language.
///
/// They are not sent to another origin that a redirect leads to.
public struct HeaderMiddleware: HTTPMiddleware {
    private let fields: HTTPFields

    /// - Parameter fields: Values are sent as they are; several fields of one name are all sent.
    public init(_ fields: HTTPFields) {
        self.fields = fields
    }

    public func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws
        -> TransportResponse
    {
        guard !next.context.isForeign else { return try await next.send(request, body: body) }
        var changed = request
        for field in fields where !request.headerFields.contains(field.name) {
            changed.headerFields.append(field)
        }
        return try await next.send(changed, body: body)
    }
}
