import ByteStreams
import HTTPTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Sends `Authorization: Basic …` with each request to the service, and to no other origin.
///
/// The password is sent in plain text: use it with `https`.
///
/// [RFC 7617]
public struct BasicAuthentication: HTTPMiddleware {
    private let credentials: String

    /// - Parameters:
    ///   - user: Without a colon.
    ///   - password: Sent as UTF-8.
    public init(user: String, password: String) {
        credentials = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }

    public func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws
        -> TransportResponse
    {
        var request = request
        if !next.context.isForeign { request.headerFields[.authorization] = credentials }
        return try await next.send(request, body: body)
    }
}
